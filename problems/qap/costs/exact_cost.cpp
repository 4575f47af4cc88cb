// SPDX-License-Identifier: Apache-2.0
// Exact costs and their bounds, see exact_cost.hpp. Hardy, Littlewood, Polya, Inequalities, theorem 368: a sum of
// products of two sequences is greatest if both are sorted alike, and least if they are sorted in opposite orders.
#include "problems/qap/costs/exact_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

std::vector<int64_t> sorted_entries(const std::vector<int64_t>& matrix, uint32_t n, bool diagonal) {
    std::vector<int64_t> out;
    out.reserve(diagonal ? n : matrix.size());
    for (std::size_t i = 0; i < n; ++i) {
        const int64_t* row = matrix.data() + i * n;
        if (diagonal) {
            out.push_back(row[i]);
        } else {
            out.insert(out.end(), row, row + i);
            out.insert(out.end(), row + i + 1, row + n);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

uint64_t magnitude_of(int64_t value) {
    return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

std::vector<uint64_t> sorted_magnitudes(const std::vector<int64_t>& values) {
    std::vector<uint64_t> out(values.size());
    std::transform(values.begin(), values.end(), out.begin(), magnitude_of);
    std::sort(out.begin(), out.end(), std::greater<>());
    return out;
}

/// Adds the greatest sum of |a| |b| to `sum`; false as soon as it exceeds kCostLimit.
bool add_magnitude(const std::vector<int64_t>& a, const std::vector<int64_t>& b, WideUnsigned& sum) {
    const std::vector<uint64_t> x = sorted_magnitudes(a);
    const std::vector<uint64_t> y = sorted_magnitudes(b);
    for (std::size_t k = 0; k < x.size(); ++k) {
        sum += WideUnsigned{x[k]} * y[k];  // at most 2^126 above a sum of at most 2^62
        if (sum > static_cast<WideUnsigned>(kCostLimit)) return false;
    }
    return true;
}

/// Adds the least and the greatest sum of products; |each| <= kCostLimit once add_magnitude() accepted the same data.
void add_bounds(const std::vector<int64_t>& a, const std::vector<int64_t>& b, CostBounds& bounds) {
    Wide lower = 0;
    Wide upper = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        upper += Wide{a[k]} * b[k];
        lower += Wide{a[k]} * b[b.size() - 1 - k];
    }
    bounds.lower += static_cast<int64_t>(lower);
    bounds.upper += static_cast<int64_t>(upper);
}

}  // namespace

CostBounds cost_bounds(const QapMatrices& matrices, const std::string& source) {
    CostBounds bounds;
    WideUnsigned magnitude = 0;
    for (const bool diagonal : {true, false}) {
        const std::vector<int64_t> a = sorted_entries(matrices.a, matrices.n, diagonal);
        const std::vector<int64_t> b = sorted_entries(matrices.b, matrices.n, diagonal);
        if (!add_magnitude(a, b, magnitude)) {
            throw Error(
                ErrorKind::kInput,
                fmt::format("{}: the entries are too large for exact 64-bit costs: the terms of one cost may add up "
                            "to more than 2^62 = {} in absolute value; divide the entries or lower the scale",
                            source, kCostLimit));
        }
        add_bounds(a, b, bounds);
    }
    bounds.magnitude = static_cast<int64_t>(magnitude);
    return bounds;
}

int64_t evaluate(const QapMatrices& matrices, const uint16_t* p) {
    const std::size_t n = matrices.n;
    int64_t cost = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const int64_t* a_row = matrices.a.data() + i * n;
        const int64_t* b_row = matrices.b.data() + p[i] * n;
        for (std::size_t j = 0; j < n; ++j) cost += a_row[j] * b_row[p[j]];
    }
    return cost;
}

}  // namespace qapfw::qap
