// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/imga_solver.hpp"

#include <algorithm>
#include <utility>

#include "plugins/imga/tournament_waste.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::imga {
namespace {

/// Some 50 ms on one core.
std::uint64_t resolve_round(const sdk::SolverContext& context, const ImgaOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t work = std::uint64_t{options.individuals()} * (options.rules.n + 20) * (options.rules.n + 20);
    const std::uint64_t round = context.improver != nullptr ? 1 : std::clamp<std::uint64_t>(400'000'000 / work, 1, 500);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

/// The root of the number of departments, rounded up.
void resolve_bays(const sdk::SolverContext& context) {
    if (!context.parameters.is_auto("bays")) return;
    std::int64_t bays = 1;
    while (bays * bays < context.problem.length()) ++bays;
    context.host.resolve("bays", bays);
}

/// Counting takes memory for every comparison.
constexpr std::uint64_t kMostComparisonsCounted = 1'000'000;

void tell_waste(sdk::Run& run, const kernels::TournamentRules& rules) {
    if (std::uint64_t{rules.size} * rules.rounds * (rules.rounds - 1) / 2 > kMostComparisonsCounted) return;
    const TournamentWaste waste = count_tournament_waste(rules, 1, 0);
    run.statistic("tournament_draws", static_cast<double>(waste.draws));
    run.statistic("tournament_repeated_draws", static_cast<double>(waste.repeated_draws));
    run.statistic("tournament_comparisons", static_cast<double>(waste.comparisons));
    run.statistic("tournament_repeated_comparisons", static_cast<double>(waste.repeated_comparisons));
}

}  // namespace

ImgaSolver::ImgaSolver(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improver_(context.improver),
      options_(read_options(context.parameters, problem_)),
      round_length_(resolve_round(context, options_)) {
    resolve_bays(context);
}

void ImgaSolver::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t generations = run.begin_round(round_length_ - islands_->generation() % round_length_)) {
        islands_->mark();
        const bool complete = advance(generations, run);
        report(run, generations, complete);
    }
}

bool ImgaSolver::advance(std::uint64_t generations, const sdk::Run& run) {
    const std::uint64_t last = islands_->generation() + generations;
    if (!islands_->populated() && !islands_->populate(sdk::warm_starts(run, problem_, options_.individuals()), run))
        return false;
    while (islands_->generation() < last) {
        if (!islands_->evolve(next_meeting(last), run)) return false;
        if (migration_due()) islands_->migrate(run);
        if (restart_due() && !islands_->restart(run)) return false;
    }
    return true;
}

bool ImgaSolver::migration_due() const {
    return options_.migrate_every > 0 && islands_->generation() % options_.migrate_every == 0;
}

/// Looked at where islands meet: at migrations.
bool ImgaSolver::restart_due() const {
    if (options_.restart_after == 0 || islands_->generation() < options_.restart_after) return false;
    if (options_.migrate_every > 0 && !migration_due()) return false;
    return islands_->idle_since(islands_->generation() - options_.restart_after);
}

/// The generation after which islands look at each other again, at most `last`.
std::uint64_t ImgaSolver::next_meeting(std::uint64_t last) const {
    const std::uint64_t generation = islands_->generation(), every = options_.migrate_every;
    if (every > 0) return std::min(last, generation + every - generation % every);
    return options_.restart_after > 0 ? generation + 1 : last;
}

void ImgaSolver::settle(sdk::Run& run) {
    const std::uint32_t rank = run.exchange() == nullptr ? 0 : run.exchange()->rank;
    options_.rules.tournament.seed = run.seed();
    options_.first_island = rank * options_.islands;
    tell_waste(run, options_.rules.tournament);
    IslandState state = saved_.populated ? std::exchange(saved_, {}) : empty_state();
    islands_ = run.devices().empty()
                   ? make_cpu_islands(host_, problem_, improver_, options_, std::move(state))
                   : make_device_islands(host_, problem_, improver_, options_, std::move(state), run.devices());
}

/// A round cut short tells the best that it found, but leaves no trace in the state.
void ImgaSolver::report(sdk::Run& run, std::uint64_t generations, bool complete) {
    const IslandsReport now = islands_->report(complete);
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            complete ? generations : 0,
                            now.evaluations - std::exchange(reported_, now.evaluations),
                            now.digest,
                            now.best.data(),
                            now.cost,
                            now.found,
                            now.island};
    run.statistic("restarts", static_cast<double>(islands_->restarts()));
    if (!complete) islands_->revert();
    run.end_round(round);
}

IslandState ImgaSolver::empty_state() const {
    IslandState state;
    state.resize(options_.islands, options_.size(), problem_.solution_bytes());
    return state;
}

void ImgaSolver::save(sdk::Writer& writer) const {
    islands_ ? islands_->save(writer) : saved_.save(writer);
}

void ImgaSolver::load(sdk::Reader& reader) {
    saved_ = empty_state();
    saved_.load(reader);
}

}  // namespace qapfw::imga
