// SPDX-License-Identifier: Apache-2.0
// The linear assignment problem: n rows, n columns and a cost for each pair. Every row gets its own column, at the
// least total cost. Shortest augmenting paths with duals, as in Jonker and Volgenant (Computing 38, 1987): O(n^3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qapfw::qap {

/// Solves linear assignment problems, one after the other in the same memory. Not thread-safe.
class LinearAssignment {
  public:
    /// Returns the least total cost of the n x n matrix `costs`, whose rows are `stride` entries apart. Subtracts the
    /// duals: afterwards no entry is negative, and all entries of an optimal assignment are 0. Entries may be up to
    /// 2^60 / n in absolute value.
    int64_t reduce(int64_t* costs, std::size_t n, std::size_t stride);

    /// The optimal assignment of the last problem: the column of each row.
    const std::vector<uint32_t>& columns() const { return column_of_; }

  private:
    void match_zeros(const int64_t* costs, std::size_t n, std::size_t stride);
    void augment(const int64_t* costs, std::size_t n, std::size_t stride, uint32_t free_row);

    std::vector<uint32_t> column_of_, row_of_;
    std::vector<int64_t> duals_;      ///< duals of the columns
    std::vector<int64_t> distance_;   ///< distances of the columns from the free row
    std::vector<uint32_t> previous_;  ///< row before each column on the path to that column
    /// Numbers of all columns, in three parts. First come the columns whose rows were searched, then the other columns
    /// at the least distance, then all farther columns.
    std::vector<uint32_t> order_;
};

}  // namespace qapfw::qap
