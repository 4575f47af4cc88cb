// SPDX-License-Identifier: Apache-2.0
// Multiplies matrix rows in device memory by two vectors, 16 bytes of a row at a time. One-byte entries are multiplied
// on the tensor cores, or four at a time. This text comes after qap_problem.cuh.
#include "problems/qap/device/tensor_core.cuh"

namespace qapfw::qap {

struct alignas(16) RowPack {
    uint32_t word[4];
};
constexpr int kPackElements = static_cast<int>(sizeof(RowPack) / sizeof(Element));
constexpr int kRowPacks = kRow / kPackElements;
static_assert(kRow % kPackElements == 0, "rows that are read by packs begin at multiples of 16 bytes");

/// A value for each of the two swapped positions.
struct alignas(2 * sizeof(Sum)) Both {
    Sum r, s;
};

QAPFW_DEVICE uint32_t dot_of_bytes(uint32_t a, uint32_t b, uint32_t sum) {
#if defined(__CUDA_ARCH__)
    return __dp4a(a, b, sum);
#else
    for (int k = 0; k < 4; ++k) sum += (a >> 8 * k & 255u) * (b >> 8 * k & 255u);
    return sum;
#endif
}

/// Adds two dot products over one pack of 16 bytes: `row` times `r` to sum.r, and `row` times `s` to sum.s.
QAPFW_DEVICE void add_products(Both& sum, const RowPack& row, const RowPack& r, const RowPack& s) {
    if constexpr (sizeof(Element) == 1) {
        uint32_t of_r = 0, of_s = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            of_r = dot_of_bytes(row.word[k], r.word[k], of_r);
            of_s = dot_of_bytes(row.word[k], s.word[k], of_s);
        }
        sum.r += static_cast<Sum>(of_r);
        sum.s += static_cast<Sum>(of_s);
    } else {
        constexpr int kBits = 8 * static_cast<int>(sizeof(Element));
        const auto entry = [](uint32_t word, int at) { return static_cast<Sum>(static_cast<Element>(word >> at)); };
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int at = 0; at < 32; at += kBits) {
                sum.r += entry(row.word[k], at) * entry(r.word[k], at);
                sum.s += entry(row.word[k], at) * entry(s.word[k], at);
            }
    }
}

QAPFW_DEVICE RowPack pack_of(const Element* entries, int pack) {
    return reinterpret_cast<const RowPack*>(entries)[pack];
}
QAPFW_DEVICE RowPack pack_or_zeros(const Element* entries, int pack) {
    return pack < kRowPacks ? pack_of(entries, pack) : RowPack{{0, 0, 0, 0}};
}

#if defined(__CUDA_ARCH__)
/// The products of 16 rows of bytes with two vectors, in the layout of mma.m16n8k32. Lane l has the products of rows
/// l / 4 and l / 4 + 8.
struct ByteSums {
    int32_t sums[4] = {0, 0, 0, 0};

    /// Adds the products of the rows with vectors[0] and vectors[1]. Lane l passes row l / 4 as `low` and row l / 4 + 8
    /// as `high`. Four lanes work on one row, and each of them reads a pack of 16 bytes at a time. An instruction
    /// multiplies two words of each of these four packs by eight vectors: vectors[0] and vectors[1], four times each.
    QAPFW_DEVICE void add_rows(const Element* low, const Element* high, const Element (&vectors)[2][kRow]) {
        const int lane = static_cast<int>(threadIdx.x & 31u);
        const Element* const vector = vectors[lane / 4 % 2];
#pragma unroll 4
        for (int first = 0; first < kRowPacks; first += 4) {
            const int pack = first + lane % 4;
            const RowPack l = pack_or_zeros(low, pack), h = pack_or_zeros(high, pack), v = pack_or_zeros(vector, pack);
            kernels::add_byte_products(sums, l.word[0], h.word[0], l.word[1], h.word[1], v.word[0], v.word[1]);
            kernels::add_byte_products(sums, l.word[2], h.word[2], l.word[3], h.word[3], v.word[2], v.word[3]);
        }
    }
    /// Returns the sums of one row. Lane l gets row l / 4 if `which` is 0, and row l / 4 + 8 if `which` is 1. The four
    /// lanes of a row get the same sums.
    QAPFW_DEVICE Both of_row(int which) const {
        return {static_cast<Sum>(sums[2 * which]), static_cast<Sum>(sums[2 * which + 1])};
    }
};
#endif

}  // namespace qapfw::qap
