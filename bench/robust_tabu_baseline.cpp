// SPDX-License-Identifier: Apache-2.0
// The classical robust tabu search. It is not vectorised, on purpose. Compile it with -O3 and no -march flag.
#include "bench/robust_tabu_baseline.hpp"

#include <cstddef>
#include <utility>

namespace qapfw::bench {

RobustTabuBaseline::RobustTabuBaseline(uint32_t n, std::vector<int32_t> a, std::vector<int32_t> b)
    : n_(n), a_(std::move(a)), b_(std::move(b)), delta_(size_t{n} * n), expiry_(size_t{n} * n), p_(n) {}

void RobustTabuBaseline::start(const std::vector<uint16_t>& p) {
    p_ = p;
    cost_ = 0;
    for (uint32_t i = 0; i < n_; ++i)
        for (uint32_t j = 0; j < n_; ++j) cost_ += int64_t{a_[size_t{i} * n_ + j]} * b_[size_t{p_[i]} * n_ + p_[j]];
    best_cost_ = cost_;
    iteration_ = 0;
    expiry_.assign(expiry_.size(), 0);
    for (uint32_t i = 0; i < n_; ++i)
        for (uint32_t j = i + 1; j < n_; ++j) delta_[size_t{i} * n_ + j] = compute_delta(i, j);
}

/// Equation 4 of MEDAL Report 2011005 for symmetric matrices: O(n).
int32_t RobustTabuBaseline::compute_delta(uint32_t r, uint32_t s) const {
    const int32_t *a_r = &a_[size_t{r} * n_], *a_s = &a_[size_t{s} * n_];
    const int32_t *b_r = &b_[size_t{p_[r]} * n_], *b_s = &b_[size_t{p_[s]} * n_];
    int32_t sum = 0;
    for (uint32_t k = 0; k < n_; ++k)
        if (k != r && k != s) sum += (a_r[k] - a_s[k]) * (b_s[p_[k]] - b_r[p_[k]]);
    return 2 * sum;
}

/// Equation 5 of MEDAL Report 2011005 for symmetric matrices: O(1). {u, v} and the swapped {r, s} must be disjoint.
int32_t RobustTabuBaseline::update_delta(uint32_t u, uint32_t v, uint32_t r, uint32_t s) const {
    const int32_t *a_r = &a_[size_t{r} * n_], *a_s = &a_[size_t{s} * n_];
    const int32_t *b_r = &b_[size_t{p_[r]} * n_], *b_s = &b_[size_t{p_[s]} * n_];
    return delta_[size_t{u} * n_ + v] +
           2 * (a_r[u] - a_r[v] + a_s[v] - a_s[u]) * (b_s[p_[u]] - b_s[p_[v]] + b_r[p_[v]] - b_r[p_[u]]);
}

bool RobustTabuBaseline::step(int32_t tenure_i, int32_t tenure_j, Move* made) {
    uint32_t r = n_, s = n_;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < n_; ++i)
        for (uint32_t j = i + 1; j < n_; ++j) {
            const int32_t delta = delta_[size_t{i} * n_ + j];
            if (delta >= least) continue;
            const bool tabu =
                expiry_[size_t{i} * n_ + p_[j]] > iteration_ && expiry_[size_t{j} * n_ + p_[i]] > iteration_;
            if (!tabu || cost_ + delta < best_cost_) least = delta, r = i, s = j;
        }
    const int32_t now = iteration_++;
    if (r == n_) return false;
    *made = Move{r, s, least};
    expiry_[size_t{r} * n_ + p_[r]] = now + tenure_i;
    expiry_[size_t{s} * n_ + p_[s]] = now + tenure_j;
    std::swap(p_[r], p_[s]);
    cost_ += least;
    if (cost_ < best_cost_) best_cost_ = cost_;
    for (uint32_t i = 0; i < n_; ++i)
        for (uint32_t j = i + 1; j < n_; ++j)
            delta_[size_t{i} * n_ + j] =
                i != r && i != s && j != r && j != s ? update_delta(i, j, r, s) : compute_delta(i, j);
    return true;
}

}  // namespace qapfw::bench
