// SPDX-License-Identifier: Apache-2.0
// The sum of a cost's products by vector instructions, for matrices with 16-bit entries. With q the inverse of p,
// sum_ij a_ij b_p(i)p(j) = sum_il a_iq(l) b_p(i)l. So rows of the transposed a in the order of q are multiplied by rows
// of b in the order of p, without gathers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::qap {

/// Number of products that one tile (8 positions by 16 locations) adds to each 32-bit lane of a vector.
constexpr uint32_t kNarrowProducts = 16;

/// Matrices of n rows of 16-bit entries. Rows are `stride` elements apart, a multiple of 16. Elements of a row from
/// index n on are 0.
struct NarrowMatrices {
    const int16_t* a_transposed;
    const int16_t* b;
    uint32_t n, stride;
    uint32_t tiles;  ///< largest number of tiles that 32-bit lanes can add up without overflow; at least 1
};

/// sum_ij a_ij b_p(i)p(j) with AVX2; `inverse` is the inverse of p.
int64_t narrow_sum_avx2(const NarrowMatrices& matrices, const uint16_t* p, const uint16_t* inverse);

}  // namespace qapfw::qap
