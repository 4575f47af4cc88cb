// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/imga_solver.hpp"

#include <algorithm>
#include <utility>

#include "plugins/imga/tournament_waste.hpp"

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
    : problem_(context.problem),
      islands_(context.host, context.problem, context.improver, read_options(context.parameters, problem_)),
      round_length_(resolve_round(context, islands_.options())) {
    resolve_bays(context);
}

void ImgaSolver::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t generations =
               run.begin_round(round_length_ - islands_.state().generation % round_length_)) {
        islands_.mark();
        const bool complete = advance(generations, run);
        report(run, generations, complete);
    }
}

bool ImgaSolver::advance(std::uint64_t generations, const sdk::Run& run) {
    const std::uint64_t last = islands_.state().generation + generations;
    if (!islands_.state().populated && !islands_.populate(run)) return false;
    while (islands_.state().generation < last) {
        if (!islands_.evolve(next_meeting(last), run)) return false;
        if (migration_due()) islands_.migrate(run);
        if (islands_.restart_due() && !islands_.restart(run)) return false;
    }
    return true;
}

bool ImgaSolver::migration_due() const {
    const std::uint64_t every = islands_.options().migrate_every;
    return every > 0 && islands_.state().generation % every == 0;
}

/// The generation after which islands look at each other again, at most `last`.
std::uint64_t ImgaSolver::next_meeting(std::uint64_t last) const {
    const std::uint64_t generation = islands_.state().generation, every = islands_.options().migrate_every;
    if (every > 0) return std::min(last, generation + every - generation % every);
    return islands_.options().restart_after > 0 ? generation + 1 : last;
}

void ImgaSolver::settle(sdk::Run& run) {
    const std::uint32_t rank = run.exchange() == nullptr ? 0 : run.exchange()->rank;
    islands_.set_run(run.seed(), rank * islands_.options().islands, run.devices());
    tell_waste(run, islands_.options().rules.tournament);
}

/// A round cut short tells the best that it found, but leaves no trace in the state.
void ImgaSolver::report(sdk::Run& run, std::uint64_t generations, bool complete) {
    const std::uint32_t best = islands_.leader();
    const auto* bytes = static_cast<const unsigned char*>(islands_.best_solution(best));
    const std::vector<unsigned char> solution(bytes, bytes + problem_.solution_bytes());
    const std::uint64_t evaluations = islands_.evaluations();
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            complete ? generations : 0,
                            evaluations - std::exchange(reported_, evaluations),
                            complete ? islands_.digest() : 0,
                            solution.data(),
                            islands_.state().best_costs[best],
                            islands_.state().best_found[best],
                            best};
    run.statistic("restarts", static_cast<double>(islands_.state().restarts));
    if (!complete) islands_.revert();
    run.end_round(round);
}

void ImgaSolver::save(sdk::Writer& writer) const {
    islands_.state().save(writer);
}

void ImgaSolver::load(sdk::Reader& reader) {
    islands_.state().load(reader);
}

}  // namespace qapfw::imga
