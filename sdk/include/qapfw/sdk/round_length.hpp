// SPDX-License-Identifier: Apache-2.0
// Number of iterations of a round where the user leaves it to the solver.
#pragma once

#include <algorithm>
#include <cstdint>

#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/abi/child_costs.h"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Evaluations of one round of a problem that may be expensive: 0.2 s at 200 microseconds each.
inline constexpr std::uint64_t kRoundEvaluations = 1000;

/// True if nothing is known of a problem but its `evaluate`: the time that one takes cannot be guessed then.
inline bool evaluates_alone(const ProblemRef& problem) {
    const auto lacks = [&](const char* id) { return problem.capability<void>(id) == nullptr; };
    return lacks(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) && lacks(QAPFW_PROBLEM_CHILD_COSTS) &&
           lacks(QAPFW_PROBLEM_BAY_NEIGHBOURHOOD);
}

/// `automatic` iterations (or searches side by side); fewer, at least 1, where an iteration evaluates `evaluations`
/// solutions of a problem that may be expensive, so that a first answer, a row of the trace and a checkpoint come soon.
/// It depends on counts alone, so that a run is the same on any machine.
inline std::uint64_t bounded_round(const ProblemRef& problem, std::uint64_t evaluations, std::uint64_t automatic) {
    if (!evaluates_alone(problem)) return automatic;
    return std::clamp<std::uint64_t>(kRoundEvaluations / std::max<std::uint64_t>(evaluations, 1), 1, automatic);
}

/// Groups (searches, islands) of a run with this limit on evaluations: those whose start and first iteration it is for,
/// at least 1 and at most `groups`. `each`: evaluations of both for one group.
inline std::uint32_t groups_of_budget(std::uint64_t evaluations, std::uint64_t each, std::uint32_t groups) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(evaluations / std::max<std::uint64_t>(each, 1), 1, groups));
}

}  // namespace qapfw::sdk
