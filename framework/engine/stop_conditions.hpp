// SPDX-License-Identifier: Apache-2.0
// When a run ends. Target, bound, iterations, evaluations and stagnation in iterations act at round ends alone, so they
// are deterministic; time and signals act inside rounds too.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/config/config.hpp"
#include "framework/engine/cost.hpp"

namespace qapfw::framework {

enum class StopReason {
    kNone,
    kTarget,
    kOptimal,  ///< the best cost equals the problem's lower bound
    kIterations,
    kEvaluations,
    kStagnation,
    kTimeLimit,
    kSignal,
    kSolver,  ///< the solver ended by itself
    kError,
};

/// As result.json names it: "target", "time_limit", ...
const char* name_of(StopReason reason);

/// Where a run stands. Times are seconds of search over all sessions.
struct RunState {
    std::uint64_t iterations = 0, evaluations = 0;
    std::uint64_t last_improvement = 0;  ///< iterations at the end of the last round that improved
    double seconds = 0, seconds_at_improvement = 0;
    std::optional<qapfw_cost> best;
};

struct StopConditions {
    CostSpace costs;
    std::optional<qapfw_cost> target, lower_bound;
    std::optional<std::uint64_t> iterations, evaluations, stagnation_iterations;
    std::optional<double> time_limit, stagnation;

    /// Throws Error(kUsage) for a target that cannot be understood.
    static StopConditions of(const RunSettings& settings, const qapfw_problem_info& info);

    /// Whether anything but a signal or the solver itself ends the run.
    bool any() const;
    /// Whether the end depends on nothing but the trajectory.
    bool deterministic() const { return !time_limit && !stagnation; }
    /// The first condition that holds, those that depend on the trajectory alone before the clock.
    StopReason check(const RunState& state) const;
    /// When the clock will end the run if nothing improves, in seconds of search; nothing: never.
    std::optional<double> deadline(const RunState& state) const;
    /// How many of the wanted iterations fit.
    std::uint64_t grant(std::uint64_t wanted, const RunState& state) const;
};

}  // namespace qapfw::framework
