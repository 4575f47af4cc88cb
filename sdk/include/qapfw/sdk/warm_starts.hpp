// SPDX-License-Identifier: Apache-2.0
// The solutions that a population starts from, the best first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "qapfw/sdk/problem_ref.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// Indices into run.initial(), ordered by cost, then by index; at most `limit`.
inline std::vector<std::uint64_t> warm_start_order(const Run& run, const ProblemRef& problem, std::uint64_t limit) {
    const qapfw_batch& initial = run.initial();
    std::vector<qapfw_cost> costs(initial.count);
    if (initial.count > 0) problem.evaluate({initial.solutions, costs.data(), initial.count});
    std::vector<std::uint64_t> order(initial.count);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return problem.less()(costs[a], costs[b]); });
    order.resize(std::min<std::uint64_t>(order.size(), limit));
    return order;
}

/// Returns copies of the user's solutions: the cheapest first, at most `limit` of them. Each has
/// problem.solution_bytes() bytes.
inline std::vector<unsigned char> warm_starts(const Run& run, const ProblemRef& problem, std::uint64_t limit) {
    const std::uint64_t bytes = problem.solution_bytes();
    std::vector<unsigned char> solutions;
    for (const std::uint64_t k : warm_start_order(run, problem, limit)) {
        const auto* solution =
            static_cast<const unsigned char*>(solution_at(static_cast<const void*>(run.initial().solutions), bytes, k));
        solutions.insert(solutions.end(), solution, solution + bytes);
    }
    return solutions;
}

}  // namespace qapfw::sdk
