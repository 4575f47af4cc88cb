// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood for instances whose pairs do not fit into registers or whose matrices do not fit into shared
// memory: deltas and words in the search's workspace in device memory, matrices read through the caches. Same
// arithmetic as qap_tile_neighbourhood.cuh; the row sums of touched pairs are taken by one warp per row.
#include "problems/qap/device/qap_plain_base.cuh"

namespace qapfw::qap {

/// Pairs are dealt as (i, i + d mod m): a warp looks after whole rows i, its lanes after consecutive distances d, so
/// that what is read per pair is contiguous. Repeated pairs have storage of their own.
template <int kWarps>
struct TableNeighbourhood : PlainBase<kWarps> {
    using Base = PlainBase<kWarps>;
    using Base::group_;
    using Base::kThreads;
    using Base::shared_;
    using Base::view_;
    static constexpr int kMovable = qap::kMovable;
    static constexpr int kDistances = kMovable / 2 > 0 ? kMovable / 2 : 1;
    static constexpr int kChunks = (kDistances + 31) / 32;
    static constexpr int kRows = (kMovable + kWarps - 1) / kWarps;  ///< of a warp
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kRows * kChunks;
    static constexpr int kGroupSize = kSlots;
    static constexpr uint64_t kWorkspaceBytes =
        (static_cast<uint64_t>(kSlots) * kThreads * (sizeof(Value) + 4) + 255) / 256 * 256;

    struct TeamShared : Base::TeamShared {
        Value x[kSides][kN], y[kSides][kN];
        Value touched[2][kN];
        Sum diagonal[kN];  ///< H_vv
        Sum own[2];        ///< H_rr and H_ss
    };
    using BlockShared = typename Base::BlockShared;

    QAPFW_DEVICE TableNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
        : Base(view, team),
          team_(team),
          deltas_(static_cast<Value*>(workspace) + group_.rank()),
          words_(reinterpret_cast<int32_t*>(static_cast<Value*>(workspace) + kSlots * kThreads) + group_.rank()) {}

    QAPFW_DEVICE Value delta(int slot) const { return deltas_[slot * kThreads]; }
    QAPFW_DEVICE int32_t word(int slot) const { return words_[slot * kThreads]; }
    QAPFW_DEVICE uint32_t pair_code(int slot) const { return Base::code_of(pair_of(slot)); }

    QAPFW_DEVICE int64_t reset() {
        group_.sync();
        for (int v = group_.rank(); v < kN; v += kThreads) {
            Sum sum = 0;
            for (int k = 0; k < kN; ++k)
                for (int side = 0; side < kSides; ++side)
                    sum += Base::a(side, v, k) * Base::b(side, Base::value_at(v), Base::value_at(k));
            team_.diagonal[v] = sum;
        }
        for (int slot = 0; slot < kSlots; ++slot) {
            const typename Base::Pair pair = pair_of(slot);
            deltas_[slot * kThreads] = Base::delta_of(pair.i, pair.j);
        }
        return Base::current_cost();
    }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        for (int slot = 0; slot < kSlots; ++slot) {
            const typename Base::Pair pair = pair_of(slot);
            words_[slot * kThreads] =
                pair.i == pair.j ? 0x7FFFFFFF
                                 : search.payload(pair.i, Base::value_at(pair.i), pair.j, Base::value_at(pair.j));
        }
    }

    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        Base::exchange(r, s);
        stage(r, s);
        group_.sync();
        recompute_touched(r, s);
        group_.sync();
        for (int slot = 0; slot < kSlots; ++slot) update(slot, r, s, search);
    }

  private:
    QAPFW_DEVICE typename Base::Pair pair_of(int slot) const {
        int i = group_.warp() + slot / kChunks * kWarps;
        int d = 1 + slot % kChunks * 32 + group_.lane();
        if (i >= kMovable) i = 0;
        if (d > kDistances) d = kDistances;
        const int j = i + d < kMovable ? i + d : i + d - kMovable;
        return i < j ? typename Base::Pair{i, j} : typename Base::Pair{j, i};
    }

    QAPFW_DEVICE void stage(int r, int s) {
        const int value_r = Base::value_at(r), value_s = Base::value_at(s);
        for (int v = group_.rank(); v < kN; v += kThreads) {
            Sum change = 0;
            for (int side = 0; side < kSides; ++side) {
                const Sum x = Base::a(side, r, v) - Base::a(side, s, v);
                const Sum y = Base::b(side, value_r, Base::value_at(v)) - Base::b(side, value_s, Base::value_at(v));
                change += x * y;
                team_.x[side][v] = static_cast<Value>(x);
                team_.y[side][v] = static_cast<Value>(y * Base::kFactor);
            }
            team_.diagonal[v] += change;
        }
        // H_rr and H_ss: the first two warps, or one after the other
        for (int which = group_.warp(); which < 2; which += kWarps) {
            const int z = which == 0 ? r : s;
            const Sum sum = Base::row_sum(z, z, z, z);
            if (group_.lane() == 0) team_.own[which] = sum;
        }
    }

    QAPFW_DEVICE void recompute_touched(int r, int s) {
        for (int task = group_.warp(); task < 2 * kMovable; task += kWarps) {
            const int which = task & 1, v = task >> 1, z = which == 0 ? r : s, other = which == 0 ? s : r;
            if (v == z) continue;
            const Sum sum = Base::row_sum(v, z, z, v);  // H_vz + H_zv
            const Sum diagonal = v == other ? team_.own[1 - which] : team_.diagonal[v];
            const Sum delta = Base::kFactor * (sum - team_.own[which] - diagonal) + Base::own_product(z, v);
            if (group_.lane() == 0) team_.touched[which][v] = static_cast<Value>(delta);
        }
    }

    template <class Search>
    QAPFW_DEVICE void update(int slot, int r, int s, const Search& search) {
        if (slot == 0) {
            if (group_.rank() == 0) team_.diagonal[r] = team_.own[0];
            if (group_.rank() == 0) team_.diagonal[s] = team_.own[1];
        }
        const typename Base::Pair pair = pair_of(slot);
        const int i = pair.i, j = pair.j;
        if (i == j) return;
        const bool by_r = i == r || j == r, by_s = i == s || j == s;
        if (by_r || by_s) {
            const int z = by_r ? r : s, v = i == z ? j : i;
            deltas_[slot * kThreads] = team_.touched[by_r ? 0 : 1][v];
            words_[slot * kThreads] =
                by_r && by_s ? search.exchanged_payload() : search.payload(i, Base::value_at(i), j, Base::value_at(j));
            return;
        }
        Value delta = deltas_[slot * kThreads];
        for (int side = 0; side < kSides; ++side)
            delta -= (team_.x[side][i] - team_.x[side][j]) * (team_.y[side][i] - team_.y[side][j]);
        deltas_[slot * kThreads] = delta;
    }

    TeamShared& team_;
    Value* deltas_;
    int32_t* words_;
};

}  // namespace qapfw::qap
