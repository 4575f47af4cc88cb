// SPDX-License-Identifier: Apache-2.0
// Costs by the trace formulation, as the thesis of PGAGrid evaluates them (2018, formulation 2.2 and section 3.2): with
// the permutation matrix X of p, x_ij = 1 where p(i) = j,
//   cost(p) = trace(A X B^T X^T) = sum over i of row i of A X times row i of X B.
// Two products of matrices, O(n^3): for comparisons with the direct sum.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "problems/qap/matrices.hpp"
#include "problems/qap/swap_data.hpp"
#include "problems/qap/trace_product.hpp"

namespace qapfw::qap {

/// Rows are `stride` entries apart and zero beyond n; zero rows fill the last kProductRows.
template <class Entry>
struct TraceMatrices {
    uint32_t n = 0, rows = 0, stride = 0;
    std::vector<Entry> a, b;
    RowProduct<Entry> multiply = nullptr;
};

/// One for each instance; immutable, for any number of threads, each of which keeps n * n entries for X.
class TraceCost {
  public:
    /// `matrices` must have passed cost_bounds().
    explicit TraceCost(const QapMatrices& matrices, Isa isa = preferred_isa());

    /// The exact cost of a permutation.
    int64_t of(const uint16_t* p) const;

  private:
    /// In the narrowest type: an entry of A X or X B is one of A or B.
    std::variant<TraceMatrices<int16_t>, TraceMatrices<int32_t>, TraceMatrices<int64_t>> matrices_;
};

}  // namespace qapfw::qap
