// SPDX-License-Identifier: Apache-2.0
// Compares what a file says about a solution with the problem. Nothing that is read is believed.
#pragma once

#include <optional>
#include <string>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

struct Evaluated {
    std::optional<qapfw_cost> cost;  ///< the problem's own cost; nothing: no valid solution
    std::string defect;              ///< "not a valid solution: ...", "recorded cost 5, recomputed 7", or empty
};
Evaluated evaluate(const Problem& problem, const CostedSolution& recorded);

}  // namespace qapfw::framework
