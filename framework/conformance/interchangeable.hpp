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

    /// True if positions i and j, or the elements there, are one of these pairs.
    bool contains(const std::uint32_t* permutation, std::uint32_t i, std::uint32_t j) const {
        return positions_[i * n_ + j] || elements_[permutation[i] * n_ + permutation[j]];
    }

  private:
    std::size_t n_;
    std::vector<bool> positions_, elements_;  ///< symmetric n x n tables: entries i * n + j and j * n + i
};

}  // namespace qapfw::framework::conformance
