// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/linear_assignment.hpp"

#include <algorithm>
#include <numeric>

namespace qapfw::qap {
namespace {

constexpr uint32_t kUnassigned = UINT32_MAX;

/// Subtracts the least entry of each row, then of each column. Returns the sum of the subtracted values.
int64_t subtract_least(int64_t* costs, std::size_t n, std::size_t stride, std::vector<int64_t>& least) {
    int64_t sum = 0;
    for (std::size_t r = 0; r < n; ++r) {
        int64_t* const row = costs + r * stride;
        const int64_t of_row = *std::min_element(row, row + n);
        for (std::size_t c = 0; c < n; ++c) row[c] -= of_row;
        sum += of_row;
    }
    least.assign(costs, costs + n);
    for (std::size_t r = 1; r < n; ++r) {
        const int64_t* const row = costs + r * stride;
        for (std::size_t c = 0; c < n; ++c) least[c] = std::min(least[c], row[c]);
    }
    const int64_t of_columns = std::accumulate(least.begin(), least.end(), int64_t{0});
    if (of_columns == 0) return sum;
    for (std::size_t r = 0; r < n; ++r) {
        int64_t* const row = costs + r * stride;
        for (std::size_t c = 0; c < n; ++c) row[c] -= least[c];
    }
    return sum + of_columns;
}

}  // namespace

int64_t LinearAssignment::reduce(int64_t* costs, std::size_t n, std::size_t stride) {
    if (n == 0) return 0;
    int64_t total = subtract_least(costs, n, stride, duals_);
    match_zeros(costs, n, stride);
    duals_.assign(n, 0);
    bool is_reduced = true;
    for (uint32_t r = 0; r < n; ++r) {
        if (column_of_[r] != kUnassigned) continue;
        augment(costs, n, stride, r);
        is_reduced = false;
    }
    if (is_reduced) return total;
    total += std::accumulate(duals_.begin(), duals_.end(), int64_t{0});
    for (std::size_t r = 0; r < n; ++r) {
        int64_t* const row = costs + r * stride;
        const int64_t of_row = row[column_of_[r]] - duals_[column_of_[r]];
        for (std::size_t c = 0; c < n; ++c) row[c] -= of_row + duals_[c];
        total += of_row;
    }
    return total;
}

void LinearAssignment::match_zeros(const int64_t* costs, std::size_t n, std::size_t stride) {
    column_of_.assign(n, kUnassigned);
    row_of_.assign(n, kUnassigned);
    for (uint32_t r = 0; r < n; ++r) {
        const int64_t* const row = costs + r * stride;
        for (uint32_t c = 0; c < n; ++c) {
            if (row[c] != 0 || row_of_[c] != kUnassigned) continue;
            column_of_[r] = c;
            row_of_[c] = r;
            break;
        }
    }
}

/// Gives a column to `free_row`, which has none: Dijkstra's algorithm finds the nearest column without a row, and the
/// rows along the path change columns.
void LinearAssignment::augment(const int64_t* costs, std::size_t n, std::size_t stride, uint32_t free_row) {
    distance_.resize(n);
    previous_.assign(n, free_row);
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0u);
    const int64_t* const first = costs + free_row * stride;
    for (std::size_t c = 0; c < n; ++c) distance_[c] = first[c] - duals_[c];
    // order_ begins with the finished columns, up to `scanned`. The columns from there up to `reached` have the
    // distance `least`.
    std::size_t scanned = 0, reached = 0;
    int64_t least = 0;
    uint32_t end = kUnassigned;
    while (end == kUnassigned) {
        if (scanned == reached) {
            least = INT64_MAX;
            for (std::size_t k = scanned; k < n; ++k) least = std::min(least, distance_[order_[k]]);
            for (std::size_t k = scanned; k < n; ++k) {
                if (distance_[order_[k]] == least) std::swap(order_[k], order_[reached++]);
            }
        }
        for (std::size_t k = scanned; k < reached && end == kUnassigned; ++k) {
            if (row_of_[order_[k]] == kUnassigned) end = order_[k];
        }
        if (end != kUnassigned) break;
        const uint32_t column = order_[scanned++], row_number = row_of_[column];
        const int64_t* const row = costs + row_number * stride;
        const int64_t offset = row[column] - duals_[column] - least;
        for (std::size_t k = reached; k < n; ++k) {
            const uint32_t c = order_[k];
            const int64_t through = row[c] - duals_[c] - offset;
            if (through >= distance_[c]) continue;
            distance_[c] = through;
            previous_[c] = row_number;
            if (through == least) std::swap(order_[k], order_[reached++]);
        }
    }
    for (std::size_t k = 0; k < scanned; ++k) duals_[order_[k]] += distance_[order_[k]] - least;
    for (uint32_t c = end;;) {
        const uint32_t row = previous_[c], next = column_of_[row];
        row_of_[c] = row;
        column_of_[row] = c;
        if (row == free_row) return;
        c = next;
    }
}

}  // namespace qapfw::qap
