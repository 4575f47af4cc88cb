// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_distributed/ga_distributed_solver.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::ga_distributed {
namespace {

constexpr std::uint64_t kMostIndividuals = 100'000'000;

IslandOptions read_options(const sdk::SolverContext& context) {
    const sdk::Parameters& p = context.parameters;
    IslandOptions options;
    options.free = sdk::free_positions(context.problem);
    options.islands = static_cast<std::uint32_t>(p.integer("subpopulations"));
    options.rules.size = static_cast<std::uint32_t>(p.integer("size"));
    options.rules.n = static_cast<std::uint32_t>(options.free.size());
    options.rules.values = context.problem.length();
    options.rules.crossover = p.choice("crossover") == 0 ? kernels::kGaPmx : kernels::kGaOx;
    options.rules.mutation = kernels::probability_threshold(p.real("mutation_rate"));
    options.rules.mutates = p.choice("mutation_per") == 0 ? kernels::kGaByString : kernels::kGaByPosition;
    if (std::uint64_t{options.islands} * options.rules.size > kMostIndividuals) {
        throw Error(ErrorKind::kUsage,
                    "ga_distributed: subpopulations * size must be at most " + std::to_string(kMostIndividuals) +
                        ", found " + std::to_string(options.islands) + " * " + std::to_string(options.rules.size));
    }
    return options;
}

/// The stated share of the individuals, rounded; a share above 0 moves at least two.
std::uint32_t individuals_moved(double share, std::uint32_t individuals) {
    if (share <= 0 || individuals < 2) return 0;
    return std::clamp(static_cast<std::uint32_t>(share * individuals + 0.5), 2u, individuals);
}

/// About 20 ms on one core, but enough generations for a GPU to have something to do where that takes a core no more
/// than 2 s.
std::uint64_t default_round(std::uint64_t work) {
    return std::clamp<std::uint64_t>(20'000'000 / work, std::clamp<std::uint64_t>(2'000'000'000 / work, 1, 100), 500);
}

std::uint64_t resolve_round(const sdk::SolverContext& context, const IslandOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t work = std::uint64_t{options.individuals()} * options.rules.values * options.rules.values;
    const std::uint64_t round = context.improver != nullptr ? 1 : default_round(work);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

}  // namespace

GaDistributed::GaDistributed(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improver_(context.improver),
      options_(read_options(context)),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      moved_(individuals_moved(context.parameters.real("exchange_share"), options_.individuals())),
      round_length_(resolve_round(context, options_)) {}

void GaDistributed::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t generations = run.begin_round(round_wanted())) {
        islands_->mark();
        const bool complete = advance(generations, run);
        if (complete) exchange_if_due();
        report(run, complete ? generations : 0, complete);
    }
}

void GaDistributed::settle(const sdk::Run& run) {
    options_.rules.seed = run.seed();
    options_.rules.first = run.exchange() == nullptr ? 0 : run.exchange()->rank * options_.individuals();
    islands_ = run.devices().empty() ? make_cpu_islands(host_, problem_, improver_, options_)
                                     : make_device_islands(host_, problem_, improver_, options_, run.devices());
    if (!started_) return;
    sdk::MemoryReader state(std::exchange(saved_, {}));
    islands_->load(state.reader());
}

/// The first round begins with the first individuals, generation 0.
bool GaDistributed::advance(std::uint64_t generations, const sdk::Run& run) {
    if (!started_ && !islands_->start(run)) return false;
    if (!islands_->evolve(generation_, generation_ + generations, run)) return false;
    started_ = true;
    generation_ += generations;
    return true;
}

/// Rounds end at multiples of the round length and of the exchange period, also after a resume.
std::uint64_t GaDistributed::round_wanted() const {
    const std::uint64_t to_round = round_length_ - generation_ % round_length_;
    return exchange_every_ == 0 ? to_round : std::min(to_round, exchange_every_ - generation_ % exchange_every_);
}

void GaDistributed::exchange_if_due() {
    if (exchange_every_ > 0 && generation_ % exchange_every_ == 0) islands_->exchange(generation_, moved_);
}

void GaDistributed::report(sdk::Run& run, std::uint64_t generations, bool complete) {
    const auto& [best, digest] = islands_->report(generation_, complete);
    if (!complete) islands_->revert();  // a round cut short is reported, but leaves no trace in the saved state
    const std::uint64_t evaluations = islands_->evaluations();
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            generations,
                            evaluations - std::exchange(reported_, evaluations),
                            digest,
                            best.solution.data(),
                            best.cost,
                            best.found,
                            best.individual};
    run.end_round(round);
}

void GaDistributed::save(sdk::Writer& writer) const {
    writer.value(generation_);
    writer.value(started_);
    if (started_) islands_->save(writer);
}

void GaDistributed::load(sdk::Reader& reader) {
    generation_ = reader.value<std::uint64_t>();
    started_ = reader.value<bool>();
    saved_ = reader.rest();
}

}  // namespace qapfw::ga_distributed
