// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/gilmore_lawler.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "problems/qap/bounds/linear_assignment.hpp"

namespace qapfw::qap {
namespace {

__extension__ using Wide = __int128;

/// Returns the rows of an m x m matrix, each without its diagonal entry and sorted by `order`.
template <class Order>
std::vector<int64_t> sorted_rows(const std::vector<int64_t>& matrix, std::size_t m, Order order) {
    std::vector<int64_t> rows;
    rows.reserve(m * (m - 1));
    for (std::size_t i = 0; i < m; ++i) {
        const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(i * m);
        const auto diagonal = row + static_cast<std::ptrdiff_t>(i);
        const auto start = static_cast<std::ptrdiff_t>(rows.size());
        rows.insert(rows.end(), row, diagonal);
        rows.insert(rows.end(), diagonal + 1, row + static_cast<std::ptrdiff_t>(m));
        std::sort(rows.begin() + start, rows.end(), order);
    }
    return rows;
}

}  // namespace

std::optional<int64_t> gilmore_lawler_bound(const BoundTerms& terms, const sdk::StopQuestion& stop) {
    const std::size_t m = terms.m;
    if (m == 0) return terms.constant;
    const std::vector<int64_t> a = sorted_rows(terms.a, m, std::less<>());
    const std::vector<int64_t> b = sorted_rows(terms.b, m, std::greater<>());
    // The products of all rows together count each pair of facilities twice, once in each direction. If the cost counts
    // each pair once, twice the cost is computed here and halved at the end.
    const int64_t scale = terms.symmetric && terms.factor == 1 ? 2 : 1;
    std::vector<Wide> costs(m * m);
    Wide greatest = 1;
    for (std::size_t i = 0; i < m; ++i) {
        if (stop()) return std::nullopt;
        for (std::size_t j = 0; j < m; ++j) {
            const int64_t* const x = a.data() + i * (m - 1);
            const int64_t* const y = b.data() + j * (m - 1);
            int64_t product = 0;  // Fits 64 bits: it sums some of the terms of one solution's cost.
            for (std::size_t k = 0; k + 1 < m; ++k) product += x[k] * y[k];
            Wide& cost = costs[i * m + j] = Wide{product} + Wide{scale} * terms.linear[i * m + j];
            greatest = std::max(greatest, cost < 0 ? -cost : cost);
        }
    }
    int shift = 0;
    while ((greatest >> shift) > (Wide{1} << 48)) ++shift;
    std::vector<int64_t> rounded(m * m);
    std::transform(costs.begin(), costs.end(), rounded.begin(),
                   [&](Wide c) { return static_cast<int64_t>(c >> shift); });
    const Wide sum = Wide{LinearAssignment().reduce(rounded.data(), m, m)} << shift;
    const Wide half_up = scale == 1 ? sum : (sum + 1) >> 1;
    return static_cast<int64_t>(half_up + terms.constant);
}

}  // namespace qapfw::qap
