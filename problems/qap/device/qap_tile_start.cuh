// SPDX-License-Identifier: Apache-2.0
// Computes H = a B^T of a whole permutation p on the tensor cores, where B is b with rows and columns in the order of
// p: B_ij = b_p(i)p(j). The first deltas of a search and its cost follow from H. Strips of columns of H are written to
// shared memory, as many columns at a time as there is room for. This text comes after qap_matrices.cuh and
// qap_tile_shape.cuh.

namespace qapfw::qap {

/// Number of elements in the array of a permutation: n rounded up, since four lanes read 16 elements at a time. The
/// elements past position n - 1 are zero.
constexpr int kPaddedN = divide_up(kN, 16) * 16;

/// An array of kBytes in shared memory; no member if kBytes is not positive.
template <int kBytes, bool kAny = (kBytes > 0)>
struct MoreShared {
    alignas(16) char more[kBytes];
};
template <int kBytes>
struct MoreShared<kBytes, false> {};

/// A lane's part of eight columns of one plane of B^T, in the layout that mma.m16n8k32 needs.
/// Lane l has a quarter of column l / 4.
struct PermutedColumns {
    uint32_t words[kDepthTiles][2];

    /// Loads this lane's quarter of a column of B^T. Entry k of the column is entry solution[k] of row `value` of
    /// `plane`, a plane of b.
    QAPFW_DEVICE void gather(int lane, const uint8_t* plane, int value, const uint16_t* solution) {
        const uint8_t* const row = plane + value * kRowBytes;
        const uint16_t* const own = solution + lane % 4 * 4;
#pragma unroll
        for (int part = 0; part < 2 * kDepthTiles; ++part) {
            uint32_t& word = words[part / 2][part % 2];
            // Past the end of a row of a, a tile may hold entries of the next row. The product multiplies these entries
            // by words past the end of the column, so such words are 0.
            word = 0;
            if (part * 16 >= kN) continue;
            const uint2 values = *reinterpret_cast<const uint2*>(own + part * 16);
            word = row[values.x & 0xFFFFu] | row[values.x >> 16] << 8 | row[values.y & 0xFFFFu] << 16 |
                   static_cast<uint32_t>(row[values.y >> 16]) << 24;
        }
    }
};

/// Adds numbers modulo 2^32 or 2^64. Partial sums may wrap, as long as the final sum fits.
QAPFW_DEVICE int32_t wrapping_sum(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
QAPFW_DEVICE int64_t wrapping_sum(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/// Computes the matrix H (see the head of this file) by a team of warps, with `kBytes` of shared memory.
template <class Group, int kBytes>
struct PermutedProduct {
    static constexpr int kWarps = Group::kThreads / 32;
    static QAPFW_DEVICE constexpr int least(int a, int b) { return a < b ? a : b; }
    /// Columns of a strip are kStride sums apart. With that distance, the eight rows and four columns that a warp
    /// stores at once lie in different banks.
    static constexpr int kBanks = 32 / static_cast<int>(sizeof(Sum));
    static constexpr int kStride = divide_up(kN - kBanks / 2, kBanks) * kBanks + kBanks / 2;
    static constexpr int kFitting = (kBytes - 8 * kWarps) / (kStride * static_cast<int>(sizeof(Sum)));
    static constexpr int kAllTiles = divide_up(kN, 8);  ///< number of tiles, each of eight columns
    static constexpr int kStrips = kFitting >= kN ? 1 : kFitting < 16 ? kAllTiles : divide_up(kAllTiles, kFitting / 8);
    static constexpr int kTiles = divide_up(kAllTiles, kStrips);  ///< number of tiles in a strip
    static constexpr int kColumns = kStrips == 1 ? kN : 8 * kTiles;
    static constexpr int kRowTiles = divide_up(kN, 16);
    /// A warp works on kTogether row tiles at the same time; kMost is the limit of this number. The warp adds to the
    /// sums of the tiles in turn, so that an addition need not wait for the result of the addition before it.
    static constexpr int kMost = kPlanes <= 2 ? 2 : 1;
    static constexpr int kTogether = divide_up(kRowTiles, divide_up(kRowTiles, kMost));
    static constexpr int kRowGroups = divide_up(kRowTiles, kTogether);

    /// Estimated time to compute a strip, in an arbitrary unit, if `parts` warps split the rows of each column tile.
    static constexpr int duration(int parts) {
        return divide_up(kTiles * parts, kWarps) * (4 * kDepthTiles + divide_up(kRowGroups, parts) * kTogether * 3);
    }
    static constexpr int best_parts() {
        int best = 1;
        for (int parts = 2; parts <= kRowGroups && parts <= kWarps; ++parts)
            if (duration(parts) < duration(best)) best = parts;
        return best;
    }
    static constexpr int kParts = best_parts();

    struct alignas(16) Shared {
        Sum strip[kColumns][kStride];
        int64_t traces[kWarps];
    };

    /// Calls take(first column) for each strip when it is in shared memory. Returns the trace of H plus the sum of
    /// `own` over all threads. If matrices are not symmetric, the transposed matrices do not add to the trace. The team
    /// must be synchronised before the call; after the call it may be unsynchronised.
    template <class Take>
    static QAPFW_DEVICE int64_t compute(const MatricesShared& matrices, const uint16_t* solution, Shared& shared,
                                        int64_t own, Take take) {
        const Group group;
        int64_t trace = own;
#pragma unroll 1
        for (int strip = 0; strip < kStrips; ++strip) {
            if (strip > 0) group.sync();
            const int first = strip * kTiles;
#pragma unroll 1
            for (int job = kernels::opaque(group.warp()); job < kTiles * kParts; job += kWarps)
                if (kStrips == 1 || first + job % kTiles < kAllTiles)
                    trace += multiply(matrices, solution, shared, first, job % kTiles, job / kTiles);
            if (strip == kStrips - 1) {
                trace = kernels::WarpGroup{}.sum(trace);
                if (own_lane() == 0) shared.traces[kernels::opaque(group.warp())] = trace;
            }
            group.sync();
            take(first * 8);
        }
        trace = 0;
#pragma unroll
        for (int warp = 0; warp < kWarps; ++warp) trace += shared.traces[warp];
        if constexpr (kWarps == 1) group.sync();  // several warps: the caller synchronises before the next swap
        return trace;
    }

    /// True if column v of H lies in the strip that begins with column `first`.
    static QAPFW_DEVICE bool holds(int first, int v) {
        return kStrips == 1 || static_cast<uint32_t>(v - first) < static_cast<uint32_t>(kColumns);
    }
    /// Adds H_uv + H_vu - H_uu - H_vv to `sums` for each pair (u, v) of a tile. Terms from columns of H outside the
    /// strip are left out. u = row(i) and v = column(i + member), with 0 <= i < kRows and 0 <= member < kSpan.
    template <int kRows, int kSpan, class Row, class Column>
    static QAPFW_DEVICE void add_row_sums(Sum (&sums)[kRows * kSpan], const Shared& shared, int first, Row row,
                                          Column column) {
        int rows[kRows];
#pragma unroll
        for (int i = 0; i < kRows; ++i) rows[i] = row(i);
#pragma unroll
        for (int c = 0; c < kRows + kSpan - 1; ++c) {
            kernels::keep_order();
            const int v = column(c);
            if (!holds(first, v)) continue;
            const Sum own = shared.strip[v - first][v];
#pragma unroll
            for (int i = 0; i < kRows; ++i)
                if (c >= i && c - i < kSpan) sums[i * kSpan + c - i] += shared.strip[v - first][rows[i]] - own;
        }
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
            kernels::keep_order();
            const int u = rows[i];
            if (!holds(first, u)) continue;
            const Sum own = shared.strip[u - first][u];
#pragma unroll
            for (int member = 0; member < kSpan; ++member)
                sums[i * kSpan + member] += shared.strip[u - first][column(i + member)] - own;
        }
    }

  private:
    /// Number of this lane. If several teams share a CUDA block, the number is computed again at each use. So it
    /// occupies no register between two uses. Searches start rarely, so the computation takes little time.
    static QAPFW_DEVICE int own_lane() {
        const int thread = static_cast<int>(threadIdx.x);
        return (Group::kMostTeams == 1 ? thread : kernels::opaque(thread)) & 31;
    }
    /// Sums of byte products. A product of an element's byte i and another element's byte j counts 256^(i + j) times,
    /// so it is added to sums[i + j].
    struct ShiftedSums {
        int32_t sums[2 * kPlanes - 1][4];

        QAPFW_DEVICE uint64_t whole(int k) const {
            uint64_t sum = 0;
#pragma unroll
            for (int shift = 0; shift < 2 * kPlanes - 1; ++shift)
                sum += static_cast<uint64_t>(static_cast<int64_t>(sums[shift][k])) << (8 * shift);
            return sum;
        }
    };

    /// One warp multiplies the rows of `part` by one column tile, and stores the products in the strip. Returns the
    /// lane's contribution to the trace.
    static QAPFW_DEVICE int64_t multiply(const MatricesShared& matrices, const uint16_t* solution, Shared& shared,
                                         int first_tile, int tile, int part) {
        const int lane = own_lane();
        const int column0 = (first_tile + tile) * 8;
        const int value = solution[least(column0 + lane / 4, kN - 1)];
        uint64_t trace = 0;
#pragma unroll 1
        for (int side = 0; side < kSides; ++side) {
            PermutedColumns columns[kPlanes];
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane)
                columns[plane].gather(lane, matrices.b[side][plane], value, solution);
#pragma unroll 1
            for (int group = part; group < kRowGroups; group += kParts) {
                const int row0 = group * kTogether * 16;
                ShiftedSums products[kTogether] = {};
                add_products(products, matrices.a[side][0], row0, columns);
#pragma unroll
                for (int k = 0; k < kTogether; ++k) {
                    store(products[k], shared, side, row0 + 16 * k + lane / 4, tile * 8, column0);
                    if (side == 0 && row0 + 16 * k == column0 / 16 * 16) trace += on_diagonal(products[k], column0);
                }
            }
        }
        return static_cast<int64_t>(trace);
    }

    /// products[k] += (16 rows of a, from row0 + 16 k on) * columns.
    static QAPFW_DEVICE void add_products(ShiftedSums (&products)[kTogether], const uint8_t* a, int row0,
                                          const PermutedColumns (&columns)[kPlanes]) {
        const int lane = own_lane();
        kernels::SharedAddress row[kTogether];
#pragma unroll
        for (int k = 0; k < kTogether; ++k)
            row[k] = kernels::shared_address(a + least(row0 + 16 * k + lane % 16, kN - 1) * kRowBytes + lane / 16 * 16);
#pragma unroll
        for (int tile = 0; tile < kDepthTiles; ++tile)
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane) {
                uint32_t parts[kTogether][4];
#pragma unroll
                for (int k = 0; k < kTogether; ++k)
                    kernels::load_byte_matrices(parts[k],
                                                row[k] + static_cast<uint32_t>(plane * kPlaneBytes + tile * 32));
#pragma unroll
                for (int other = 0; other < kPlanes; ++other)
#pragma unroll
                    for (int k = 0; k < kTogether; ++k)
                        kernels::add_byte_products(products[k].sums[plane + other], parts[k][0], parts[k][1],
                                                   parts[k][2], parts[k][3], columns[other].words[tile][0],
                                                   columns[other].words[tile][1]);
            }
    }

    /// Stores this lane's four sums: two each of rows `row` and row + 8. If `side` is 1, adds them to the stored sums.
    /// `place`: the column of the strip that takes column `column0` of H.
    static QAPFW_DEVICE void store(const ShiftedSums& products, Shared& shared, int side, int row, int place,
                                   int column0) {
        const int column = own_lane() % 4 * 2;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (row + k / 2 * 8 >= kN || column0 + column + k % 2 >= kN) continue;
            Sum& sum = shared.strip[place + column + k % 2][row + k / 2 * 8];
            const Sum own = static_cast<Sum>(products.whole(k));
            sum = kSides > 1 && side > 0 ? wrapping_sum(sum, own) : own;
        }
    }

    /// Returns the entry H_vv that this lane holds, or 0 if the lane holds none. `products`: this lane's products of a
    /// row tile that the diagonal crosses.
    static QAPFW_DEVICE uint64_t on_diagonal(const ShiftedSums& products, int column0) {
        const int lane = own_lane(), place = lane / 4;
        const bool lower = column0 % 16 != 0;
        const uint64_t even = lower ? products.whole(2) : products.whole(0);
        const uint64_t odd = lower ? products.whole(3) : products.whole(1);
        return lane % 4 != place / 2 || column0 + place >= kN ? 0 : place % 2 == 0 ? even : odd;
    }
};

}  // namespace qapfw::qap
