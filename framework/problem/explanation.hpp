// SPDX-License-Identifier: Apache-2.0
// Named numbers of a solution, for problems that tell them; see qapfw/abi/explanation.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/problem/encoding.hpp"

namespace qapfw::framework {

class Problem;

/// Named numbers, in the problem's order.
using CostParts = std::vector<std::pair<std::string, double>>;

/// Empty where the problem tells none. Throws Error(kPlugin) for a name that is empty or comes twice, and for a number
/// that is not finite. Any thread may ask.
CostParts explanation_of(const Problem& problem, const void* solution);
/// The same of stored values.
CostParts explanation_of(const Problem& problem, const SolutionValues& values);

}  // namespace qapfw::framework
