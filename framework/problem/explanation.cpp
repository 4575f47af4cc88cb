// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/explanation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "framework/host/plugin_call.hpp"
#include "framework/host/printable.hpp"
#include "framework/problem/problem.hpp"
#include "qapfw/abi/explanation.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {

CostParts explanation_of(const Problem& problem, const void* solution) {
    const auto* const table =
        static_cast<const qapfw_problem_explanation*>(problem.capability(QAPFW_PROBLEM_EXPLANATION));
    CostParts parts;
    if (table == nullptr) return parts;
    const auto take = [](void* user, const char* name, double value) {
        static_cast<CostParts*>(user)->emplace_back(name == nullptr ? std::string() : printable(name), value);
    };
    call_plugin(problem.owner(), "explain",
                [&] { return table->explain(problem.ref()->problem, solution, take, &parts); });
    const auto refuse = [&](const std::string& what) {
        throw Error(ErrorKind::kPlugin, fmt::format("{}: explain: {}", problem.owner(), what));
    };
    for (const auto& [name, value] : parts) {
        if (name.empty()) refuse("a part of the cost has no name");
        if (!std::isfinite(value)) refuse(fmt::format("{} is {}", name, value));
        if (std::ranges::count(parts, name, &CostParts::value_type::first) > 1)
            refuse(fmt::format("two parts of the cost have the name {}", name));
    }
    return parts;
}

CostParts explanation_of(const Problem& problem, const SolutionValues& values) {
    SolutionBuffer solution(problem.info().encoding.solution_bytes);
    store_values(problem.info().encoding, values, solution.data());
    return explanation_of(problem, solution.data());
}

}  // namespace qapfw::framework
