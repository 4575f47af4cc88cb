// SPDX-License-Identifier: Apache-2.0
// Robust tabu search as it is usually written (Taillard 1991): scalar, with one n x n table of deltas. Untouched pairs
// are updated in O(1), touched ones recomputed in O(n). Source: Tsutsui and Fujimoto, MEDAL Report 2011005, section 4.2
// and Eqs. 4 and 5 for symmetric matrices with zero diagonals; the last bracket of Eq. 5 is corrected. A benchmark
// compares the speed of the program's tabu search with it, and a test compares moves and costs.
#pragma once

#include <cstdint>
#include <vector>

namespace qapfw::bench {

class RobustTabuBaseline {
  public:
    /// `a` and `b` are symmetric matrices with zero diagonals and n * n entries. The deltas of swaps must fit 32 bits.
    RobustTabuBaseline(uint32_t n, std::vector<int32_t> a, std::vector<int32_t> b);

    struct Move {
        uint32_t i, j;
        int32_t delta;
    };

    void start(const std::vector<uint16_t>& p);
    /// Makes one iteration. Returns false if no move was admissible. `tenure_i` and `tenure_j` belong to the lower and
    /// the higher position of the move. Of equal moves the smallest (i, j) is taken.
    bool step(int32_t tenure_i, int32_t tenure_j, Move* made);

    int64_t cost() const { return cost_; }
    int64_t best_cost() const { return best_cost_; }
    const std::vector<uint16_t>& solution() const { return p_; }

  private:
    int32_t compute_delta(uint32_t r, uint32_t s) const;
    int32_t update_delta(uint32_t u, uint32_t v, uint32_t r, uint32_t s) const;

    uint32_t n_;
    std::vector<int32_t> a_, b_, delta_, expiry_;
    std::vector<uint16_t> p_;
    int64_t cost_ = 0, best_cost_ = 0;
    int32_t iteration_ = 0;
};

}  // namespace qapfw::bench
