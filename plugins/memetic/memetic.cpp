// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/memetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "qapfw/sdk/host_progress.hpp"

namespace qapfw::memetic {
namespace {

/// Of an island in a round, where no arm's search is longer: scans of all pairs, some milliseconds of a core;
/// candidates where the problem has no neighbourhood of swaps.
constexpr std::uint64_t kLeastScans = 3'000, kLeastSlowRound = 2'000;

std::uint64_t resolve_round(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    std::uint64_t round =
        has_neighbourhood(context.problem) ? kLeastScans * pairs_of(context.problem) : kLeastSlowRound;
    for (const Arm& arm : arms) round = std::max(round, arm.search);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

std::uint64_t resolve_rung(const sdk::SolverContext& context, std::uint64_t round) {
    if (!context.parameters.is_auto("rung")) return static_cast<std::uint64_t>(context.parameters.integer("rung"));
    const std::uint64_t work = std::uint64_t{1} << (has_neighbourhood(context.problem) ? 28 : 17);
    const std::uint64_t rung = std::max<std::uint64_t>(8, work / round);
    context.host.resolve("rung", static_cast<std::int64_t>(rung));
    return rung;
}

std::uint32_t resolve_islands(const sdk::SolverContext& context, std::size_t arms) {
    if (!context.parameters.is_auto("islands")) {
        return static_cast<std::uint32_t>(context.parameters.integer("islands"));
    }
    const std::size_t islands = 2 * arms + 2;
    context.host.resolve("islands", static_cast<std::int64_t>(islands));
    return static_cast<std::uint32_t>(islands);
}

std::uint32_t offset_of_bits(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    if (encoding.segment_count == 1) return 0;
    if (encoding.segments[1].length + 1 == problem.length()) return encoding.segments[1].offset;
    throw Error(ErrorKind::kUsage, fmt::format("memetic: beside a permutation of {} there must be {} bits, the "
                                               "problem's encoding has {}",
                                               problem.length(), problem.length() - 1, encoding.segments[1].length));
}

constexpr std::uint64_t kMostElites = 100'000'000;

}  // namespace

Memetic::Memetic(const sdk::SolverContext& context)
    : context_(context),
      arms_(read_arms(context)),
      shape_{resolve_islands(context, arms_.size()), static_cast<std::uint32_t>(context.parameters.integer("size"))},
      round_(resolve_round(context, arms_)),
      rung_(resolve_rung(context, round_)),
      distance_(static_cast<std::uint32_t>(context.parameters.integer("distance"))),
      migrate_every_(static_cast<std::uint64_t>(context.parameters.integer("migrate_every"))),
      restart_after_(static_cast<std::uint64_t>(context.parameters.integer("restart_after"))),
      cross_arms_(kernels::probability_threshold(context.parameters.real("cross_arms"))),
      bits_offset_(offset_of_bits(context.problem)),
      base_(context.problem.solution_bytes() / sizeof(std::uint16_t)) {
    if (std::uint64_t{shape_.groups} * shape_.size > kMostElites) {
        throw Error(ErrorKind::kUsage, fmt::format("memetic: islands * size must be at most {}, found {} * {}",
                                                   kMostElites, shape_.groups, shape_.size));
    }
    for (const Arm& arm : arms_) {
        improvers_.push_back(std::make_unique<sdk::ImproverPool>(context.host, context.problem, arm.ref));
    }
    const std::vector<std::uint16_t> order = sdk::kernel_order(context.problem);
    fixed_.assign(order.begin() + static_cast<std::ptrdiff_t>(sdk::free_positions(context.problem).size()),
                  order.end());
    sdk::base_solution(context.problem, base_.data());
    told_.resize(arms_.size());
}

void Memetic::declare(sdk::Fields<View>& fields, sdk::Run& run) {
    using enum sdk::FieldOf;
    const std::uint64_t bytes = context_.problem.solution_bytes();
    fields.add(
        {.count = bytes, .is_state = true, .is_solution = true}, [](View & v) -> auto& { return v.solutions; });
    fields.add(
        {.is_state = true}, [](View & v) -> auto& { return v.costs; });
    fields.add(
        {.is_state = true}, [](View & v) -> auto& { return v.fresh; });
    declare_islands(fields);
    emigrants_ = fields.add(
        {.of = kRun, .count = bytes}, [](View & v) -> auto& { return v.emigrants; });
    emigrant_costs_ = fields.add(
        {.of = kRun}, [](View & v) -> auto& { return v.emigrant_costs; });
    results_ = fields.add(
        {.of = kRun}, [](View & v) -> auto& { return v.results; });
    make_rules(run.seed());
}

void Memetic::declare_islands(sdk::Fields<View>& fields) {
    using enum sdk::FieldOf;
    const sdk::FieldOptions one{.of = kGroup, .is_state = true};
    const sdk::FieldOptions by_arm{.of = kGroup, .count = arms_.size(), .is_state = true};
    fields.add(
        {.of = kGroup, .count = context_.problem.solution_bytes(), .is_state = true, .is_solution = true},
        [](View & v) -> auto& { return v.best_solutions; });
    fields.add(
        one, [](View & v) -> auto& { return v.best_costs; });
    fields.add(
        one, [](View & v) -> auto& { return v.best_found; });
    fields.add(
        one, [](View & v) -> auto& { return v.arms; });
    fields.add(
        one, [](View & v) -> auto& { return v.members; });
    fields.add(
        one, [](View & v) -> auto& { return v.work; });
    fields.add(
        one, [](View & v) -> auto& { return v.children; });
    fields.add(
        one, [](View & v) -> auto& { return v.idle; });
    fields.add(
        one, [](View & v) -> auto& { return v.strength; });
    fields.add(
        one, [](View & v) -> auto& { return v.immigration; });
    fields.add(
        one, [](View & v) -> auto& { return v.restarts; });
    fields.add(
        one, [](View & v) -> auto& { return v.rung_begin; });
    fields.add(
        one, [](View & v) -> auto& { return v.rung; });
    fields.add(
        by_arm, [](View & v) -> auto& { return v.spent; });
    fields.add(
        by_arm, [](View & v) -> auto& { return v.won; });
}

/// What a mutation does: to a layout moves of departments and bays; to a permutation swaps where the problem has a
/// neighbourhood of swaps, else insertions and reversals too.
kernels::FbsMutationWeights Memetic::weights() const {
    kernels::FbsMutationWeights weights{};
    if (bits_offset_ != 0) return weights;
    weights.flip_bit = weights.shift_border = weights.swap_bays = weights.reverse_bay = 0;
    if (has_neighbourhood(context_.problem)) weights.insert = weights.reverse_segment = 0;
    return weights;
}

void Memetic::make_rules(std::uint64_t seed) {
    seed_ = seed;
    for (const Arm& arm : arms_) {
        kernels::IslandRules rules{};
        rules.tournament.seed = seed;
        rules.tournament.size = shape_.size;
        rules.n = context_.problem.length();
        if (arm.crossover) rules.crossover = static_cast<std::uint32_t>(*arm.crossover);
        rules.align = bits_offset_ != 0 && arm.align ? 1 : 0;
        rules.bits = kernels::kFbsBitsByPosition;
        rules.mutation = kernels::probability_threshold(arm.mutation);
        rules.weights = weights();
        rules.fixed_count = static_cast<std::uint32_t>(fixed_.size());
        rules.fixed_positions = fixed_.data();
        rules.fixed_solution = base_.data();
        rules_.push_back(rules);
    }
}

void Memetic::prepare(Host& steps) const {
    View& all = steps.view();
    all.bytes = context_.problem.solution_bytes();
    all.size = shape_.size;
    all.islands = shape_.groups;
    all.first_island = steps.shard().first_group;
    const Scratch one{std::vector<std::uint8_t>(all.bytes), std::vector<std::uint8_t>(all.bytes),
                      std::vector<std::uint16_t>(context_.problem.length())};
    scratch_.assign(steps.settings().host.workers(), one);
}

sdk::Leader Memetic::leader(Host& steps) const {
    const View& all = steps.view();
    return steps.leader(all.best_solutions, all.best_costs, all.best_found, steps.shard().groups, all.first_island);
}

std::uint64_t Memetic::digest(Host& steps, std::uint64_t t) const {
    const View& all = steps.view();
    return steps.digest(all.solutions, all.costs, t, [&](std::uint32_t k) { return all.best_costs[k / all.size]; });
}

void Memetic::race(Host& steps, std::uint64_t t) const {
    const sdk::CostLess less = steps.settings().problem.less();
    const View& all = steps.view();
    const std::span<const RungResult> results(all.results, all.islands);
    const auto arms = static_cast<std::uint32_t>(arms_.size());
    const std::vector<std::uint32_t> ranked = ranked_arms(results, arms, less);
    const std::vector<std::uint32_t> next = next_arms(results, ranked, arms_after(rung_at(t, rung_), arms), less);
    steps.groups(
        [&](std::uint32_t island, std::uint32_t) { give_arm(steps, island, next[all.first_island + island]); });
}

void Memetic::tell_arms(sdk::Run& run, const View& all, const sdk::Shard& shard) {
    std::uint64_t restarts = 0;
    std::fill(told_.begin(), told_.end(), Told{});
    for (std::uint32_t island = 0; island < shard.groups; ++island) {
        ++told_[all.arms[island]].islands;
        restarts += all.restarts[island];
        for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
            told_[arm].spent += all.spent[island * arms_.size() + arm];
            told_[arm].won += all.won[island * arms_.size() + arm];
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

/// On the progress line: the arm that has most islands.
void Memetic::say_leader() const {
    if (arms_.size() < 2) return;
    const auto more = [](const Told& a, const Told& b) { return a.islands < b.islands; };
    const auto most = static_cast<std::size_t>(std::max_element(told_.begin(), told_.end(), more) - told_.begin());
    const bool ahead = std::count_if(told_.begin(), told_.end(),
                                     [&](const Told& arm) { return arm.islands == told_[most].islands; }) == 1;
    sdk::say_progress(context_.host,
                      ahead ? fmt::format("arms: {} {}/{}", arms_[most].name, told_[most].islands, shape_.groups)
                            : fmt::format("arms: {} even", arms_.size()));
}

void Memetic::tell_end() const {
    std::vector<std::string> words;
    const double all = std::accumulate(told_.begin(), told_.end(), 1e-300,
                                       [](double sum, const Told& arm) { return sum + double(arm.spent); });
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        words.push_back(fmt::format("{} {} of {} islands, {:.0f} % of the work, {} improvements", arms_[arm].name,
                                    told_[arm].islands, shape_.groups, 100 * double(told_[arm].spent) / all,
                                    told_[arm].won));
    }
    context_.host.info(fmt::format("arms: {}", fmt::join(words, "; ")));
}

}  // namespace qapfw::memetic
