// SPDX-License-Identifier: Apache-2.0
// Numbers that describe the matrices of an instance, for solvers that order their first tries by these numbers.
#pragma once

#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/features.hpp"

namespace qapfw::qap {

/// Emits five numbers about each of the two matrices. The matrix with more zeros is called "sparser" (the flows if both
/// have equally many), the other one "denser". Diagonals count only for the rank.
///   density    the fraction of entries that are not 0
///   skew       the standard deviation divided by the absolute mean; 0 if the mean is 0
///   values     how many different entries there are
///   symmetric  1 if the matrix is symmetric, else 0
///   rank       the rank divided by n
/// Emits nothing for n below 2 or above 256, or if facilities have linear costs. O(n^3).
void tell_features(const QapMatrices& matrices, const sdk::EmitFeature& emit);

}  // namespace qapfw::qap
