// SPDX-License-Identifier: Apache-2.0
// Pairs of positions that a neighbourhood may leave out: swapping them never changes the cost.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/problem/problem.hpp"

namespace qapfw::framework::conformance {

/// Pairs of positions, and pairs of elements, whose swap leaves the cost of several random solutions unchanged. Takes
/// O(n^2) evaluations.
class InterchangeablePairs {
  public:
    explicit InterchangeablePairs(const Problem& problem);

    /// True if i and j are an interchangeable pair of positions, or if permutation[i] and permutation[j] are an
    /// interchangeable pair of elements.
    bool contains(const std::uint32_t* permutation, std::uint32_t i, std::uint32_t j) const {
        return positions_[i * n_ + j] || elements_[permutation[i] * n_ + permutation[j]];
    }

  private:
    std::size_t n_;
    /// n x n tables: entries i * n + j and j * n + i are true if i and j are an interchangeable pair.
    std::vector<bool> positions_, elements_;
};

}  // namespace qapfw::framework::conformance
