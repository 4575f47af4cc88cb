// SPDX-License-Identifier: Apache-2.0
// The exact cost of a permutation, and bounds that hold for every permutation. The bounds prove before a run that
// 64-bit costs cannot overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// Bounds of cost(p) over all p. The rearrangement inequality gives these bounds, for the diagonal and the other
/// entries separately. Each facility's least and largest linear cost are added.
struct CostBounds {
    int64_t lower = 0;
    int64_t upper = 0;
    int64_t magnitude = 0;  ///< bound of every partial sum of a cost's terms, in absolute value
};

/// Largest allowed sum of terms, in absolute value. Below 2^62 the difference of any two costs fits 64 bits, and so
/// does every partial sum of this difference.
inline constexpr int64_t kCostLimit = (int64_t{1} << 62) - 1;

/// Returns the bounds of the costs. Throws Error(kInput), which names `source`, if CostBounds::magnitude would exceed
/// kCostLimit. O(n^2 log n).
CostBounds cost_bounds(const QapMatrices& matrices, const std::string& source);
/// Returns the same bounds as cost_bounds(), or nothing if CostBounds::magnitude would exceed kCostLimit.
std::optional<CostBounds> try_cost_bounds(const QapMatrices& matrices);

/// The cost of p by its definition, in O(n^2). The cost is exact for every permutation once cost_bounds() has accepted
/// the matrices. p must hold a permutation of 0..n-1.
int64_t evaluate(const QapMatrices& matrices, const uint16_t* p);
/// The linear part of the cost of p, including the penalties of forbidden pairs.
int64_t linear_cost(const QapMatrices& matrices, const uint16_t* p);

}  // namespace qapfw::qap
