// SPDX-License-Identifier: Apache-2.0
// Costs of children of known parents on the CPU, as a genetic algorithm asks for them, and of whole solutions: where
// few positions changed from what the changed ones add, else the whole sum, by vectors where entries are narrow.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/qap/matrices.hpp"
#include "problems/qap/narrow_sum.hpp"
#include "problems/qap/swap_data.hpp"

namespace qapfw::qap {

/// One for each instance; immutable, for any number of threads.
class ChildCosts {
  public:
    /// `matrices` must have passed cost_bounds() and outlive this.
    explicit ChildCosts(const QapMatrices& matrices, Isa isa = preferred_isa());
    ChildCosts(const ChildCosts&) = delete;  // views point into this object
    ChildCosts& operator=(const ChildCosts&) = delete;

    /// The exact cost of a permutation.
    int64_t of(const uint16_t* p) const;
    /// The exact cost of `child`; `of_parent` is that of `parent`.
    int64_t after(const uint16_t* parent, int64_t of_parent, const uint16_t* child) const;

  private:
    void make_symmetric();
    void make_narrow();
    uint64_t sum_of(const uint16_t* p) const;
    uint64_t change_of(const uint16_t* parent, const uint16_t* child, const std::vector<uint32_t>& changed) const;
    uint64_t on_diagonal(uint32_t i, const uint16_t* p) const;

    const QapMatrices* matrices_;
    uint32_t n_;
    bool usable_ = false;      ///< entries fit 32 bits
    bool symmetric_ = false;   ///< both, after one was replaced by its sum with its transpose
    bool diagonal_ = false;    ///< the diagonals meet
    uint64_t factor_ = 1;      ///< cost = factor * sum over i < j (symmetric) or over i != j, and the diagonals
    uint32_t worthwhile_ = 0;  ///< changed positions up to which the difference pays
    std::vector<int32_t> a_, b_, a_diagonal_, b_diagonal_;
    std::vector<int16_t> narrow_a_transposed_, narrow_b_;
    NarrowMatrices narrow_{};  ///< views of these; none where `tiles` is 0
};

}  // namespace qapfw::qap
