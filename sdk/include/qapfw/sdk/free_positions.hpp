// SPDX-License-Identifier: Apache-2.0
// The free positions of segment 0, and the base solution, which searches shuffle to get random starts.
#pragma once

#include <vector>

#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Positions of segment 0 without a fixed value, ascending.
inline std::vector<std::uint16_t> free_positions(const ProblemRef& problem) {
    std::vector<std::uint16_t> free;
    for (std::uint32_t k = 0; k < problem.length(); ++k) {
        if (problem.encoding().fixed == nullptr || problem.encoding().fixed[k] == 0) {
            free.push_back(static_cast<std::uint16_t>(k));
        }
    }
    return free;
}

/// Number of pairs of free positions. A scan of the swap neighbourhood visits each pair once.
inline std::uint64_t free_pairs(const ProblemRef& problem) {
    const std::uint8_t* const fixed = problem.encoding().fixed;
    std::uint64_t movable = problem.length();
    for (std::uint32_t k = 0; fixed != nullptr && k < problem.length(); ++k) movable -= fixed[k] != 0 ? 1 : 0;
    return movable < 2 ? 0 : movable * (movable - 1) / 2;
}

/// Positions in the order of device code with QAPFW_MOVABLE_FIRST: free ones, then fixed ones.
inline std::vector<std::uint16_t> kernel_order(const ProblemRef& problem) {
    std::vector<std::uint16_t> order = free_positions(problem);
    for (std::uint32_t k = 0; order.size() < problem.length(); ++k) {
        if (problem.encoding().fixed[k] != 0) order.push_back(static_cast<std::uint16_t>(k));
    }
    return order;
}

/// Writes the problem's base solution, see base_solution in encoding.hpp. `solution` has
/// problem.solution_bytes() bytes.
inline void base_solution(const ProblemRef& problem, void* solution) {
    base_solution(problem.encoding(), solution);
}

}  // namespace qapfw::sdk
