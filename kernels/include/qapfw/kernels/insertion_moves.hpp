// SPDX-License-Identifier: Apache-2.0
// Insertions of an order's elements on the device. An insertion moves an element to another free position. The elements
// at free positions in between close up; fixed elements stay where they are. Solutions are one permutation of 16-bit
// elements. A problem may have its own code for the change of the cost by an insertion, as a member of its `Problem`:
//
//     template <class Group, class Inserted>
//     static QAPFW_DEVICE Cost delta_insertion(Group group, const View& view, const Inserted& inserted);
//
// The member returns the cost of `inserted` minus the cost of `inserted.before()`, exact for integer costs. All threads
// of the group call it together. Without this member, the changed solution is evaluated in full. The problem's device
// code must come before this file.
#pragma once

#include "qapfw/kernels/segment_moves.hpp"

namespace qapfw::kernels {

/// The solution after an insertion.
struct InsertedSolution {
    StoredSolution stored;  ///< the solution before the insertion
    /// For each position, the next free position; after these entries, for each position, the previous free position.
    /// The entry of a fixed position is the position itself, and so is the entry of a free position that has no such
    /// neighbour.
    const uint16_t* neighbours;
    int positions;  ///< number of positions of the order
    int from, to;   ///< the insertion's free positions in the stored order: the element moves from `from` to `to`

    /// The element that stood at a position of the stored order before the insertion.
    QAPFW_DEVICE int at(int position) const {
        return static_cast<int>(reinterpret_cast<const uint16_t*>(stored.solution)[position]);
    }
    /// Returns the old position of the element that is at `position` after the insertion. Both are positions of the
    /// stored order.
    QAPFW_DEVICE int source(int position) const {
        if (position == to) return from;
        if (position >= from && position < to) return neighbours[position];
        if (position <= from && position > to) return neighbours[positions + position];
        return position;
    }
    /// The element at `position` after the insertion. Positions are numbered as in the device code.
    QAPFW_DEVICE int operator()(int position) const { return at(source(stored.original(position))); }
    /// The element at a position of segment 0, which is the only segment.
    QAPFW_DEVICE uint32_t element(int, int position) const { return static_cast<uint32_t>((*this)(position)); }
    /// Always 0, since the solution has no bits.
    QAPFW_DEVICE int bit(int) const { return 0; }
    /// The solution before the insertion.
    QAPFW_DEVICE const StoredSolution& before() const { return stored; }
};

/// Plain data from which for_move_rows lists the insertions. This class replaces SegmentMoves in searches, so it has
/// every member of SegmentMoves that searches use.
struct InsertionMoves {
    using Changed = InsertedSolution;         ///< a solution after a move
    static constexpr bool kBestOfRow = true;  ///< a sweep makes only the best move of each row
    SegmentList list;                         ///< the order, which is the only segment
    const uint16_t* order;                    ///< see StoredSolution; InsertedSolution::neighbours lies behind `order`

    /// Returns the solution whose bytes lie at `solution`, in the form that cost functions take.
    QAPFW_DEVICE StoredSolution stored(const uint8_t* solution) const { return {solution, order, nullptr}; }
    /// The solution with the element of position `from` inserted at position `to`.
    QAPFW_DEVICE InsertedSolution inserted(const uint8_t* solution, uint32_t from, uint32_t to) const {
        return {stored(solution), order + list.elements, static_cast<int>(list.elements), static_cast<int>(from),
                static_cast<int>(to)};
    }
    /// Returns an InsertedSolution that describes no move: it is the solution at `solution`, unchanged.
    QAPFW_DEVICE InsertedSolution unchanged(const uint8_t* solution) const { return inserted(solution, 0, 0); }
};

/// Calls visit(row, number of the row) for each row, until visit returns false. A row has all insertions of one
/// element.
template <class Visit>
QAPFW_DEVICE void for_move_rows(const InsertionMoves& moves, const Visit& visit) {
    const uint32_t free = moves.list.segments[0].free_count;
    for (uint32_t i = 0; i < free; ++i) {
        if (!visit(MoveRow{0, i, 0, free}, i)) return;
    }
}

/// Makes `to` the result of move k of a row on the solution `to.stored`. Returns false if the row has no move k, or if
/// the element would stay at its position.
QAPFW_DEVICE bool change_by_move(const InsertionMoves& moves, const MoveRow& row, uint32_t k, InsertedSolution& to) {
    if (k >= row.end || k == row.i) return false;
    const uint32_t* const free = moves.list.free + moves.list.segments[0].free_first;
    to.from = static_cast<int>(free[row.i]);
    to.to = static_cast<int>(free[k]);
    return true;
}

/// Makes an insertion in `solution` itself. Called by all lanes of a warp together.
QAPFW_DEVICE void make_change(const SegmentList&, uint8_t* solution, const InsertedSolution& changed) {
    auto* const order = reinterpret_cast<uint16_t*>(solution);
    const auto lane = static_cast<int>(lane_number());
    const int direction = changed.from < changed.to ? 1 : -1, steps = direction * (changed.to - changed.from);
    WarpGroup{}.sync();
    const int element = changed.at(changed.from);
    // Each step sets 32 positions. A free position gets the element of the next free position in this direction. A
    // fixed position keeps its element. So no step reads a position that an earlier step has written.
    for (int base = 0; base < steps; base += 32) {
        const int position = changed.from + direction * (base + lane);
        const bool moves = base + lane < steps;
        const int next = moves ? changed.at(changed.source(position)) : 0;
        WarpGroup{}.sync();
        if (moves) order[position] = static_cast<uint16_t>(next);
        WarpGroup{}.sync();
    }
    if (lane == 0) order[changed.to] = static_cast<uint16_t>(element);
    WarpGroup{}.sync();
}

/// Returns the cost after the insertion minus the cost before, which is `now`. All threads of `group` call it together.
template <class Problem, class Group>
QAPFW_DEVICE typename Problem::Cost delta_of(Group group, const typename Problem::View& view,
                                             const InsertedSolution& inserted, typename Problem::Cost now) {
    if constexpr (requires { Problem::delta_insertion(group, view, inserted); }) {
        return Problem::delta_insertion(group, view, inserted);
    } else {
        return Problem::cost(group, view, inserted) - now;
    }
}

/// Returns the same as delta_of, computed by a warp. `scratch`: kUnits elements of shared memory for the cost.
template <class Problem, uint32_t kUnits>
QAPFW_DEVICE typename Problem::Cost delta_by_warp(const typename Problem::View& view, const InsertedSolution& inserted,
                                                  typename Problem::Cost now, SolutionUnit* scratch) {
    if constexpr (requires { Problem::delta_insertion(WarpGroup{}, view, inserted); }) {
        return Problem::delta_insertion(WarpGroup{}, view, inserted);
    } else {
        return cost_by_warp<Problem, kUnits>(view, inserted, scratch) - now;
    }
}

/// The moves of a kernel: insertions if the host defines QAPFW_INSERTIONS, else the moves of all segments.
#ifdef QAPFW_INSERTIONS
using SearchMoves = InsertionMoves;
#else
using SearchMoves = SegmentMoves;
#endif

}  // namespace qapfw::kernels
