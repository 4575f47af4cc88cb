// SPDX-License-Identifier: Apache-2.0
// Shortest augmenting paths with dual prices: Jonker and Volgenant (1987), in the form of Crouse (2016).
#include "framework/library/linear_assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The costs times `sign`, row by row. Throws Error(kInput) if a cost is not finite.
std::vector<double> dense_costs(const qapfw_matrix& costs, double sign) {
    std::vector<double> dense;
    dense.reserve(costs.rows * costs.columns);
    const auto* row = static_cast<const std::byte*>(costs.data);
    for (std::uint64_t i = 0; i < costs.rows; ++i, row += costs.row_stride) {
        const std::byte* at = row;
        for (std::uint64_t j = 0; j < costs.columns; ++j, at += costs.column_stride) {
            double entry = 0;
            std::memcpy(&entry, at, sizeof entry);
            if (!std::isfinite(entry)) {
                throw Error(ErrorKind::kInput,
                            fmt::format("costs[{}][{}] is {}; a finite number was wanted", i, j, entry));
            }
            dense.push_back(sign * entry);
        }
    }
    return dense;
}

class AugmentingPaths {
  public:
    AugmentingPaths(std::vector<double> costs, std::size_t rows, std::size_t columns)
        : costs_(std::move(costs)),
          row_price_(rows, 0),
          column_price_(columns, 0),
          column_of_(rows, kNone),
          row_of_(columns, kNone),
          length_(columns),
          previous_(columns),
          open_(columns) {}

    const std::vector<std::size_t>& solve() {
        for (std::size_t row = 0; row < column_of_.size(); ++row) augment(row);
        return column_of_;
    }

  private:
    void augment(std::size_t start) {
        std::fill(length_.begin(), length_.end(), kInfinity);
        std::vector<std::size_t> reached;
        // The list starts with the last column, so that row k gets column k if all costs are equal.
        std::iota(open_.rbegin(), open_.rend(), std::size_t{0});
        std::size_t open = open_.size(), row = start, sink = kNone;
        double least = 0;
        while (sink == kNone) {
            const std::size_t at = nearest(row, least, open);
            const std::size_t column = std::exchange(open_[at], open_[open - 1]);
            --open;
            least = length_[column];
            if (row_of_[column] == kNone) {
                sink = column;
            } else {
                reached.push_back(column);
                row = row_of_[column];
            }
        }
        row_price_[start] += least;
        for (const std::size_t column : reached) {
            row_price_[row_of_[column]] += least - length_[column];
            column_price_[column] -= least - length_[column];
        }
        for (std::size_t column = sink, from = kNone; from != start;) {
            from = previous_[column];
            row_of_[column] = from;
            std::swap(column_of_[from], column);
        }
    }
    /// Extends the paths by `row`, whose distance from the start is `least`. Returns the index in open_ of the nearest
    /// column.
    std::size_t nearest(std::size_t row, double least, std::size_t open) {
        const double* costs = &costs_[row * row_of_.size()];
        const double row_price = row_price_[row];
        std::size_t best = 0;
        double shortest = kInfinity;
        for (std::size_t k = 0; k < open; ++k) {
            const std::size_t j = open_[k];
            const double length = least + costs[j] - row_price - column_price_[j];
            if (length < length_[j]) {
                length_[j] = length;
                previous_[j] = row;
            }
            // Among equal lengths, prefers a free column, which ends the path.
            if (length_[j] < shortest || (length_[j] == shortest && row_of_[j] == kNone)) {
                shortest = length_[j];
                best = k;
            }
        }
        return best;
    }

    const std::vector<double> costs_;
    std::vector<double> row_price_, column_price_;
    std::vector<std::size_t> column_of_, row_of_;
    std::vector<double> length_;         // length of the shortest path to each column
    std::vector<std::size_t> previous_;  // for each column: the row before it on the shortest path to it
    std::vector<std::size_t> open_;      // the first `open` entries: columns whose path is not final
};

}  // namespace

void solve_linear_assignment(const qapfw_matrix& costs, bool maximize, std::int64_t* columns) {
    if (costs.type != QAPFW_TYPE_FLOAT64) {
        throw Error(ErrorKind::kUsage, fmt::format("costs: its type is {}; QAPFW_TYPE_FLOAT64 was wanted", costs.type));
    }
    if (costs.rows > costs.columns) {
        throw Error(ErrorKind::kInput, fmt::format("costs is {} x {}; at least as many columns as rows are wanted",
                                                   costs.rows, costs.columns));
    }
    if (costs.rows == 0) return;
    if (costs.data == nullptr) throw Error(ErrorKind::kUsage, "costs: its data is a null pointer");
    AugmentingPaths paths(dense_costs(costs, maximize ? -1 : 1), costs.rows, costs.columns);
    for (const std::size_t column : paths.solve()) *columns++ = static_cast<std::int64_t>(column);
}

}  // namespace qapfw::framework
