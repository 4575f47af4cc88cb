// SPDX-License-Identifier: Apache-2.0
// The cost by the trace formulation, as the thesis of PGAGrid evaluates it (2018, formulation 2.2 and section 3.2).
// With the permutation matrix X of p, x_ij = 1 if p(i) = j,
//   sum_ij a_ij b_p(i)p(j) = trace(A X B^T X^T) = sum over i, l of (A X)_il (X B)_il.
// The thesis keeps X and the products in memory. A group, which may be a single thread, has no room for them here. So
// each entry of X is found by a comparison where a product needs it, and each entry of a product is summed up where the
// trace needs it. The work is still that of both products, O(n^3). This text comes after qap_problem.cuh.

namespace qapfw::qap {

/// The cost by the threads of `group`, each of which takes some of the columns l; `solution` as in qap::cost.
template <class Group, class Solution>
QAPFW_DEVICE int64_t trace_cost(Group group, const View& view, Solution solution) {
    int64_t sum = 0;
    for (int i = 0; i < kN; ++i) {
        for (int l = group.rank(); l < kN; l += group.size()) {
            int64_t ax = 0, xb = 0;
            for (int k = 0; k < kN; ++k) {
                const int64_t x_kl = solution(k) == l ? 1 : 0, x_ik = solution(i) == k ? 1 : 0;
                ax += static_cast<int64_t>(view.a[i * kRow + k]) * x_kl;
                xb += x_ik * static_cast<int64_t>(view.b[k * kRow + l]);
            }
            sum += ax * xb;
        }
    }
    return cost_from_sum(view, group.sum(sum));
}

}  // namespace qapfw::qap
