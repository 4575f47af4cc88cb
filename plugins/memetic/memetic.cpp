// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/memetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "plugins/memetic/first_arms.hpp"
#include "plugins/memetic/sizes.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::memetic {
namespace {

/// Number of generations that a restarted population can have during the next two eras. These eras take three times as
/// long as the run so far. The number of the population's elites follows from this.
constexpr double kGenerations = 16;

/// Least number of elites drawn for an island, if `size` allows it. The island starts with the best of them.
constexpr std::uint32_t kElitesDrawn = 16;

/// For a run with a limit on evaluations: least number of evaluations for each island, and least number of rounds.
constexpr std::uint64_t kBudgetOfIsland = 500, kRoundsOfBudget = 8;

/// A descent takes about n / kScansOfDescent scans of all pairs, for n positions.
constexpr std::uint64_t kScansOfDescent = 2;

std::uint32_t offset_of_bits(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    const bool has_bays = encoding.segment_count == 2 && encoding.segments[1].kind == QAPFW_SEGMENT_BAYS;
    return has_bays ? encoding.segments[1].offset : 0;
}

/// Sizes common to all arms: see the parameters of these names.
struct Sizes {
    std::uint32_t brood, first_size, size;
    bool has_neighbourhood;
};

/// Number of elites to which an island of the arm grows. The many children of a large brood would replace a small
/// population in one step, and the population would soon converge. So with large broods, arms with a crossover grow to
/// `size`. Arms without a crossover gain nothing from more elites.
std::uint32_t most_elites(const Arm& arm, const Sizes& sizes) {
    if (arm.elites == 0) return sizes.size;
    if (sizes.brood == 1 || !sizes.has_neighbourhood) return std::min(sizes.size, arm.elites);
    return arm.crossover ? sizes.size : std::min(sizes.size, std::max(arm.elites, arm.children(sizes.brood)));
}

ArmRules rules_of(const Arm& arm, const Sizes& sizes, const RunPlan& plan) {
    const std::uint32_t brood = arm.children(sizes.brood), times = brood / sizes.brood;
    const std::uint32_t elites = most_elites(arm, sizes);
    return {arm.crossover ? kernels::probability_threshold(arm.crossover_rate) : 0u,
            static_cast<std::uint32_t>(arm.crossover.value_or(kernels::Crossover::kUniform)),
            arm.align ? 1u : 0u,
            kernels::probability_threshold(arm.mutation),
            arm.least_moves,
            arm.most_moves,
            arm.replacement,
            brood,
            std::min(elites, sizes.first_size * times),
            elites,
            arm.improver_number,
            arm.ref == nullptr ? 0 : plan.child_work,
            arm.ref == nullptr ? 0 : plan.leader_child_work,
            arm.crossover ? plan.restart_after : plan.chain_restart_after};
}

/// Least budget of evaluations for an island with this arm.
std::uint64_t budget_of_island(const Arm& arm, std::uint64_t positions) {
    if (arm.is_long) return arm.search;
    const std::uint64_t scans = arm.search == 0 ? positions / kScansOfDescent : kRoundsOfBudget;
    return std::max<std::uint64_t>(1, scans) * arm.looks;
}

}  // namespace

Memetic::Memetic(const sdk::SolverContext& context)
    : context_(context),
      arms_(read_arms(context)),
      segments_(context.problem, 0, kernels::kAnyOrderMutation),
      bits_offset_(offset_of_bits(context.problem)),
      plan_(make_plan(context, arms_, [this] { announce_kernels(0); })) {
    for (const Arm& arm : arms_) {
        if (context.host.get()->device_count > 0) break;  // on GPUs, each place makes its own improvers
        improvers_.push_back(std::make_unique<sdk::ImproverPool>(context.host, context.problem, arm.ref));
    }
    told_.resize(arms_.size());
    const std::uint64_t gpus = plan_.gpus;
    // Announced kernels are compiled while the rest of the run is prepared.
    if (gpus > 0) announce_kernels(static_cast<std::uint32_t>((plan_.shape.groups + gpus - 1) / gpus));
}

/// Adapts the run to a small budget of evaluations: few islands, short rounds and short searches. So the budget is
/// enough for several rounds. The length of a descent is unknown, so a descent may take half of an island's budget. The
/// search of an arm with is_long takes the island's whole budget.
void Memetic::keep_to(std::uint64_t budget) {
    std::uint64_t island = kBudgetOfIsland;
    for (const Arm& arm : arms_) {
        if (arm.ref != nullptr) island = std::max(island, budget_of_island(arm, context_.problem.length()));
    }
    plan_.shape.groups = sdk::groups_of_budget(budget, island, plan_.shape.groups);
    const std::uint64_t own = (budget + plan_.shape.groups - 1) / plan_.shape.groups;
    const std::uint64_t share = std::max<std::uint64_t>(1, own / kRoundsOfBudget);
    plan_.first_islands = std::min(plan_.first_islands, plan_.shape.groups);
    plan_.round = std::min(plan_.round, share);
    for (Arm& arm : arms_) {
        // A long search takes the island's whole budget. If it were a little shorter, a second search would begin for
        // the remaining evaluations.
        const std::uint64_t most = arm.is_long ? own + arm.looks - 1 : arm.search == 0 ? own / 2 : share;
        if (arm.search == 0 || arm.search > most) arm.iterations = std::max<std::uint64_t>(1, most / arm.looks);
    }
}

void Memetic::declare(sdk::Fields<View>& fields, sdk::Run& run) {
    using enum sdk::FieldOf;
    const std::uint64_t bytes = context_.problem.solution_bytes();
    fields.add<&View::solutions>({.count = bytes, .is_state = true, .is_solution = true});
    fields.add<&View::costs>({.is_state = true});
    fields.add<&View::fresh>({.is_state = true});
    declare_islands(fields);
    declare_scratch(fields);
    emigrants_ = fields.add<&View::emigrants>({.of = kRun, .count = bytes});
    emigrant_costs_ = fields.add<&View::emigrant_costs>({.of = kRun});
    results_ = fields.add<&View::results>({.of = kRun});
    births_ = fields.add<&View::births>({.of = kRun});
    declare_constants(fields);
    drawing_ = drawing_rules(run.seed());
}

void Memetic::declare_islands(sdk::Fields<View>& fields) {
    using enum sdk::FieldOf;
    const sdk::FieldOptions one{.of = kGroup, .is_state = true};
    const sdk::FieldOptions by_arm{.of = kGroup, .count = arms_.size(), .is_state = true};
    fields.add<&View::best_solutions>(
        {.of = kGroup, .count = context_.problem.solution_bytes(), .is_state = true, .is_solution = true});
    fields.add<&View::best_costs>(one);
    fields.add<&View::best_found>(one);
    arms_of_islands_ = fields.add<&View::arms>(one);
    fields.add<&View::members>(one);
    fields.add<&View::child_work>(one);
    paces_ = fields.add<&View::pace>(one);
    fields.add<&View::work>(one);
    fields.add<&View::children>(one);
    fields.add<&View::idle>(one);
    fields.add<&View::strength>(one);
    fields.add<&View::immigration>(one);
    restarts_ = fields.add<&View::restarts>(one);
    fields.add<&View::born>(one);
    fields.add<&View::era_begin>(one);
    fields.add<&View::era>(one);
    spent_ = fields.add<&View::spent>(by_arm);
    won_ = fields.add<&View::won>(by_arm);
}

void Memetic::declare_scratch(sdk::Fields<View>& fields) {
    using enum sdk::FieldOf;
    const std::uint64_t bytes = context_.problem.solution_bytes(), arms = arms_.size(), seats = arms * plan_.seats_each;
    fields.add<&View::positions>({.count = context_.problem.length()});
    fields.add<&View::order>({});
    fields.add<&View::seats>({.of = kGroup, .count = plan_.seats_each});
    fields.add<&View::parents>({.of = kGroup, .count = plan_.seats_each});
    fields.add<&View::from_fresh>({.of = kGroup, .count = plan_.seats_each});
    fields.add<&View::mirrors>({.of = kGroup, .count = plan_.seats_each * bytes});
    fields.add<&View::child_positions>({.of = kGroup, .count = plan_.seats_each * context_.problem.length()});
    fields.add<&View::seated, &Seats<qapfw_cost>::solutions>({.of = kGroup, .count = seats * bytes});
    fields.add<&View::seated, &Seats<qapfw_cost>::costs>({.of = kGroup, .count = seats});
    fields.add<&View::seated, &Seats<qapfw_cost>::evaluations>({.of = kGroup, .count = seats});
    fields.add<&View::seated, &Seats<qapfw_cost>::numbers>({.of = kGroup, .count = seats});
    seats_taken_ = fields.add<&View::seated, &Seats<qapfw_cost>::taken>(
        {.of = kPlace, .count = arms * kMostParts, .is_for_device = true});
    next_arms_ = fields.add<&View::next_arms>({.of = kGroup, .is_for_device = true});
}

void Memetic::declare_constants(sdk::Fields<View>& fields) {
    const std::vector<std::uint16_t> order = sdk::kernel_order(context_.problem);
    const auto free = static_cast<std::ptrdiff_t>(sdk::free_positions(context_.problem).size());
    const std::vector<std::uint16_t> fixed(order.begin() + free, order.end());
    std::vector<std::uint16_t> base(context_.problem.solution_bytes() / sizeof(std::uint16_t));
    sdk::base_solution(context_.problem, base.data());
    fields.constant<&View::rules, &kernels::IslandRules::fixed_positions>(fixed);
    fields.constant<&View::rules, &kernels::IslandRules::fixed_solution>(base);
    segments_.declare<&View::segments>(fields);
    std::vector<ArmRules> rules;
    const Sizes sizes{plan_.brood, plan_.first_size, plan_.shape.size, has_neighbourhood(context_.problem)};
    for (const Arm& arm : arms_) rules.push_back(rules_of(arm, sizes, plan_));
    fields.constant<&View::arm_rules>(rules);
    fields.constant<&View::dealt>(dealt_arms(arms_));
}

/// The rules by which elites are drawn and mutated. Mutations of a layout move departments and bays. Mutations of a
/// permutation swap elements. If the problem has no swap neighbourhood, they also insert elements and reverse segments.
kernels::IslandRules Memetic::drawing_rules(std::uint64_t seed) const {
    kernels::IslandRules rules{};
    rules.tournament.seed = seed;
    rules.tournament.size = plan_.shape.size;
    rules.n = context_.problem.length();
    rules.bits = kernels::kFbsBitsByPosition;
    rules.weights = {};
    rules.fixed_count = rules.n - static_cast<std::uint32_t>(sdk::free_positions(context_.problem).size());
    if (bits_offset_ != 0) return rules;
    kernels::FbsMutationWeights& weights = rules.weights;
    weights.flip_bit = weights.shift_border = weights.swap_bays = weights.reverse_bay = 0;
    if (has_neighbourhood(context_.problem)) weights.insert = weights.reverse_segment = 0;
    return rules;
}

void Memetic::set_values(View& all, const sdk::Shard& shard) const {
    const auto* const positions = all.rules.fixed_positions;
    const auto* const solution = all.rules.fixed_solution;
    all.rules = drawing_;
    all.rules.fixed_positions = positions;
    all.rules.fixed_solution = solution;
    segments_.set(all.segments);
    all.bytes = context_.problem.solution_bytes();
    all.migrate_every = static_cast<std::uint64_t>(context_.parameters.integer("migrate_every"));
    all.first_rung = plan_.rung;
    all.first_round = work_by(1);
    all.round = plan_.round;
    all.arm_count = static_cast<std::uint32_t>(arms_.size());
    all.dealt_count = static_cast<std::uint32_t>(dealt_arms(arms_).size());
    all.size = plan_.shape.size;
    all.drawn = std::min(plan_.shape.size, std::max(plan_.first_size * (plan_.seats_each / plan_.brood), kElitesDrawn));
    all.seats_each = plan_.seats_each;
    all.islands = plan_.shape.groups;
    all.first_islands = plan_.first_islands;
    all.islands_here = shard.groups;
    all.first_island = shard.first_group;
    all.bits_offset = bits_offset_;
    all.distance = static_cast<std::uint32_t>(context_.parameters.integer("distance"));
    all.cross_arms = kernels::probability_threshold(context_.parameters.real("cross_arms"));
    all.migrants = plan_.migrants;
}

std::uint64_t Memetic::work_by(std::uint64_t t) const {
    return memetic::work_by(t, std::max<std::uint64_t>(1, plan_.round / plan_.brood), plan_.round);
}

sdk::Leader Memetic::leader(Host& steps) const {
    const View& all = steps.view();
    return steps.leader(all.best_solutions, all.best_costs, all.best_found, steps.shard().groups, all.first_island);
}

std::uint64_t Memetic::digest(Host& steps, std::uint64_t t) const {
    const View& all = steps.view();
    return steps.digest(all.solutions, all.costs, t, [&](std::uint32_t k) { return all.best_costs[k / all.size]; });
}

/// Returns the arm that the race gives to each island at the end of a rung.
std::vector<NextArm> Memetic::race(const std::vector<EraResult>& results, std::uint64_t t) const {
    const sdk::CostLess less = context_.problem.less();
    const auto arms = static_cast<std::uint32_t>(arms_.size());
    const std::vector<std::uint32_t> ranked = ranked_arms(results, arms, less, plan_.explore_rungs != 0);
    const std::uint64_t rung = rung_at(t, plan_.rung);
    const std::uint32_t leaders = arms_after(rung, arms);
    const std::uint64_t search = arms_[ranked.front()].search;
    const std::uint64_t lead_from = lead_start(plan_.lead_from, search, plan_.child_work);
    const std::uint32_t lead = plan_.explore_rungs == 0 ? lead_after(rung, plan_.lead, lead_from) : 1;
    const Rung ended{rung, leaders, plan_.explore_one_in, plan_.explore_rungs, lead};
    std::vector<NextArm> next = next_arms(results, ranked, ended, less);
    const auto first_out = ranked.begin() + leaders;
    const std::uint32_t pace = pace_of(lead, search, plan_.child_work);
    for (NextArm& island : next) island.pace = std::find(ranked.begin(), first_out, island.arm) != first_out ? pace : 0;
    if (!is_era_end(rung)) return next;
    std::vector<std::uint32_t> wanted = elites_wanted(t);
    for (std::size_t place = leaders; place < ranked.size(); ++place) wanted[ranked[place]] = 0;
    end_era(next, results, wanted, work_by(t), less);
    for (std::uint32_t arm = 0; arm < arms; ++arm) {
        const bool grows = std::any_of(next.begin(), next.end(),
                                       [&](const NextArm& island) { return island.arm == arm && island.elites != 0; });
        if (!grows) continue;
        context_.host.info(
            fmt::format("round {}: arm {} has gained little since round {}; its islands restart with "
                        "{} elites each",
                        t, arms_[arm].name, (t - plan_.rung) / 2, wanted[arm]));
    }
    return next;
}

/// Called at the end of an era, after round t. Returns a number of elites for each arm. If the arm has gained little,
/// its islands restart with this number of elites; 0: its islands do not restart. The number is 0 if the arm has no
/// crossover, if the length of its searches is unknown, or if twice the elites of the start take too long or exceed
/// `size`.
std::vector<std::uint32_t> Memetic::elites_wanted(std::uint64_t t) const {
    std::vector<std::uint32_t> wanted;
    const double to_come = 3 * double(work_by(t));
    for (const Arm& arm : arms_) {
        const double least = 2.0 * plan_.first_size * (arm.children(plan_.brood) / plan_.brood);
        const double child = double(arm.search) + double(plan_.leader_child_work);
        const double elites = to_come / (kGenerations * std::max(1.0, child));
        const bool grows = arm.crossover && arm.search > 0 && elites >= least && plan_.shape.size >= least;
        wanted.push_back(grows ? static_cast<std::uint32_t>(std::min(elites, double(plan_.shape.size))) : 0);
    }
    return wanted;
}

void Memetic::tell_arms(sdk::Run& run, const std::vector<Shares>& shares) {
    std::uint64_t restarts = 0;
    std::fill(told_.begin(), told_.end(), Told{});
    for (const Shares& own : shares) {
        for (std::size_t island = 0; island < own.arms.size(); ++island) {
            ++told_[own.arms[island]].islands;
            restarts += own.restarts[island];
        }
        for (std::size_t k = 0; k < own.spent.size(); ++k) {
            told_[k % arms_.size()].spent += own.spent[k];
            told_[k % arms_.size()].won += own.won[k];
        }
    }
    run.statistic("restarts", static_cast<double>(restarts));
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        const auto tell = [&](const char* what, double value) {
            run.statistic(fmt::format("arm {} {}", arms_[arm].name, what).c_str(), value);
        };
        tell("islands", told_[arm].islands);
        tell("evaluations", static_cast<double>(told_[arm].spent));
        tell("improvements", static_cast<double>(told_[arm].won));
    }
    say_leader();
}

/// Shows on the progress line the arm that has most islands, or "none ahead" if another arm has as many. Shows nothing
/// in a run with one arm.
void Memetic::say_leader() const {
    if (arms_.size() < 2) return;
    const auto more = [](const Told& a, const Told& b) { return a.islands < b.islands; };
    const auto most = static_cast<std::size_t>(std::max_element(told_.begin(), told_.end(), more) - told_.begin());
    const bool ahead = std::count_if(told_.begin(), told_.end(),
                                     [&](const Told& arm) { return arm.islands == told_[most].islands; }) == 1;
    sdk::say_progress(context_.host,
                      ahead ? fmt::format("arms: {} {}/{}", arms_[most].name, told_[most].islands, plan_.shape.groups)
                            : fmt::format("arms: {}, none ahead", arms_.size()));
}

void Memetic::tell_end() const {
    std::vector<std::string> words;
    const double all = std::accumulate(told_.begin(), told_.end(), 1e-300,
                                       [](double sum, const Told& arm) { return sum + double(arm.spent); });
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        words.push_back(fmt::format("{} {} of {} islands, {:.0f} % of the work, {} improvements", arms_[arm].name,
                                    told_[arm].islands, plan_.shape.groups, 100 * double(told_[arm].spent) / all,
                                    told_[arm].won));
    }
    context_.host.info(fmt::format("arms: {}", fmt::join(words, "; ")));
}

}  // namespace qapfw::memetic
