// SPDX-License-Identifier: Apache-2.0
// The linear assignment problem: n rows and n columns with a cost for each pair; every row gets a column of its own, at
// the least total cost. Shortest augmenting paths with duals, as Jonker and Volgenant (Computing 38, 1987) describe
// them: O(n^3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qapfw::qap {

/// Solves one problem after the other; keeps its memory between them. For one thread at a time.
class LinearAssignment {
  public:
    /// Returns the least total cost of the n x n matrix `costs`, whose rows are `stride` entries apart. Subtracts the
    /// duals: afterwards no entry is negative, and an optimal assignment has entries 0 alone. Entries up to 2^60 / n in
    /// absolute value are safe.
    int64_t reduce(int64_t* costs, std::size_t n, std::size_t stride);

    /// The optimal assignment of the last problem: the column of each row.
    const std::vector<uint32_t>& columns() const { return column_of_; }

  private:
    void match_zeros(const int64_t* costs, std::size_t n, std::size_t stride);
    void augment(const int64_t* costs, std::size_t n, std::size_t stride, uint32_t free_row);

    std::vector<uint32_t> column_of_, row_of_;
    std::vector<int64_t> duals_;      ///< of the columns
    std::vector<int64_t> distance_;   ///< of the columns from the free row
    std::vector<uint32_t> previous_;  ///< the row before each column on the shortest path to it
    std::vector<uint32_t> order_;     ///< columns: scanned ones, then those at the least distance, then the others
};

}  // namespace qapfw::qap
