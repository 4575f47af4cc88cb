// SPDX-License-Identifier: Apache-2.0
// Classes of equivalent free facilities, and of free locations, for a partial placement. A tree search tries only one
// member of each class.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/qap/bounds/bound_terms.hpp"
#include "problems/qap/costs/owner_cost.hpp"

namespace qapfw::qap {

/// Permutations of the indices of one matrix that change no cost, such as the rotations of a grid of locations. Indices
/// are numbered as in BoundTerms.
class Symmetries {
  public:
    /// Finds symmetries of the locations (matrix b) if `of_locations` is true, else of the facilities (matrix a).
    Symmetries(const BoundTerms& terms, bool of_locations);

    /// Drops each symmetry that changes a cost if costs are computed from `owner`. (The terms come from the numbers of
    /// `owner`, rounded.) `numbers`: for each index of the terms, the index in the instance.
    void keep_those_of(const OwnerNumbers& owner, const std::vector<uint16_t>& numbers, bool of_locations);

    /// Writes to `out`, for each index, the least equivalent index. Two indices are equivalent if a symmetry that moves
    /// no index in `used` maps one to the other. So an index in `used` is equivalent only to itself.
    void classes(const std::vector<uint16_t>& used, std::vector<uint16_t>& out) const;
    bool any() const { return !maps_.empty(); }
    std::size_t count() const { return maps_.size(); }  ///< number of known symmetries, without the identity

  private:
    uint32_t m_;
    std::vector<std::vector<uint16_t>> maps_;  ///< known symmetries; there may be more
};

}  // namespace qapfw::qap
