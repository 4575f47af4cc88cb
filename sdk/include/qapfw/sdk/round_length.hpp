// SPDX-License-Identifier: Apache-2.0
// Limits on the length of a round and on the number of groups, for solvers that choose these numbers themselves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/abi/child_costs.h"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Most evaluations of one round if an evaluation may be slow: 0.2 s if each takes 200 microseconds.
inline constexpr std::uint64_t kRoundEvaluations = 1000;

/// True if a problem offers no swap neighbourhood, no bay neighbourhood and no child costs. Then the time of an
/// evaluation cannot be guessed.
inline bool evaluates_alone(const ProblemRef& problem) {
    const auto lacks = [&](const char* id) { return problem.capability<void>(id) == nullptr; };
    return lacks(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) && lacks(QAPFW_PROBLEM_CHILD_COSTS) &&
           lacks(QAPFW_PROBLEM_BAY_NEIGHBOURHOOD);
}

/// Returns a number of iterations (or of parallel searches): `automatic`, or less if evaluates_alone(problem). Then the
/// round makes at most kRoundEvaluations evaluations, but the result is at least 1. So a first answer, a line of the
/// trace and a checkpoint come soon. `evaluations`: number of solutions that one iteration evaluates. The result
/// depends only on counts, so a run is the same on any machine.
inline std::uint64_t bounded_round(const ProblemRef& problem, std::uint64_t evaluations, std::uint64_t automatic) {
    if (!evaluates_alone(problem)) return automatic;
    return std::clamp<std::uint64_t>(kRoundEvaluations / std::max<std::uint64_t>(evaluations, 1), 1, automatic);
}

/// Returns how many groups (searches, islands) of a run can start and make a first iteration within the run's limit of
/// `evaluations`. The result is at least 1 and at most `groups`. `each`: evaluations that one group needs for its start
/// and first iteration.
inline std::uint32_t groups_of_budget(std::uint64_t evaluations, std::uint64_t each, std::uint32_t groups) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(evaluations / std::max<std::uint64_t>(each, 1), 1, groups));
}

}  // namespace qapfw::sdk
