// SPDX-License-Identifier: Apache-2.0
// Named numbers that explain a solution's cost, for problems that compute them; see qapfw/abi/explanation.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/problem/encoding.hpp"

namespace qapfw::framework {

class Problem;

/// Numbers by which a problem explains a solution's cost, each with its name, in the problem's order. They need not sum
/// up to the cost.
using CostParts = std::vector<std::pair<std::string, double>>;

/// The numbers that explain a solution's cost; empty if the problem computes none. Throws Error(kPlugin) if a name is
/// empty or occurs twice, or a number is not finite. Thread-safe.
CostParts explanation_of(const Problem& problem, const void* solution);
/// As above, for a solution that is given as stored values.
CostParts explanation_of(const Problem& problem, const SolutionValues& values);

}  // namespace qapfw::framework
