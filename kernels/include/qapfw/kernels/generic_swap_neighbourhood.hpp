// SPDX-License-Identifier: Apache-2.0
// A swap neighbourhood for every permutation problem that has `cost`. After each move it evaluates all solutions one
// swap away, through an accessor that does not copy them. So it works for every problem but takes O(pairs * cost) per
// iteration; a problem's own neighbourhood is far faster. Interface: swap_neighbourhood.hpp. Bits of solutions do not
// change. If positions are fixed, the framework defines
//   QAPFW_MOVABLE_POSITIONS  the positions that are not fixed, ascending, with a comma after each, as in 0,2,5,
#pragma once

#include "qapfw/kernels/swap_neighbourhood.hpp"

namespace qapfw::kernels {

#ifdef QAPFW_MOVABLE_POSITIONS
/// The order in which kernels number positions: the free positions first, then the fixed positions, both ascending. The
/// inverse of this order is here too.
template <int kPositions>
struct PositionOrder {
    static constexpr int kMovablePositions[] = {QAPFW_MOVABLE_POSITIONS kPositions};
    static constexpr int kMovable = sizeof(kMovablePositions) / sizeof(int) - 1;
    struct Table {
        uint16_t original[kPositions], place[kPositions];
    };
    static constexpr Table make_table() {
        Table table{};
        int fixed = kMovable;
        for (int position = 0, movable = 0; position < kPositions; ++position) {
            const bool moves = kMovablePositions[movable] == position;
            const int place = moves ? movable++ : fixed++;
            table.original[place] = static_cast<uint16_t>(position);
            table.place[position] = static_cast<uint16_t>(place);
        }
        return table;
    }
    static constexpr Table kTable = make_table();
    static QAPFW_DEVICE int original(int place) { return kTable.original[place]; }
    static QAPFW_DEVICE int place(int original) { return kTable.place[original]; }
};
#else
template <int kPositions>
struct PositionOrder {
    static constexpr int kMovable = kPositions;
    static QAPFW_DEVICE int original(int place) { return place; }
    static QAPFW_DEVICE int place(int original) { return original; }
};
#endif

/// Shows a solution as if the elements at positions i and j were swapped, without swapping them. The argument of
/// operator() is a position in the numbering that the problem's cost function uses.
template <class Order>
struct ExchangedSolution {
    const uint16_t* solution;
    const uint8_t* bits;
    int i, j;
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        const int place = position;
#else
        const int place = Order::place(position);
#endif
        return solution[place == i ? j : place == j ? i : place];
    }
    QAPFW_DEVICE int bit(int k) const {
        return bits[k];
    }
};

/// The number of bits of a problem's solutions; 0 if the problem does not define kBits.
template <class Problem>
constexpr int bits_of() {
    if constexpr (requires { Problem::kBits; }) {
        return Problem::kBits;
    } else {
        return 0;
    }
}

/// A neighbourhood that computes every delta by calling `cost` for the solution after the swap. Problem must have
/// kPositions, View, Cost and cost(Group, View, Solution). If solutions have bits, it must also have kBits and
/// kBitsOffset.
template <class Problem, int kWarps>
struct GenericSwapNeighbourhood {
    using View = typename Problem::View;
    using Value = typename Problem::Cost;
    using Total = Value;
    using Group = Team<kWarps>;
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kPositions = Problem::kPositions;
    using Order = PositionOrder<kPositions>;
    static constexpr int kMovable = Order::kMovable;
    static constexpr int kBits = bits_of<Problem>();
    static constexpr int kPairs = kMovable * (kMovable - 1) / 2;
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kPairs > kThreads ? (kPairs + kThreads - 1) / kThreads : 1;
    static constexpr int kGroupSize = kSlots;
    static constexpr bool kInRegisters = false;
    /// Bytes of device memory of one search: the deltas of all slots, then their words (swap_neighbourhood.hpp explains
    /// slots and words).
    static constexpr uint64_t kWorkspaceBytes =
        (static_cast<uint64_t>(kSlots) * kThreads * (sizeof(Value) + 4) + 255) / 256 * 256;

    struct BlockShared {};
    struct TeamShared {
        uint16_t solution[kPositions];
        uint8_t bits[kBits > 0 ? kBits : 1];
    };

    QAPFW_DEVICE GenericSwapNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
        : view_(view),
          shared_(team),
          deltas_(static_cast<Value*>(workspace) + group_.rank()),
          words_(reinterpret_cast<int32_t*>(static_cast<Value*>(workspace) + kSlots * kThreads) + group_.rank()) {}

    static QAPFW_DEVICE void load_block(BlockShared&, const View&) {}
    static QAPFW_DEVICE int original_position(const View&, int position) { return Order::original(position); }
    static QAPFW_DEVICE Value cost_change(Total deltas) { return deltas; }
    static QAPFW_DEVICE Total total_of_cost(Value change) { return change; }
    static QAPFW_DEVICE Value threshold(Total behind) { return -behind; }

    QAPFW_DEVICE Value delta(int slot) const { return deltas_[slot * kThreads]; }
    QAPFW_DEVICE int32_t word(int slot) const { return words_[slot * kThreads]; }
    QAPFW_DEVICE uint32_t pair_code(int slot) const {
        const Pair pair = pair_of(slot);
        return code_of_pair(pair.i, pair.j);
    }
    QAPFW_DEVICE int value_at(int position) const { return shared_.solution[position]; }
    QAPFW_DEVICE uint16_t* solution() { return shared_.solution; }
    QAPFW_DEVICE void load(const uint16_t* solution) {
        for (int i = group_.rank(); i < kPositions; i += kThreads) shared_.solution[i] = solution[Order::original(i)];
        if constexpr (kBits > 0) {
            const uint8_t* const bits = reinterpret_cast<const uint8_t*>(solution) + Problem::kBitsOffset;
            for (int k = group_.rank(); k < kBits; k += kThreads) shared_.bits[k] = bits[k];
        }
        group_.sync();
    }
    QAPFW_DEVICE void store(uint16_t* solution) const {
        for (int i = group_.rank(); i < kPositions; i += kThreads) solution[Order::original(i)] = shared_.solution[i];
    }
    QAPFW_DEVICE Value reset() {
        group_.sync();
        return evaluate();
    }
    QAPFW_DEVICE Value cost() const { return Problem::cost(ThreadGroup{}, view_, exchanged(0, 0)); }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        for (int slot = 0; slot < kSlots; ++slot) {
            const Pair pair = pair_of(slot);
            words_[slot * kThreads] =
                pair.i == pair.j ? 0x7FFFFFFF
                                 : search.payload(pair.i, shared_.solution[pair.i], pair.j, shared_.solution[pair.j]);
        }
    }
    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        group_.sync();
        if (group_.rank() == 0) {
            const uint16_t value = shared_.solution[r];
            shared_.solution[r] = shared_.solution[s];
            shared_.solution[s] = value;
        }
        group_.sync();
        evaluate();
        for (int slot = 0; slot < kSlots; ++slot) {
            const Pair pair = pair_of(slot);
            const bool holds_r = pair.i == r || pair.j == r, holds_s = pair.i == s || pair.j == s;
            if (holds_r && holds_s) {
                words_[slot * kThreads] = search.exchanged_payload();
            } else if (holds_r || holds_s) {
                words_[slot * kThreads] =
                    search.payload(pair.i, shared_.solution[pair.i], pair.j, shared_.solution[pair.j]);
            }
        }
    }

  private:
    struct Pair {
        int i, j;
    };
    /// The pair in a slot of this thread (see swap_neighbourhood.hpp). Pairs are numbered row by row; slots beyond the
    /// last pair have (0, 0).
    QAPFW_DEVICE Pair pair_of(int slot) const {
        int rest = slot * kThreads + group_.rank();
        if (rest >= kPairs) return {0, 0};
        int i = 0;
        while (rest >= kMovable - 1 - i) rest -= kMovable - 1 - i++;
        return {i, i + 1 + rest};
    }
    QAPFW_DEVICE ExchangedSolution<Order> exchanged(int i, int j) const {
        return {shared_.solution, shared_.bits, i, j};
    }
    QAPFW_DEVICE Value evaluate() {
        const Value now = cost();
        for (int slot = 0; slot < kSlots; ++slot) {
            const Pair pair = pair_of(slot);
            deltas_[slot * kThreads] = pair.i == pair.j
                                           ? Nothing<Value>::value()
                                           : Problem::cost(ThreadGroup{}, view_, exchanged(pair.i, pair.j)) - now;
        }
        return now;
    }

    View view_;
    TeamShared& shared_;
    Group group_;
    Value* deltas_;
    int32_t* words_;
};

/// The problem's own neighbourhood if there is one, else the generic neighbourhood, which calls the problem's `cost`.
template <class Problem, class = void>
struct SwapNeighbourhoodOf {
    static constexpr bool kOwn = false;
    using type = GenericSwapNeighbourhood<Problem, 4>;
};
template <class Problem>
struct SwapNeighbourhoodOf<Problem, decltype(static_cast<void>(sizeof(typename Problem::SwapNeighbourhood)))> {
    static constexpr bool kOwn = true;
    using type = typename Problem::SwapNeighbourhood;
};

/// The neighbourhood for a search: the problem's WordlessSwapNeighbourhood if the search needs no words and the problem
/// has one, else SwapNeighbourhoodOf.
template <class Problem, bool kNeedsWords, class = void>
struct SwapNeighbourhoodFor {
    using type = typename SwapNeighbourhoodOf<Problem>::type;
};
template <class Problem>
struct SwapNeighbourhoodFor<Problem, false,
                            decltype(static_cast<void>(sizeof(typename Problem::WordlessSwapNeighbourhood)))> {
    using type = typename Problem::WordlessSwapNeighbourhood;
};

}  // namespace qapfw::kernels
