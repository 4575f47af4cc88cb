// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/trace_cost.hpp"

#include <numeric>
#include <vector>

namespace qapfw::qap {

/// X is the permutation matrix of p. For each i, row i of A X times row i of X B is the sum of a_ij b_p(i)p(j) over all
/// j. These are terms of the cost, and each term is added once. So the bound of cost_bounds() holds for every partial
/// sum.
std::optional<int64_t> trace_cost(const QapMatrices& matrices, const uint16_t* p, const sdk::StopQuestion& stop) {
    constexpr std::size_t kLong = 256;  // from this n on, a row takes some microseconds
    thread_local std::vector<int64_t> x, ax, xb;
    const std::size_t n = matrices.n;
    x.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) x[i * n + p[i]] = 1;
    int64_t trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (n >= kLong && stop()) return std::nullopt;
        ax.assign(n, 0);
        xb.assign(n, 0);
        for (std::size_t k = 0; k < n; ++k) {
            const int64_t a = matrices.a[i * n + k], chosen = x[i * n + k];
            const int64_t *const row_of_x = &x[k * n], *const row_of_b = &matrices.b[k * n];
            for (std::size_t l = 0; l < n; ++l) {
                ax[l] += a * row_of_x[l];
                xb[l] += chosen * row_of_b[l];
            }
        }
        trace = std::inner_product(ax.begin(), ax.end(), xb.begin(), trace);
    }
    return trace;
}

}  // namespace qapfw::qap
