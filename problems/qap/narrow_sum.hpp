// SPDX-License-Identifier: Apache-2.0
// The cost sum of narrow matrices by vectors. With q the inverse of p, sum_ij a_ij b_p(i)p(j) = sum_il a_iq(l) b_p(i)l:
// rows of the transposed a taken by q meet rows of b taken by p, without any gathering.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::qap {

/// Products that one tile adds to a 32-bit lane.
constexpr uint32_t kNarrowProducts = 16;

/// Matrices of 16-bit entries; rows `stride` elements apart, a multiple of 16, zero beyond n.
struct NarrowMatrices {
    const int16_t* a_transposed;
    const int16_t* b;
    uint32_t n, stride;
    uint32_t tiles;  ///< that a 32-bit lane holds the products of; at least 1
};

/// sum_ij a_ij b_p(i)p(j) with AVX2; `inverse` is p's.
int64_t narrow_sum_avx2(const NarrowMatrices& matrices, const uint16_t* p, const uint16_t* inverse);

}  // namespace qapfw::qap
