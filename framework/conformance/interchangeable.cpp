// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/interchangeable.hpp"

#include <utility>

#include "framework/conformance/fixture.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kSolutionsTried = 4;

/// Clears the pairs whose exchange changes the solution's cost. `where`: the position of each number of a pair.
void keep_unchanging(const Problem& problem, SolutionBuffer& solution, const std::vector<std::uint32_t>& where,
                     std::vector<bool>& pairs) {
    const std::size_t n = where.size();
    auto* const permutation = static_cast<std::uint16_t*>(solution.data());
    const std::uint8_t* const fixed = problem.info().encoding.fixed;
    const qapfw_cost cost = problem.evaluate(solution.data());
    const auto is_free = [&](std::size_t k) { return fixed == nullptr || fixed[where[k]] == 0; };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!pairs[i * n + j]) continue;
            bool same = is_free(i) && is_free(j);
            if (same) {
                std::swap(permutation[where[i]], permutation[where[j]]);
                same = problem.costs().agree(problem.evaluate(solution.data()), cost);
                std::swap(permutation[where[i]], permutation[where[j]]);
            }
            pairs[i * n + j] = pairs[j * n + i] = same;
        }
    }
}

}  // namespace

InterchangeablePairs::InterchangeablePairs(const Problem& problem)
    : n_(problem.info().encoding.segments[0].length), positions_(n_ * n_, true), elements_(n_ * n_, true) {
    std::vector<std::uint32_t> position(n_), place_of(n_);
    for (std::uint32_t k = 0; k < n_; ++k) position[k] = k;
    for (std::uint32_t index = 0; index < kSolutionsTried; ++index) {
        SolutionBuffer solution = random_solution(problem.info().encoding, 23, index);
        const auto* const permutation = static_cast<const std::uint16_t*>(solution.data());
        for (std::uint32_t k = 0; k < n_; ++k) place_of[permutation[k]] = k;
        keep_unchanging(problem, solution, position, positions_);
        keep_unchanging(problem, solution, place_of, elements_);
    }
}

}  // namespace qapfw::framework::conformance
