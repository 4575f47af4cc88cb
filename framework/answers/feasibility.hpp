// SPDX-License-Identifier: Apache-2.0
// The demands of an instance that a solution breaks, for problems that tell them; see qapfw/abi/feasibility.h.
#pragma once

#include <optional>
#include <string>

#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Words for what a solution breaks; empty: it is feasible. Null where the problem does not tell. Any thread may ask.
std::optional<std::string> infeasibility_of(const Problem& problem, const SolutionValues& values);
/// A feasible solution that the problem knows, for runs to begin with.
std::optional<SolutionBuffer> feasible_start(const Problem& problem);

}  // namespace qapfw::framework
