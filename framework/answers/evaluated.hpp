// SPDX-License-Identifier: Apache-2.0
// Checks a solution from a file against the problem: whether it is valid, and whether its recorded cost is right.
#pragma once

#include <optional>
#include <string>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

struct Evaluated {
    std::optional<qapfw_cost> cost;  ///< the cost that the problem computes; nothing: the solution is not valid
    std::string defect;              ///< "not a valid solution: ...", "recorded cost 5, recomputed 7", or empty
};
Evaluated evaluate(const Problem& problem, const CostedSolution& recorded);

}  // namespace qapfw::framework
