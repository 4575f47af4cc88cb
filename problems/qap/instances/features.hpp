// SPDX-License-Identifier: Apache-2.0
// Numbers that describe the matrices of an instance, for solvers that order their first tries by them.
#pragma once

#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/features.hpp"

namespace qapfw::qap {

/// Emits numbers about the matrix with more zeros ("sparser"; the flows if both have equally many) and about the other
/// one ("denser"), without their diagonals:
///   density    the fraction of entries that are not 0
///   skew       the standard deviation divided by the mean
///   values     how many different entries there are
///   symmetric  1 if it is symmetric, else 0
///   rank       the rank divided by n
/// Emits nothing for n above 256, or if facilities have linear costs. O(n^3).
void tell_features(const QapMatrices& matrices, const sdk::EmitFeature& emit);

}  // namespace qapfw::qap
