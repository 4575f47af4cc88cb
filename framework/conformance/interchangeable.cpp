// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/interchangeable.hpp"

#include "framework/conformance/fixture.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kSolutionsTried = 4;

/// Clears the pairs whose swap changes the solution's cost or moves a fixed element. If `pairs` has pairs of positions,
/// where[k] is k. If it has pairs of elements, where[k] is the present position of element k.
void keep_unchanging(const Problem& problem, SolutionBuffer& solution, const std::vector<std::uint32_t>& where,
                     std::vector<bool>& pairs) {
    const std::size_t n = where.size();
    const qapfw_segment& segment = problem.info().encoding.segments[0];
    const auto exchange = [&](std::uint32_t i, std::uint32_t j) {
        const std::uint32_t at_i = sdk::element_at(segment, solution.data(), i);
        sdk::set_element(segment, solution.data(), i, sdk::element_at(segment, solution.data(), j));
        sdk::set_element(segment, solution.data(), j, at_i);
    };
    const std::uint8_t* const fixed = problem.info().encoding.fixed;
    const qapfw_cost cost = problem.evaluate(solution.data());
    const auto is_free = [&](std::size_t k) { return fixed == nullptr || fixed[where[k]] == 0; };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!pairs[i * n + j]) continue;
            bool same = is_free(i) && is_free(j);
            if (same) {
                exchange(where[i], where[j]);
                same = problem.costs().agree(problem.evaluate(solution.data()), cost);
                exchange(where[i], where[j]);
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
        const std::vector<std::uint32_t> permutation = solution_values(problem.info().encoding, solution.data())[0];
        for (std::uint32_t k = 0; k < n_; ++k) place_of[permutation[k]] = k;
        keep_unchanging(problem, solution, position, positions_);
        keep_unchanging(problem, solution, place_of, elements_);
    }
}

}  // namespace qapfw::framework::conformance
