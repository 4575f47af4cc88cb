// SPDX-License-Identifier: Apache-2.0
// The best solutions of a record, as starts of other runs.
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

std::vector<SolutionBuffer> best_solutions(const RunResult& result, const qapfw_encoding& encoding) {
    std::vector<SolutionBuffer> all;
    const auto add = [&](const CostedSolution& one) {
        if (one.values.empty()) return;
        SolutionBuffer solution = solution_of(encoding, one.values);
        const std::string defect = solution_defect(encoding, solution.data());
        if (!defect.empty())
            throw Error(ErrorKind::kInput, "one of the run's solutions does not fit the problem: " + defect);
        all.push_back(std::move(solution));
    };
    if (result.best) add(*result.best);
    for (const CostedSolution& one : result.alternatives) add(one);
    if (all.empty()) throw Error(ErrorKind::kInput, "it holds no solution to start from");
    return all;
}

}  // namespace qapfw::framework
