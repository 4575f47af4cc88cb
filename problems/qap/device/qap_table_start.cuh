// SPDX-License-Identifier: Apache-2.0
// The row sums from which the first deltas of a table are computed (see qap_table_neighbourhood.cuh):
//   G_vl = sum_k a_vk b_l,p(k)   for positions v and locations l.
// If a or b is asymmetric, the same sum of the transposed matrices is added. Row sums lie in the search's workspace.
// The delta of a pair {i, j} contains G_i,p(j) + G_j,p(i) - G_i,p(i) - G_j,p(j).
#include "problems/qap/device/qap_plain_base.cuh"

#include "problems/qap/device/qap_row_products.cuh"

namespace qapfw::qap {

/// The part of a table neighbourhood that makes row sums.
template <int kWarps>
struct TableStart : PlainBase<kWarps> {
    using Base = PlainBase<kWarps>;
    using Base::group_;
    using Base::kThreads;
    using Base::view_;
    static constexpr int kMovable = qap::kMovable;
    static constexpr bool kBytes = sizeof(Element) == 1;
    static constexpr int kStripRows = 16 / static_cast<int>(sizeof(Element));
    /// Number of elements from one row of a strip to the next. Eight successive rows of bytes begin in different banks
    /// of shared memory.
    static constexpr int kStripPitch = kBytes ? (kRow + 127) / 128 * 128 + 16 : kRow;
    /// Number of elements that compute_sums fills in each row of a strip; those past the last location are 0.
    static constexpr int kStripFilled = kBytes ? (kRow + 31) / 32 * 32 : kRow;
    /// kStripRows rows of matrix a, with columns in the order of locations. Row sums are computed strip by strip.
    struct Strip {
        alignas(16) Element of[kSides][kStripRows][kStripPitch];
    };
    /// Bytes of all row sums.
    static constexpr uint64_t kSumsBytes = uint64_t{kMovable} * kN * sizeof(Sum);

    QAPFW_DEVICE TableStart(const View& view, typename Base::TeamShared& team, void* sums)
        : Base(view, team), sums_(static_cast<Sum*>(sums)) {}

  protected:
    /// The row sum G_vl = sum_k a_vk b_l,p(k), which compute_sums() has set. If a or b is asymmetric, the same sum of
    /// the transposed matrices is added.
    QAPFW_DEVICE Sum& sum_at(int v, int l) const { return sums_[static_cast<int64_t>(v) * kN + l]; }
    /// Computes all row sums from scratch. `position_of`: scratch memory of kN numbers.
    QAPFW_DEVICE void compute_sums(Strip& strip, uint16_t* position_of) {
        for (int v = group_.rank(); v < kN; v += kThreads) position_of[Base::value_at(v)] = static_cast<uint16_t>(v);
        for (int first = 0; first < kMovable; first += kStripRows) {
            group_.sync();
            for (int row = group_.warp(); row < kStripRows; row += kWarps)
                for (int l = group_.lane(); l < kStripFilled; l += 32)
                    for (int side = 0; side < kSides; ++side)
                        strip.of[side][row][l] = l < kN && first + row < kMovable
                                                     ? static_cast<Element>(Base::a(side, first + row, position_of[l]))
                                                     : Element{0};
            group_.sync();
            multiply_strip(strip, first);
        }
    }

    Sum* sums_;  ///< the row sums; between launches, entry v < kMovable holds G_v,p(v) instead

  private:
    QAPFW_DEVICE void multiply_strip(const Strip& strip, int first) {
#if defined(__CUDA_ARCH__)
        if constexpr (kBytes) {
            for (int tile = group_.warp(); tile < (kN + 7) / 8; tile += kWarps)
                multiply_strip_of_bytes(strip, first, tile);
            return;
        }
#endif
        for (int l = group_.warp(); l < kN; l += kWarps) multiply_strip_by_lanes(strip, first, l);
    }
    /// multiply_strip() for location l; the lanes of a warp split the columns.
    QAPFW_DEVICE void multiply_strip_by_lanes(const Strip& strip, int first, int l) {
        Both sums[kStripRows / 2] = {};
        for (int side = 0; side < kSides; ++side) {
            const Element* const entries = view_.b + (side * kN + l) * kRow;
            const auto& rows = strip.of[side];
            for (int pack = group_.lane(); pack < kRowPacks; pack += 32) {
                const RowPack own = pack_of(entries, pack);
#pragma unroll
                for (int row = 0; row < kStripRows; row += 2)
                    add_products(sums[row / 2], own, pack_of(rows[row], pack), pack_of(rows[row + 1], pack));
            }
        }
#pragma unroll
        for (int row = 0; row < kStripRows; row += 2) {
            const Sum low = kernels::WarpGroup{}.sum(sums[row / 2].r), high = kernels::WarpGroup{}.sum(sums[row / 2].s);
            if (group_.lane() < 2 && first + row + group_.lane() < kMovable)
                put_strip_sum(strip, first, row + group_.lane(), l, group_.lane() == 0 ? low : high);
        }
    }
    /// Subtracts the share of diagonal entry (l, l) of b from the row sum, and stores the result.
    QAPFW_DEVICE void put_strip_sum(const Strip& strip, int first, int row, int l, Sum sum) {
        for (int side = 0; kDiagonal && side < kSides; ++side)
            sum -= static_cast<Sum>(strip.of[side][row][l]) * static_cast<Sum>(view_.b[l * kRow + l]);
        sum_at(first + row, l) = sum;
    }
#if defined(__CUDA_ARCH__)
    /// multiply_strip() for matrices of one-byte entries and for eight locations, on the tensor cores.
    QAPFW_DEVICE void multiply_strip_of_bytes(const Strip& strip, int first, int tile) {
        const int low = group_.lane() / 4, quad = group_.lane() % 4, at = 8 * tile + low, l = at < kN ? at : kN - 1;
        int32_t sums[4] = {0, 0, 0, 0};
#pragma unroll
        for (int side = 0; side < kSides; ++side) {
            const auto* const entries = reinterpret_cast<const uint32_t*>(view_.b + (side * kN + l) * kRow) + quad;
            const auto& rows = strip.of[side];
#pragma unroll 4
            for (int k = 0; k < kRow; k += 32)
                add_strip_products(sums, &rows[low][k], &rows[low + 8][k], entries[k / 4],
                                   k + 16 < kRow ? entries[k / 4 + 4] : 0u);
        }
        for (int part = 0; part < 4; ++part) {
            const int row = low + part / 2 * 8, column = 8 * tile + 2 * quad + part % 2;
            if (first + row < kMovable && column < kN) put_strip_sum(strip, first, row, column, sums[part]);
        }
    }
    /// sums += 16 rows of the strip times eight rows of b, over 32 columns. `low` and `high` are this lane's two rows.
    static QAPFW_DEVICE void add_strip_products(int32_t (&sums)[4], const Element* low, const Element* high,
                                                uint32_t b_low, uint32_t b_high) {
        const int quad = static_cast<int>(threadIdx.x & 31u) % 4;
        const auto* const l = reinterpret_cast<const uint32_t*>(low) + quad;
        const auto* const h = reinterpret_cast<const uint32_t*>(high) + quad;
        kernels::add_byte_products(sums, l[0], h[0], l[4], h[4], b_low, b_high);
    }
#endif
};

}  // namespace qapfw::qap
