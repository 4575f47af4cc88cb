// SPDX-License-Identifier: Apache-2.0
// Conditions that end a run. Target, bound, iterations, evaluations and stagnation in iterations act only at the ends
// of rounds (or of slices of rounds), so they are deterministic. The exception is a bound computed beside the run: the
// machine's speed decides when it is known. Time and signals act inside rounds too.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/config/config.hpp"
#include "framework/problem/cost.hpp"

namespace qapfw::framework {

enum class StopReason {
    kNone,
    kTarget,
    kOptimal,  ///< the best cost reached a lower bound or the known optimum
    kIterations,
    kEvaluations,
    kStagnation,
    kTimeLimit,
    kSignal,
    kCancelled,  ///< the program that calls the engine wanted the end
    kRounds,     ///< EngineOptions::rounds was reached
    kSolver,     ///< the solver ended by itself
    kError,
};

/// The name in result.json: "target", "time_limit", ...
const char* name_of(StopReason reason);

/// Progress of a run. Times are seconds of search over all sessions.
struct RunState {
    std::uint64_t iterations = 0, evaluations = 0;
    std::uint64_t last_improvement = 0;  ///< value of `iterations` when a round last improved the best cost
    double seconds = 0, seconds_at_improvement = 0;
    std::optional<qapfw_cost> best;
    std::uint64_t rounds = 0;                    ///< number of complete rounds
    std::optional<qapfw_cost> lower_bound = {};  ///< bound proven during the run
};

struct StopConditions {
    CostSpace costs;
    std::optional<qapfw_cost> target, lower_bound;
    std::optional<std::uint64_t> iterations, evaluations, stagnation_iterations;
    std::optional<double> time_limit, stagnation;
    /// True: a known optimum ends the run. The engine may also compute a lower bound while the run goes on.
    bool stop_at_optimum = false;
    std::optional<qapfw_cost> optimum;    ///< the known optimum, if stop_at_optimum is true
    std::optional<std::uint64_t> rounds;  ///< number of rounds to make; used to repeat a run that a clock ended

    /// The conditions from the run's settings and the problem's facts. Throws Error(kUsage) for a target that cannot be
    /// understood.
    static StopConditions of(const RunSettings& settings, const qapfw_problem_info& info);

    /// True if the configuration has a target or a limit. Otherwise a proof, a signal, the program that calls the
    /// engine, `rounds` or the solver itself ends the run.
    bool any() const;
    /// The first condition that holds, else kNone. Conditions on the trajectory are checked first, those on the clock
    /// last.
    StopReason check(const RunState& state) const;
    /// Seconds of search after which the clock ends the run. An improvement may postpone this end, but not beyond the
    /// time limit. No value: the clock never ends the run.
    std::optional<double> deadline(const RunState& state) const;
    /// Returns `wanted` or the number of iterations that the limit still allows, whichever is smaller.
    std::uint64_t grant(std::uint64_t wanted, const RunState& state) const;
    /// Number of iterations that use up half of the remaining evaluations, estimated from the run so far; at least 1.
    /// The slices get shorter towards the limit, so a run exceeds the limit by hardly more than one iteration. Only for
    /// runs with a limit on evaluations.
    std::uint64_t slice(const RunState& state) const;
};

}  // namespace qapfw::framework
