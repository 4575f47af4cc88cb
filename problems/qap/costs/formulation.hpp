// SPDX-License-Identifier: Apache-2.0
// The formulations of the QAP by which the cost of a whole solution can be computed. They give the same number.
#pragma once

namespace qapfw::qap {

/// In the order of the parameter's choices.
enum class Formulation {
    kDirect,  ///< sum over i, j of a_ij b_p(i)p(j), O(n^2)
    kTrace,   ///< trace(A X B^T X^T) with the permutation matrix X of p, O(n^3)
};
inline constexpr const char* kFormulationChoices = "direct|trace";

}  // namespace qapfw::qap
