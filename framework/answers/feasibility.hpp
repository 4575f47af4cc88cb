// SPDX-License-Identifier: Apache-2.0
// Tells which demands of an instance a solution breaks, and gives a feasible solution to start from. Both need the
// problem's capability of qapfw/abi/feasibility.h.
#pragma once

#include <optional>
#include <string>

#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// [thread-safe] Says in words which demands a solution breaks. The text is empty if the solution is feasible. Returns
/// nothing if the problem lacks the capability.
std::optional<std::string> infeasibility_of(const Problem& problem, const SolutionValues& values);
/// Returns a feasible solution that the problem knows, from which runs can start. Returns nothing if the problem knows
/// none.
std::optional<SolutionBuffer> feasible_start(const Problem& problem);

}  // namespace qapfw::framework
