// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/cas_solver.hpp"

#include <algorithm>
#include <utility>

#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::cas {
namespace {

/// A few milliseconds on a GPU, where every round ends with a look at the best solution.
std::uint64_t default_round(const CasOptions& options, bool improves) {
    const std::uint64_t elements = std::uint64_t{options.all_ants()} * options.values;
    return improves ? std::clamp<std::uint64_t>(6400 / elements, 1, 16)
                    : std::clamp<std::uint64_t>(640'000 / elements, 1, 256);
}

CasOptions read_options(const sdk::SolverContext& context) {
    if (!context.problem.has_integer_costs()) {
        throw Error(ErrorKind::kUsage, "cas needs a problem with integer costs, but those of " +
                                           std::string(context.problem.info().instance) + " are real numbers");
    }
    const sdk::Parameters& p = context.parameters;
    const PaperParameters paper{static_cast<std::uint32_t>(p.integer("ants")), p.real("rho"), p.real("gamma"),
                                p.real("p_best")};
    CasOptions options{};
    options.free = sdk::free_positions(context.problem);
    options.rules = make_rules(paper, static_cast<std::uint32_t>(options.free.size()));
    options.thresholds = cunning_thresholds(static_cast<std::uint32_t>(options.free.size()), paper.gamma);
    options.colonies = static_cast<std::uint32_t>(p.integer("colonies"));
    options.values = context.problem.length();
    if (std::uint64_t{paper.ants} * options.colonies > 100'000'000) {
        throw Error(ErrorKind::kUsage, "cas: ants * colonies must be at most 100000000, found " +
                                           std::to_string(paper.ants) + " * " + std::to_string(options.colonies));
    }
    return options;
}

std::uint64_t resolve_round(const sdk::SolverContext& context, const CasOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t round = default_round(options, context.improver != nullptr);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

std::uint32_t processes(const sdk::Run& run) {
    return run.exchange() == nullptr ? 1 : run.exchange()->size;
}

}  // namespace

CasSolver::CasSolver(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improver_(context.improver),
      options_(read_options(context)),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      round_length_(resolve_round(context, options_)) {}

void CasSolver::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t iterations = run.begin_round(round_wanted())) {
        const bool begun = iteration_ == done_ + iterations;
        if (!begun && iteration_ != done_) go_back();  // fewer are granted than were begun
        if (begun || advance(iterations, run)) {
            colonies_->end_round(iteration_);
            const bool goes_ahead = may_go_ahead(run);
            if (goes_ahead) go_ahead(run);
            const RoundEnd end = colonies_->round_end();
            if (!goes_ahead) settle_round(iteration_);
            const Clock::time_point now = Clock::now();
            last_round_ = now - std::exchange(looked_, now);
            report(run, iterations, end.leader, end.digest, true);
        } else {
            const Champion best = colonies_->leader_of_cut_round(iteration_);
            settle_round(done_);
            go_back();
            report(run, 0, best, 0, false);
        }
    }
}

/// The state between two rounds is that after so many iterations.
void CasSolver::settle_round(std::uint64_t iterations) {
    done_ = iterations;
    evaluations_ = colonies_->evaluations() - in_vain_;
}

/// Whether the colonies begin the next round before the last one was looked at: where rounds are so short that looking
/// takes a good part of them.
bool CasSolver::may_go_ahead(const sdk::Run& run) const {
    return last_round_ < quick_round_ && colonies_->may_go_ahead() && processes(run) == 1;
}

void CasSolver::go_ahead(const sdk::Run& run) {
    settle_round(iteration_);
    if (!advance(round_wanted(), run)) go_back();
}

/// To the last round's end. What was evaluated since does not count.
void CasSolver::go_back() {
    in_vain_ = colonies_->evaluations() - evaluations_;
    colonies_->revert();
    iteration_ = done_;
}

void CasSolver::settle(const sdk::Run& run) {
    options_.seed = run.seed();
    options_.first_colony = run.exchange() == nullptr ? 0 : run.exchange()->rank * options_.colonies;
    colonies_ = run.devices().empty() ? make_cpu_colonies(host_, problem_, improver_, options_)
                                      : make_device_colonies(host_, problem_, improver_, options_, run.devices());
    if (run.resumed()) {
        sdk::MemoryReader state(std::exchange(saved_, {}));
        colonies_->load(state.reader());
    }
    colonies_->mark();
    looked_ = Clock::now();
}

bool CasSolver::advance(std::uint64_t iterations, const sdk::Run& run) {
    for (const std::uint64_t last = iteration_ + iterations; iteration_ < last;) {
        iterate(iteration_, run);
        if (run.should_stop()) return false;
        ++iteration_;
        exchange_if_due(run);
    }
    return true;
}

void CasSolver::iterate(std::uint64_t iteration, const sdk::Run& run) {
    using Phase = PhaseTimes::Phase;
    if (iteration == 0) {
        times_.measure(Phase::kConstruction,
                       [&] { colonies_->sample_randomly(run, sdk::warm_starts(run, problem_, options_.all_ants())); });
    } else {
        times_.measure(Phase::kTrail, [&] { colonies_->update_trail(); });
        times_.measure(Phase::kConstruction, [&] { colonies_->construct(iteration, run); });
    }
    times_.measure(Phase::kImprovement, [&] { colonies_->improve(iteration, run); });
    if (!run.should_stop()) colonies_->select(iteration, exchange_is_due(iteration + 1, run) && processes(run) == 1);
}

/// Rounds end at multiples of the round length, also after a resume.
std::uint64_t CasSolver::round_wanted() const {
    return round_length_ - done_ % round_length_;
}

bool CasSolver::exchange_is_due(std::uint64_t iterations, const sdk::Run& run) const {
    const bool any_partner = processes(run) > 1 || options_.colonies > 1;
    return any_partner && exchange_every_ != 0 && iterations % exchange_every_ == 0;
}

void CasSolver::exchange_if_due(const sdk::Run& run) {
    if (!exchange_is_due(iteration_, run)) return;
    if (processes(run) > 1) {
        colonies_->change([&](ColonyState& state) {
            exchange_on_ring(state, swap_with_processes(run, champion(state, options_.colonies - 1)));
        });
    } else {
        colonies_->exchange();
    }
}

/// The best of the last colony of the process before this one on the ring.
Champion CasSolver::swap_with_processes(const sdk::Run& run, const Champion& emigrant) const {
    Champion leaving = emigrant, newcomer = emigrant;
    qapfw_cost leaving_cost{.i = emigrant.cost}, newcomer_cost{};
    const qapfw_batch out{leaving.solution.data(), &leaving_cost, 1}, in{newcomer.solution.data(), &newcomer_cost, 1};
    sdk::check(run.exchange()->ring(run.exchange()->context, &out, const_cast<qapfw_batch*>(&in)), "exchange: ring");
    newcomer.cost = newcomer_cost.i;
    newcomer.found = iteration_;
    return newcomer;
}

void CasSolver::report(sdk::Run& run, std::uint64_t iterations, const Champion& best, std::uint64_t digest,
                       bool complete) {
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            iterations,
                            evaluations_ - std::exchange(reported_, evaluations_),
                            digest,
                            best.solution.data(),
                            {.i = best.cost},
                            best.found,
                            best.ant};
    if (run.devices().empty()) times_.report(run);  // on a GPU the phases only wait in a queue here
    run.end_round(round);
}

void CasSolver::save(sdk::Writer& writer) const {
    writer.value(done_);
    colonies_->save(writer);
}

void CasSolver::load(sdk::Reader& reader) {
    iteration_ = done_ = reader.value<std::uint64_t>();
    saved_ = reader.rest();
}

}  // namespace qapfw::cas
