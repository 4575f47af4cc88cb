// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/stop_conditions.hpp"

#include <algorithm>
#include <iterator>

namespace qapfw::framework {

const char* name_of(StopReason reason) {
    constexpr const char* kNames[] = {"running",     "target",     "optimal",         "iterations",
                                      "evaluations", "stagnation", "time_limit",      "interrupted",
                                      "cancelled",   "rounds",     "solver_finished", "error"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(StopReason::kError) + 1);
    return kNames[static_cast<std::size_t>(reason)];
}

StopConditions StopConditions::of(const RunSettings& settings, const qapfw_problem_info& info) {
    StopConditions conditions;
    conditions.costs = CostSpace::of(info);
    if (settings.target) conditions.target = parse_target(*settings.target, info);
    if (info.has_lower_bound != 0) conditions.lower_bound = info.lower_bound;
    conditions.stop_at_optimum = settings.stop_at_optimum.value_or(false);
    const bool is_optimum_known = info.has_best_known != 0 && info.best_known_is_optimal != 0;
    if (conditions.stop_at_optimum && is_optimum_known) conditions.optimum = info.best_known;
    conditions.iterations = settings.iterations;
    conditions.evaluations = settings.evaluations;
    conditions.stagnation_iterations = settings.stagnation_iterations;
    conditions.time_limit = settings.time_limit;
    conditions.stagnation = settings.stagnation;
    return conditions;
}

bool StopConditions::any() const {
    return target || iterations || evaluations || stagnation_iterations || time_limit || stagnation;
}

StopReason StopConditions::check(const RunState& state) const {
    const auto reached = [&](const std::optional<qapfw_cost>& bound) {
        return bound && state.best && costs.at_most(*state.best, *bound);
    };
    if (reached(target)) return StopReason::kTarget;
    if (reached(lower_bound) || reached(state.lower_bound)) return StopReason::kOptimal;
    if (optimum && state.best && costs.is_optimum(*state.best, *optimum)) return StopReason::kOptimal;
    if (iterations && state.iterations >= *iterations) return StopReason::kIterations;
    if (evaluations && state.evaluations >= *evaluations) return StopReason::kEvaluations;
    if (stagnation_iterations && state.iterations - state.last_improvement >= *stagnation_iterations) {
        return StopReason::kStagnation;
    }
    if (rounds && state.rounds >= *rounds) return StopReason::kRounds;
    if (time_limit && state.seconds >= *time_limit) return StopReason::kTimeLimit;
    if (stagnation && state.seconds - state.seconds_at_improvement >= *stagnation) return StopReason::kStagnation;
    return StopReason::kNone;
}

std::optional<double> StopConditions::deadline(const RunState& state) const {
    std::optional<double> deadline = time_limit;
    if (stagnation) {
        const double patience = state.seconds_at_improvement + *stagnation;
        deadline = deadline ? std::min(*deadline, patience) : patience;
    }
    return deadline;
}

std::uint64_t StopConditions::grant(std::uint64_t wanted, const RunState& state) const {
    if (!iterations) return wanted;
    return std::min(wanted, *iterations - std::min(*iterations, state.iterations));
}

std::uint64_t StopConditions::slice(const RunState& state) const {
    if (state.iterations == 0) return 1;
    const std::uint64_t each =
        std::max<std::uint64_t>(1, (state.evaluations + state.iterations - 1) / state.iterations);
    return std::max<std::uint64_t>(1, (*evaluations - std::min(*evaluations, state.evaluations)) / 2 / each);
}

}  // namespace qapfw::framework
