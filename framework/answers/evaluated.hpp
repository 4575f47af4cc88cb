// SPDX-License-Identifier: Apache-2.0
// The words of a file about a solution, held against the problem: nothing that is read is believed.
#pragma once

#include <optional>
#include <string>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

struct Evaluated {
    std::optional<qapfw_cost> cost;  ///< by the problem; nothing: no valid solution
    std::string defect;              ///< "not a valid solution: ...", "recorded cost 5, recomputed 7", or empty
};
Evaluated evaluate(const Problem& problem, const CostedSolution& recorded);

}  // namespace qapfw::framework
