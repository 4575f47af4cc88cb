// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/imga.hpp"

#include "plugins/imga/tournament_waste.hpp"
#include "qapfw/sdk/round_length.hpp"

namespace qapfw::imga {
namespace {

/// Returns the number of generations of a round: the parameter `round`. If `round` is auto, a round takes about 50 ms
/// on one core, but has at most 500 generations, and 1 with an improver.
std::uint64_t resolve_round(const sdk::SolverContext& context, const ImgaOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t n = options.rules.n, work = std::uint64_t{options.shape.individuals()} * (n + 20) * (n + 20);
    const std::uint64_t round = context.improver != nullptr
                                    ? 1
                                    : sdk::bounded_round(context.problem, options.shape.individuals(),
                                                         std::clamp<std::uint64_t>(400'000'000 / work, 1, 500));
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

/// Reports the value of `bays` if it is auto: the square root of the number of departments, rounded up.
void resolve_bays(const sdk::SolverContext& context) {
    if (!context.parameters.is_auto("bays")) return;
    std::int64_t bays = 1;
    while (bays * bays < context.problem.length()) ++bays;
    context.host.resolve("bays", bays);
}

std::vector<std::uint16_t> fixed_positions(const sdk::ProblemRef& problem) {
    const std::vector<std::uint16_t> order = sdk::kernel_order(problem);
    return {order.begin() + static_cast<std::ptrdiff_t>(sdk::free_positions(problem).size()), order.end()};
}

}  // namespace

Imga::Imga(const sdk::SolverContext& context)
    : context_(context),
      options_(read_options(context.parameters, context.problem)),
      segments_(context.problem, options_.rules.crossover, kernels::kAnyOrderMutation),
      round_(resolve_round(context, options_)) {
    resolve_bays(context);
}

void Imga::declare(sdk::Fields<View>& fields, sdk::Run& run) {
    declare_individuals(fields);
    declare_islands(fields);
    declare_chosen(fields);
    const std::vector<std::uint16_t> fixed = fixed_positions(context_.problem);
    declare_constants(fields, fixed);
    options_.rules.fixed_count = static_cast<std::uint32_t>(fixed.size());
    options_.rules.tournament.seed = run.seed();
    tell_tournament_waste(run, options_.rules.tournament);
}

/// Declares parents, children, and what kernels store about them.
void Imga::declare_individuals(sdk::Fields<View>& fields) {
    const std::uint64_t bytes = context_.problem.solution_bytes();
    parents_ = fields.add<&View::parents>({.count = bytes, .is_state = true, .is_apart = true, .is_solution = true});
    costs_ = fields.add<&View::costs>({.is_state = true, .is_apart = true});
    children_ = fields.add<&View::children>({.count = bytes});
    child_costs_ = fields.add<&View::child_costs>({});
    fields.add<&View::changed>({});
    fields.add<&View::mirrors>({.count = bytes, .is_for_device = true});
    fields.add<&View::positions>({.count = options_.rules.n, .is_for_device = true});
    fields.add<&View::sorted>({.count = 2});
    fields.add<&View::lives>({.count = 2});
}

/// Declares the fields for each island's best solution and restarts, and those for the emigrants of all islands.
void Imga::declare_islands(sdk::Fields<View>& fields) {
    using enum sdk::FieldOf;
    const std::uint64_t bytes = context_.problem.solution_bytes(), emigrants = options_.migration.emigrants;
    fields.add<&View::best_solutions>({.of = kGroup, .count = bytes, .is_state = true, .is_solution = true});
    fields.add<&View::best_costs>({.of = kGroup, .is_state = true});
    fields.add<&View::best_found>({.of = kGroup, .is_state = true});
    fields.add<&View::present_best>({.of = kGroup, .is_state = true});
    fields.add<&View::improved>({.of = kGroup, .is_state = true});
    fields.add<&View::restarts>({.of = kGroup, .is_state = true});
    emigrants_ =
        fields.add<&View::emigrants, &Emigrants<qapfw_cost>::solutions>({.of = kRun, .count = emigrants * bytes});
    emigrant_costs_ = fields.add<&View::emigrants, &Emigrants<qapfw_cost>::costs>({.of = kRun, .count = emigrants});
}

/// Declares the fields with the children that an improver on a GPU gets.
void Imga::declare_chosen(sdk::Fields<View>& fields) {
    const std::uint64_t bytes = context_.problem.solution_bytes(), chosen = context_.improver != nullptr ? 1 : 0;
    fields.add<&View::chosen, &Chosen<qapfw_cost>::solutions>({.count = chosen * bytes, .is_for_device = true});
    fields.add<&View::chosen, &Chosen<qapfw_cost>::costs>({.count = chosen, .is_for_device = true});
    fields.add<&View::chosen, &Chosen<qapfw_cost>::numbers>({.count = chosen, .is_for_device = true});
    count_of_chosen_ =
        fields.add<&View::chosen, &Chosen<qapfw_cost>::count>({.of = sdk::FieldOf::kPlace, .is_for_device = true});
}

void Imga::declare_constants(sdk::Fields<View>& fields, const std::vector<std::uint16_t>& fixed) {
    std::vector<std::uint16_t> base(context_.problem.solution_bytes() / sizeof(std::uint16_t));
    sdk::base_solution(context_.problem, base.data());
    fields.constant<&View::rules, &kernels::IslandRules::fixed_positions>(fixed);
    fields.constant<&View::rules, &kernels::IslandRules::fixed_solution>(base);
    segments_.declare<&View::segments>(fields);
    fields.constant<&View::order>(sdk::kernel_order(context_.problem));
}

void Imga::set_values(View& all, const sdk::Shard& shard) const {
    const auto* const positions = all.rules.fixed_positions;
    const auto* const solution = all.rules.fixed_solution;
    all.rules = options_.rules;
    all.rules.fixed_positions = positions;
    all.rules.fixed_solution = solution;
    segments_.set(all.segments);
    all.migration = options_.migration;
    all.bytes = context_.problem.solution_bytes();
    all.bits_offset = options_.bits_offset;
    all.islands = shard.groups;
    all.first_island = shard.first_group;
    all.elites = options_.elites;
    all.distinct = options_.distinct ? 1 : 0;
    all.improve = options_.improve;
}

std::uint64_t Imga::next_meeting(std::uint64_t t, std::uint64_t last) const {
    const std::uint64_t every = options_.migration.every;
    if (every > 0) return std::min(last, t + every - t % every);
    return options_.restart_after > 0 ? t + 1 : last;
}

sdk::Leader Imga::leader(Host& steps) const {
    const View& all = steps.view();
    return steps.leader(all.best_solutions, all.best_costs, all.best_found, all.islands, all.first_island);
}

std::uint64_t Imga::digest(Host& steps, std::uint64_t t) const {
    const View& all = steps.view();
    return steps.digest(all.parents, all.costs, t, [&](std::uint32_t k) { return all.best_costs[k / all.size()]; });
}

}  // namespace qapfw::imga
