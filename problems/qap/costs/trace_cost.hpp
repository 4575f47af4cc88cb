// SPDX-License-Identifier: Apache-2.0
// Costs by the trace formulation, as the thesis of PGAGrid evaluates them (2018, formulation 2.2 and section 3.2). With
// the permutation matrix X of p, x_ij = 1 if p(i) = j,
//   cost(p) = trace(A X B^T X^T) = sum over i of row i of A X times row i of X B.
// A X and X B are products of matrices, O(n^3). The formulation serves only for comparisons with the direct sum, on the
// CPU.
#pragma once

#include <cstdint>
#include <optional>

#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// The exact cost of a permutation; nothing if `stop` became true first. `matrices` must have passed cost_bounds().
/// Each calling thread keeps memory for the n * n entries of the permutation matrix X.
std::optional<int64_t> trace_cost(const QapMatrices& matrices, const uint16_t* p, const sdk::StopQuestion& stop = {});

}  // namespace qapfw::qap
