// SPDX-License-Identifier: Apache-2.0
// The neighbourhood of layouts: the moves of layout_moves.hpp, with the interface of
// qapfw/kernels/swap_neighbourhood.hpp. After each move it evaluates all neighbours, as the generic swap neighbourhood
// does. Instead of payload() and exchanged_payload(), the neighbourhood calls the search's function
//   int32_t expiry(TabuEntry) const;
// A move would bring back two entries, and is tabu until the first of them expires. When a move is made, the search
// sets the expiries of the two entries that the move takes away.
#include "plugins/tabu/device/layout_moves.hpp"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"

namespace qapfw::tabu {

/// An entry of the tabu memory. The memory has a row for each free position, as kernels number them, then a row for the
/// bits.
struct TabuEntry {
    int row, column;
};

/// Shows a layout as if a move had been made.
template <class Order, int kPositions>
struct ChangedLayout {
    const uint16_t* solution;
    const uint8_t* bits;
    Move move;     ///< positions as kernels number them; (0, 0): none
    TwoBays bays;  ///< the bays that the move swaps, if it swaps bays

    QAPFW_DEVICE int operator()(int position) const {
        if (!moves_bays(move, kPositions))
            return kernels::ExchangedSolution<Order>{solution, bits, static_cast<int>(move.i),
                                                     static_cast<int>(move.j)}(position);
        const uint32_t to = static_cast<uint32_t>(position);
        uint32_t from = to;
        if (to >= bays.begin && to < bays.end)
            from = to < bays.joint() ? to + (bays.middle - bays.begin) : to - (bays.end - bays.middle);
        return solution[Order::place(static_cast<int>(from))];
    }
    QAPFW_DEVICE int bit(int k) const {
        const uint32_t b = static_cast<uint32_t>(k);
        if (moves_bays(move, kPositions)) return b + 1 == bays.joint() ? 1 : b + 1 == bays.middle ? 0 : bits[k];
        return bits[k] ^ (kPositions + b == move.i || kPositions + b == move.j ? 1 : 0);
    }
};

/// The neighbourhood of one search. `Problem` must fulfil GenericSwapNeighbourhood's requirements, with kBits =
/// kPositions - 1.
template <class Problem, int kWarps>
struct LayoutNeighbourhood {
    using View = typename Problem::View;
    using Value = typename Problem::Cost;
    using Total = Value;
    using Group = kernels::Team<kWarps>;
    static constexpr bool kMovesBits = true;
    static constexpr int kThreads = 32 * kWarps;
    static constexpr int kPositions = Problem::kPositions;
    static constexpr int kBits = Problem::kBits;
    static_assert(kBits + 1 == kPositions && kPositions <= static_cast<int>(kMostLayoutPositions));
    static constexpr int kElements =
        Problem::kBitsOffset / 2 + (kBits + 1) / 2;  ///< number of 16-bit elements up to the last bay bit
    using Order = kernels::PositionOrder<kPositions>;
    static constexpr int kMovable = Order::kMovable;
    static constexpr int kSwaps = kMovable * (kMovable - 1) / 2;
    static constexpr int kMoves = kSwaps + static_cast<int>(bay_moves(kPositions));
    static constexpr int kGroups = 1;
    static constexpr int kSlots = kMoves > kThreads ? (kMoves + kThreads - 1) / kThreads : 1;
    static constexpr int kGroupSize = kSlots;
    static constexpr bool kInRegisters = false;
    /// Bytes of one search's workspace: the deltas of all slots, then the words of all slots (WORD in
    /// qapfw/kernels/swap_neighbourhood.hpp).
    static constexpr uint64_t kWorkspaceBytes =
        (static_cast<uint64_t>(kSlots) * kThreads * (sizeof(Value) + 4) + 255) / 256 * 256;

    struct BlockShared {};
    struct TeamShared {
        uint16_t solution[kPositions], after[kPositions];
        uint8_t bits[kPositions];
    };

    QAPFW_DEVICE LayoutNeighbourhood(const View& view, BlockShared&, TeamShared& team, void* workspace)
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
        const Move move = move_of(slot);
        return kernels::code_of_pair(static_cast<int>(move.i), static_cast<int>(move.j));
    }
    QAPFW_DEVICE int value_at(int position) const { return shared_.solution[position]; }
    QAPFW_DEVICE uint16_t* solution() { return shared_.solution; }
    QAPFW_DEVICE uint8_t* bits() { return shared_.bits; }
    QAPFW_DEVICE int bit(int k) const { return shared_.bits[k]; }
    QAPFW_DEVICE void load(const uint16_t* solution) {
        for (int i = group_.rank(); i < kPositions; i += kThreads) shared_.solution[i] = solution[Order::original(i)];
        const uint8_t* const bits = reinterpret_cast<const uint8_t*>(solution) + Problem::kBitsOffset;
        for (int k = group_.rank(); k < kBits; k += kThreads) shared_.bits[k] = bits[k];
        group_.sync();
    }
    QAPFW_DEVICE void store(uint16_t* solution) const {
        for (int i = group_.rank(); i < kPositions; i += kThreads) solution[Order::original(i)] = shared_.solution[i];
        uint8_t* const bits = reinterpret_cast<uint8_t*>(solution) + Problem::kBitsOffset;
        for (int k = group_.rank(); k < kBits; k += kThreads) bits[k] = shared_.bits[k];
    }
    QAPFW_DEVICE Value reset() {
        group_.sync();
        return evaluate();
    }
    QAPFW_DEVICE Value cost() const { return cost_after({0, 0}); }
    /// The cost of the current solution, as reset() or apply() evaluated it.
    QAPFW_DEVICE Value known_cost() const { return cost_; }
    template <class Search>
    QAPFW_DEVICE void refresh(const Search& search) {
        for (int slot = 0; slot < kSlots; ++slot) {
            const Move move = move_of(slot);
            words_[slot * kThreads] =
                is_allowed(move) ? kernels::least(search.expiry(returned(move, 0)), search.expiry(returned(move, 1)))
                                 : 0x7FFFFFFF;
        }
    }
    /// One of the two entries that a move takes away: number `which`, 0 or 1. If the move flips a single bit, both
    /// entries are equal.
    QAPFW_DEVICE TabuEntry taken(Move move, int which) const { return entry(move, which, which); }
    /// Makes the move (r, s).
    template <class Search>
    QAPFW_DEVICE void apply(int r, int s, const Search& search) {
        const Move move{static_cast<uint32_t>(r), static_cast<uint32_t>(s)};
        group_.sync();
        if (moves_bays(move, kPositions))
            exchange_bays(move);
        else if (group_.rank() == 0)
            change_places(move);
        group_.sync();
        evaluate();
        refresh(search);
    }

  private:
    static QAPFW_DEVICE bool is_swap(Move move) { return move.j < kPositions; }
    /// One of the two entries that a move would bring back: number `which`, 0 or 1.
    QAPFW_DEVICE TabuEntry returned(Move move, int which) const { return entry(move, which, 1 - which); }
    /// Returns an entry of a move. If the move flips bits, the entry is that of its bit number `place`, 0 or 1. Else
    /// the entry is for place number `place` and for the value that place number `value` has before the move. In a swap
    /// of bays, places 0 and 1 are the first places of the two bays. But this swap brings the value of place 0 to the
    /// place `joint`, so that value's new entry is for `joint`, not for place 1.
    QAPFW_DEVICE TabuEntry entry(Move move, int place, int value) const {
        if (moves_bits(move, kPositions))
            return {kMovable, static_cast<int>((place == 0 ? move.i : move.j) - kPositions)};
        if (is_swap(move))
            return {static_cast<int>(place == 0 ? move.i : move.j),
                    value_at(static_cast<int>(value == 0 ? move.i : move.j))};
        const TwoBays bays = bays_of(move, shared_.bits, kPositions);
        const int first = Order::place(static_cast<int>(bays.begin)),
                  second = Order::place(static_cast<int>(bays.middle));
        const int joint = Order::place(static_cast<int>(bays.joint()));
        if (place == value) return place == 0 ? TabuEntry{first, value_at(first)} : TabuEntry{second, value_at(second)};
        return place == 0 ? TabuEntry{first, value_at(second)} : TabuEntry{joint, value_at(first)};
    }

    /// The move in one of this thread's slots. Swaps (i, j) come first, ordered by i, then by j; after them come the
    /// other moves. There may be more slots than moves: a slot without a move returns (0, 0).
    QAPFW_DEVICE Move move_of(int slot) const {
        int rest = slot * kThreads + group_.rank();
        if (rest >= kMoves) return {0, 0};
        if (rest >= kSwaps) return bay_move(static_cast<uint32_t>(rest - kSwaps), kPositions);
        int i = 0;
        while (rest >= kMovable - 1 - i) rest -= kMovable - 1 - i++;
        return {static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1 + rest)};
    }
    QAPFW_DEVICE bool is_allowed(Move move) const {
        if (is_swap(move)) return move.i != move.j;
        if (!has_move(shared_.bits, move, kPositions)) return false;
        return !moves_bays(move, kPositions) || all_move(bays_of(move, shared_.bits, kPositions));
    }
    /// True if no position of these bays is fixed.
    static QAPFW_DEVICE bool all_move(const TwoBays& bays) {
        if constexpr (kMovable < kPositions)
            for (uint32_t k = bays.begin; k < bays.end; ++k)
                if (Order::place(static_cast<int>(k)) >= kMovable) return false;
        return true;
    }
    QAPFW_DEVICE void change_places(Move move) {
        if (is_swap(move)) {
            const uint16_t value = shared_.solution[move.i];
            shared_.solution[move.i] = shared_.solution[move.j];
            shared_.solution[move.j] = value;
        } else {
            make_in_bits(shared_.bits, move, kPositions);
        }
    }
    /// Makes a move that swaps two bays. All threads of the team share the work.
    QAPFW_DEVICE void exchange_bays(Move move) {
        const ChangedLayout<Order, kPositions> changed = changed_by(move);
        for (int k = group_.rank(); k < kPositions; k += kThreads)
            shared_.after[Order::place(k)] = static_cast<uint16_t>(changed(k));
        group_.sync();
        for (int k = group_.rank(); k < kPositions; k += kThreads) shared_.solution[k] = shared_.after[k];
        if (group_.rank() == 0) make_in_bits(shared_.bits, move, kPositions);
    }
    QAPFW_DEVICE ChangedLayout<Order, kPositions> changed_by(Move move) const {
        const TwoBays bays = moves_bays(move, kPositions) ? bays_of(move, shared_.bits, kPositions) : TwoBays{};
        return {shared_.solution, shared_.bits, move, bays};
    }
    QAPFW_DEVICE Value cost_after(Move move) const {
        return Problem::cost(kernels::ThreadGroup{}, view_, changed_by(move));
    }
    QAPFW_DEVICE Value evaluate() {
        cost_ = cost();
        for (int slot = 0; slot < kSlots; ++slot) {
            const Move move = move_of(slot);
            deltas_[slot * kThreads] = is_allowed(move) ? delta_to(cost_after(move)) : kernels::Nothing<Value>::value();
        }
        return cost_;
    }
    /// The delta of a neighbour with this cost. A real cost that equals the current cost exactly has no delta: that
    /// layout is equivalent to the current one, so it does not count as a neighbour.
    QAPFW_DEVICE Value delta_to(Value cost) const {
        constexpr bool kReal = static_cast<Value>(0.5) != 0;
        return kReal && cost == cost_ ? kernels::Nothing<Value>::value() : cost - cost_;
    }

    View view_;
    TeamShared& shared_;
    Group group_;
    Value* deltas_;
    int32_t* words_;
    Value cost_{};
};

}  // namespace qapfw::tabu
