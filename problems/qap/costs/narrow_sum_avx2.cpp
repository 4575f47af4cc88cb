// SPDX-License-Identifier: Apache-2.0
// The sum of narrow_sum.hpp with AVX2. Compile with -mavx2. A tile has 8 positions i and 16 locations l; each half of a
// vector has eight locations. Rows of a (along i) are interleaved in pairs of locations, rows of b (along l) are
// transposed in units of such pairs. Then one multiply-add multiplies matching entries.
#include <immintrin.h>

#include "problems/qap/costs/narrow_sum.hpp"

namespace qapfw::qap {
namespace {

struct Turned {
    /// The lower half of pair[k] has eight entries: entries 2k and 2k + 1 of the lower halves of four rows, row by row.
    /// The upper half has the same entries of the upper halves.
    __m256i pair[4];
};

Turned turn(const __m256i (&rows)[8], int first) {
    const __m256i a = _mm256_unpacklo_epi32(rows[first], rows[first + 1]);
    const __m256i b = _mm256_unpacklo_epi32(rows[first + 2], rows[first + 3]);
    const __m256i c = _mm256_unpackhi_epi32(rows[first], rows[first + 1]);
    const __m256i d = _mm256_unpackhi_epi32(rows[first + 2], rows[first + 3]);
    return {{_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), _mm256_unpacklo_epi64(c, d),
             _mm256_unpackhi_epi64(c, d)}};
}

/// A vector with eight entries of row `low` in its lower half, and eight of row `high` in its upper half.
__m256i row_pair(const int16_t* low, const int16_t* high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
                                   _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

/// Adds the eight 32-bit lanes of `sums` to the four 64-bit lanes of `total`, two to each.
__m256i widened(__m256i total, __m256i sums) {
    total = _mm256_add_epi64(total, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)));
    return _mm256_add_epi64(total, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1)));
}

/// Adds up the products of one tile: eight positions and the locations l to l + 15. The result's eight 32-bit lanes are
/// partial sums.
__m256i tile_sum(const int16_t* const (&a_rows)[16], const int16_t* const (&b_rows)[8], uint32_t l) {
    __m256i rows[8];
    for (int k = 0; k < 8; ++k) rows[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b_rows[k] + l));
    const Turned lower = turn(rows, 0), upper = turn(rows, 4);
    __m256i sum = _mm256_setzero_si256();
    for (int k = 0; k < 4; ++k) {
        const __m256i even = row_pair(a_rows[2 * k], a_rows[2 * k + 8]);
        const __m256i odd = row_pair(a_rows[2 * k + 1], a_rows[2 * k + 9]);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_unpacklo_epi16(even, odd), lower.pair[k]));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_unpackhi_epi16(even, odd), upper.pair[k]));
    }
    return sum;
}

}  // namespace

int64_t narrow_sum_avx2(const NarrowMatrices& m, const uint16_t* p, const uint16_t* inverse) {
    __m256i total = _mm256_setzero_si256(), sums = total;
    uint32_t tiles = 0;
    for (uint32_t l = 0; l < m.n; l += 16) {
        const int16_t* columns[16];
        for (uint32_t k = 0; k < 16; ++k) {
            columns[k] = m.a_transposed + (l + k < m.n ? size_t{inverse[l + k]} * m.stride : 0);
        }
        for (uint32_t i = 0; i < m.n; i += 8) {
            const int16_t *a_rows[16], *b_rows[8];
            for (uint32_t k = 0; k < 16; ++k) a_rows[k] = columns[k] + i;
            for (uint32_t k = 0; k < 8; ++k) {
                b_rows[k] = m.b + (i + k < m.n ? size_t{p[i + k]} * m.stride : 0);
            }
            sums = _mm256_add_epi32(sums, tile_sum(a_rows, b_rows, l));
            if (++tiles < m.tiles) continue;
            total = widened(total, sums);
            sums = _mm256_setzero_si256();
            tiles = 0;
        }
    }
    total = widened(total, sums);
    alignas(32) int64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), total);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

}  // namespace qapfw::qap
