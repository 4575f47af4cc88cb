// SPDX-License-Identifier: Apache-2.0
#include "framework/answers/evaluated.hpp"

#include <fmt/core.h>

#include "qapfw/error.hpp"

namespace qapfw::framework {

Evaluated evaluate(const Problem& problem, const CostedSolution& recorded) {
    Evaluated evaluated;
    const qapfw_encoding& encoding = problem.info().encoding;
    try {
        const SolutionBuffer buffer = solution_of(encoding, recorded.values);
        evaluated.defect = solution_defect(encoding, buffer.data());
        if (!evaluated.defect.empty()) return evaluated;
        evaluated.cost = problem.evaluate(buffer.data());
    } catch (const Error& error) {
        evaluated.defect = error.what();
        return evaluated;
    }
    const CostSpace& costs = problem.costs();
    if (!costs.agree(recorded.cost, *evaluated.cost)) {
        evaluated.defect = fmt::format("recorded cost {}, recomputed {}", costs.shown_text(recorded.cost),
                                       costs.shown_text(*evaluated.cost));
    }
    return evaluated;
}

}  // namespace qapfw::framework
