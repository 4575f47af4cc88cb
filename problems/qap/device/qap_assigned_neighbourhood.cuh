// SPDX-License-Identifier: Apache-2.0
// The two thread assignments of section 5.2 of Tsutsui and Fujimoto (2011), for comparison. Moves (swaps) are numbered
// as in Figure 4 there. A thread owns N_S moves with consecutive numbers. A look-up table has the first pair of each
// owner, and the owner computes its further pairs from the first. A move is touched if it shares a position with the
// last swap. A table of deltas makes untouched moves O(1) (Eq. 5, corrected). `plain`: the owner also recomputes
// touched moves in O(n), while other lanes have O(1) work. `mata`: 2n further threads in separate warps recompute one
// touched move each (fewer threads recompute several if n is large). They store the deltas in the owner's part of the
// table of deltas. Linear costs only enter the recomputed moves. Both assignments give the same trajectory as the tiles
// of qap_tile_neighbourhood.cuh.
#include "problems/qap/device/qap_plain_base.cuh"

#ifndef QAPFW_PAIRS_PER_THREAD
#define QAPFW_PAIRS_PER_THREAD ((QAP_N + 3) / 4)
#endif

namespace qapfw::qap {

/// The warps of one search and N_S (pairs_per_thread), which grows if more than 1024 threads would be needed.
struct Assignment {
    int pairs_per_thread, owner_warps, warps;
};
constexpr Assignment assign(bool mata) {
    constexpr int kPairs = QAP_MOVABLE * (QAP_MOVABLE - 1) / 2;
    const int extra = mata ? (2 * QAP_MOVABLE + 31) / 32 : 0;
    int per_thread = QAPFW_PAIRS_PER_THREAD < 1 ? 1 : QAPFW_PAIRS_PER_THREAD;
    while (true) {
        const int threads = kPairs > 0 ? (kPairs + per_thread - 1) / per_thread : 1;
        const int owners = (threads + 31) / 32;
        if (owners + extra <= 32 || (per_thread >= kPairs && extra >= 32))
            return Assignment{per_thread, owners, owners + extra <= 32 ? owners + extra : 32};
        // With one thread for each touched move, a CUDA block would have too many threads. So a thread takes several
        // touched moves.
        if (extra >= 24 && owners <= 8) return Assignment{per_thread, owners, 32};
        ++per_thread;
    }
}

template <bool kMata>
struct AssignedNeighbourhood : PlainBase<assign(kMata).warps> {
    static constexpr Assignment kAssignment = assign(kMata);
    using Base = PlainBase<assign(kMata).warps>;
    using Base::group_;
    using Base::kThreads;
    using Base::view_;
    using typename Base::BlockShared;
    using typename Base::Pair;
    static constexpr int kMovable = qap::kMovable;
    static constexpr int kPairs = kMovable * (kMovable - 1) / 2;
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kAssignment.pairs_per_thread;
    static constexpr int kGroupSize = kSlots;
    static constexpr int kOwners = 32 * kAssignment.owner_warps;
    static constexpr uint64_t kWorkspaceBytes =
        (static_cast<uint64_t>(kSlots) * kThreads * (sizeof(Value) + 4) + 255) / 256 * 256;

    /// The pair of the first move that a thread owns.
    struct FirstPair {
        uint16_t i, j;
    };
    struct TeamShared : Base::TeamShared {
        FirstPair first[kOwners];
    };

    QAPFW_DEVICE AssignedNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
        : Base(view, team),
          team_(team),
          table_(static_cast<Value*>(workspace)),
          deltas_(table_ + group_.rank()),
          words_(reinterpret_cast<int32_t*>(table_ + kSlots * kThreads) + group_.rank()) {
        if (owns(0)) team_.first[group_.rank()] = first_pair(number(0));
    }

    QAPFW_DEVICE Value delta(int slot) const {
        if (!owns(slot)) return kernels::Nothing<Value>::value();
        const Value delta = deltas_[slot * kThreads];
        if constexpr (kLinear)
            if (delta >= view_.limit) return kernels::Nothing<Value>::value();
        return delta;
    }
    QAPFW_DEVICE int32_t word(int slot) const { return owns(slot) ? words_[slot * kThreads] : 0x7FFFFFFF; }
    QAPFW_DEVICE uint32_t pair_code(int slot) const { return owns(slot) ? Base::code_of(pair_of(slot)) : 0xFFFFFFFFu; }

    QAPFW_DEVICE int64_t reset() {
        group_.sync();
        each_own([&](const Pair& pair, int slot) { deltas_[slot * kThreads] = Base::delta_of(pair.i, pair.j); });
        return Base::cost();
    }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        each_own([&](const Pair& pair, int slot) {
            words_[slot * kThreads] = search.payload(pair.i, Base::value_at(pair.i), pair.j, Base::value_at(pair.j));
        });
    }

    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        Base::exchange(r, s);
        if constexpr (kMata) {
            if (group_.rank() >= kOwners) {
                for (int task = group_.rank() - kOwners; task < 2 * kMovable; task += kThreads - kOwners) {
                    const int which = task / kMovable, v = task % kMovable;
                    if (v == r || (v == s && which == 1)) continue;  // skips (r, r), (s, s) and the second {r, s}
                    const int z = which == 0 ? r : s;
                    table_[place_of(z, v)] = Base::delta_of(z, v);
                }
            } else {
                update(r, s, search);
            }
            group_.sync();
        } else {
            update(r, s, search);
        }
    }

  private:
    QAPFW_DEVICE int number(int slot) const { return group_.rank() * kSlots + slot; }
    QAPFW_DEVICE bool owns(int slot) const { return number(slot) < kPairs; }
    /// Returns the pair i < j that has this number in the paper's Figure 4: number = j (j - 1) / 2 + i. It takes O(n)
    /// time.
    static QAPFW_DEVICE FirstPair first_pair(int number) {
        int j = 1;
        while (j * (j + 1) / 2 <= number) ++j;
        return {static_cast<uint16_t>(number - j * (j - 1) / 2), static_cast<uint16_t>(j)};
    }
    /// Pair number `slot` of those that this thread owns, from the look-up table. The thread must own a pair.
    QAPFW_DEVICE Pair pair_of(int slot) const {
        const FirstPair first = team_.first[group_.rank()];
        Pair pair{first.i + slot, first.j};
        while (pair.i >= pair.j) pair = Pair{pair.i - pair.j, pair.j + 1};
        return pair;
    }
    /// Index of the delta of {u, v} in the table.
    static QAPFW_DEVICE int place_of(int u, int v) {
        const int i = u < v ? u : v, j = u < v ? v : u, number = j * (j - 1) / 2 + i;
        return number % kSlots * kThreads + number / kSlots;
    }
    /// Calls f(pair, slot) for each pair that this thread owns. `slot`: the pair's number among this thread's pairs.
    template <class F>
    QAPFW_DEVICE void each_own(F f) const {
        if (!owns(0)) return;
        Pair pair = pair_of(0);
        for (int slot = 0; slot < kSlots && owns(slot); ++slot) {
            f(pair, slot);
            if (++pair.i == pair.j) pair = Pair{0, pair.j + 1};
        }
    }

    /// Updates the deltas of untouched moves by Eq. 5, and the words of touched moves. `plain` also recomputes the
    /// deltas of touched moves; `mata` leaves these deltas to the further threads.
    template <class Search>
    QAPFW_DEVICE void update(int r, int s, const Search& search) {
        each_own([&](const Pair& pair, int slot) {
            const int i = pair.i, j = pair.j;
            const bool by_r = i == r || j == r, by_s = i == s || j == s;
            if (!by_r && !by_s) {
                deltas_[slot * kThreads] += untouched_change(i, j, r, s);
                return;
            }
            words_[slot * kThreads] =
                by_r && by_s ? search.exchanged_payload() : search.payload(i, Base::value_at(i), j, Base::value_at(j));
            if constexpr (!kMata) deltas_[slot * kThreads] = Base::delta_of(i, j);
        });
    }

    QAPFW_DEVICE Value untouched_change(int u, int v, int r, int s) const {
        const int value_u = Base::value_at(u), value_v = Base::value_at(v);
        const int value_r = Base::value_at(r), value_s = Base::value_at(s);
        Sum sum = 0;
        for (int side = 0; side < kSides; ++side)
            sum += (Base::a(side, r, u) - Base::a(side, r, v) + Base::a(side, s, v) - Base::a(side, s, u)) *
                   (Base::b(side, value_s, value_u) - Base::b(side, value_s, value_v) +
                    Base::b(side, value_r, value_v) - Base::b(side, value_r, value_u));
        return static_cast<Value>(Base::kFactor * sum);
    }

    TeamShared& team_;
    Value* table_;   ///< table of deltas: delta k of thread t has the index k * kThreads + t
    Value* deltas_;  ///< deltas of this thread's pairs in the table
    int32_t* words_;
};

}  // namespace qapfw::qap
