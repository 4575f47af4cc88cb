// SPDX-License-Identifier: Apache-2.0
// Costs by the trace formulation, as the thesis of PGAGrid evaluates them (2018, formulation 2.2 and section 3.2). With
// the permutation matrix X of p, x_ij = 1 if p(i) = j,
//   cost(p) = trace(A X B^T X^T) = sum over i of row i of A X times row i of X B.
// These are two products of matrices, O(n^3). It serves comparisons with the direct sum.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "problems/qap/costs/trace_product.hpp"
#include "problems/qap/instruction_set.hpp"
#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// Rows are `stride` entries apart and zero beyond n. Zero rows fill up the last group of kProductRows rows.
template <class Entry>
struct TraceMatrices {
    uint32_t n = 0, rows = 0, stride = 0;
    std::vector<Entry> a, b;
    RowProduct<Entry> multiply = nullptr;
};

/// There is one object for each instance. It is immutable; any number of threads may use it, and each keeps n * n
/// entries for X.
class TraceCost {
  public:
    /// `matrices` must have passed cost_bounds().
    explicit TraceCost(const QapMatrices& matrices, Isa isa = preferred_isa());

    /// The exact cost of a permutation; nothing where `stop` said so before it was known.
    std::optional<int64_t> of(const uint16_t* p, const sdk::StopQuestion& stop = {}) const;

  private:
    /// The matrices in the narrowest type. An entry of A X or X B is an entry of A or B.
    std::variant<TraceMatrices<int16_t>, TraceMatrices<int32_t>, TraceMatrices<int64_t>> matrices_;
};

}  // namespace qapfw::qap
