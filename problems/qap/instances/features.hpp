// SPDX-License-Identifier: Apache-2.0
// Numbers that say how the matrices of an instance look, for solvers that order their first tries by them.
#pragma once

#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/features.hpp"

namespace qapfw::qap {

/// Hands over, of the matrix with more zeros ("sparser", flows where both have equally many) and of the other one
/// ("denser"), without their diagonals:
///   density    the share of entries that are not 0
///   skew       the standard deviation divided by the mean
///   values     how many different entries there are
///   symmetric  1 where it is, else 0
///   rank       the rank divided by n
/// Nothing for n above 256, and where facilities have costs of their own. O(n^3).
void tell_features(const QapMatrices& matrices, const sdk::EmitFeature& emit);

}  // namespace qapfw::qap
