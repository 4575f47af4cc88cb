// SPDX-License-Identifier: Apache-2.0
#include "framework/answers/feasibility.hpp"

#include "framework/host/plugin_call.hpp"
#include "qapfw/abi/feasibility.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

const qapfw_problem_feasibility* feasibility_of(const Problem& problem) {
    return static_cast<const qapfw_problem_feasibility*>(problem.capability(QAPFW_PROBLEM_FEASIBILITY));
}

}  // namespace

std::optional<std::string> infeasibility_of(const Problem& problem, const SolutionValues& values) {
    const qapfw_problem_feasibility* const table = feasibility_of(problem);
    if (table == nullptr) return std::nullopt;
    const SolutionBuffer solution = solution_of(problem.info().encoding, values);
    std::string text;
    const auto take = [](void* user, const char*, const char*, const void* bytes, std::uint64_t size) {
        static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), size);
    };
    call_plugin(problem.owner(), "feasibility.defect",
                [&] { return table->defect(problem.ref()->problem, solution.data(), take, &text); });
    return text;
}

std::optional<SolutionBuffer> feasible_start(const Problem& problem) {
    const qapfw_problem_feasibility* const table = feasibility_of(problem);
    if (table == nullptr || table->start == nullptr) return std::nullopt;
    SolutionBuffer solution(problem.info().encoding.solution_bytes);
    if (table->start(problem.ref()->problem, solution.data()) == 0) return std::nullopt;
    const std::string defect = solution_defect(problem.info().encoding, solution.data());
    if (!defect.empty()) throw Error(ErrorKind::kPlugin, problem.owner() + ": feasibility.start: " + defect);
    return solution;
}

}  // namespace qapfw::framework
