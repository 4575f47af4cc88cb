// SPDX-License-Identifier: Apache-2.0
// Costs of solutions on the CPU. For genetic algorithms, also costs of children whose parents are known: if few
// positions changed, a child's cost is the parent's plus what these positions add. Otherwise the cost is the whole sum,
// computed with vector instructions if the CPU has them and entries fit 16 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/qap/costs/narrow_sum.hpp"
#include "problems/qap/instruction_set.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// Computes costs of solutions of one instance. An object is immutable, and any number of threads may use it.
class ChildCosts {
  public:
    /// `matrices` must have passed cost_bounds() and must outlive this object.
    explicit ChildCosts(const QapMatrices& matrices, Isa isa = preferred_isa());
    ChildCosts(const ChildCosts&) = delete;  // views point into this object
    ChildCosts& operator=(const ChildCosts&) = delete;

    /// The exact cost of a permutation.
    int64_t of(const uint16_t* p) const;
    /// The exact cost of `child`; `of_parent` is the cost of `parent`.
    int64_t after(const uint16_t* parent, int64_t of_parent, const uint16_t* child) const;

  private:
    void make_narrow();
    uint64_t sum_of(const uint16_t* p) const;
    uint64_t change_of(const uint16_t* parent, const uint16_t* child, const std::vector<uint32_t>& changed) const;
    uint64_t on_diagonal(uint32_t i, const uint16_t* p) const;

    const QapMatrices* matrices_;
    uint32_t n_;
    bool usable_ = false;      ///< true if entries fit in 31 bits; if false, evaluate() computes all costs
    bool symmetric_ = false;   ///< true if both a_ and b_ are symmetric; see normal_form.hpp
    bool diagonal_ = false;    ///< true if the diagonals of both matrices have values other than 0
    uint64_t factor_ = 1;      ///< cost = factor * (sum of products over i < j if symmetric, else i != j) + other terms
    uint32_t worthwhile_ = 0;  ///< largest number of changed positions for which after() computes only the change
    std::vector<int32_t> a_, b_, a_diagonal_, b_diagonal_;
    std::vector<int16_t> narrow_a_transposed_, narrow_b_;
    NarrowMatrices narrow_{};  ///< points to the copies with 16-bit entries; if `tiles` is 0, there are no such copies
};

}  // namespace qapfw::qap
