// SPDX-License-Identifier: Apache-2.0
// The moves of a solution of any segments on the device, in the order of sdk/moves_of_segments.hpp. The lanes of a warp
// split the moves of a row. The problem's device code must come before this file.
#pragma once

#include "qapfw/kernels/changed_solution.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::kernels {

/// Data from which for_move_rows() lists the moves. The data are plain, and part of a kernel's argument.
struct SegmentMoves {
    using Changed = ChangedSolution;           ///< a solution after a move
    static constexpr bool kBestOfRow = false;  ///< sweeps make each improving move that they find
    SegmentList list;                          ///< the segments
    const uint32_t* radices;                   ///< for each segment: the largest bound of its elements' values

    /// The solution at `solution`, in the form that cost functions read.
    QAPFW_DEVICE StoredSolution stored(const uint8_t* solution) const { return {solution, nullptr, nullptr}; }
    /// Returns a ChangedSolution that describes no move: it is the solution at `solution`, unchanged.
    QAPFW_DEVICE ChangedSolution unchanged(const uint8_t* solution) const {
        return {stored(solution), 0, -1, -1, 0, 0};
    }
};

/// Moves with consecutive numbers: the SET moves of a segment (an element gets another value), the swaps of one element
/// with later elements, or the insertions of one element.
struct MoveRow {
    uint32_t segment;     ///< number of the segment
    uint32_t i;           ///< index of that one element in the list of free elements; ~0u: the row has SET moves
    uint32_t begin, end;  ///< numbers of the moves: begin to end - 1
};

/// Calls visit(row, number of the row) for each row, until visit returns false.
template <class Visit>
QAPFW_DEVICE void for_move_rows(const SegmentMoves& moves, const Visit& visit) {
    uint32_t number = 0;
    for (uint32_t g = 0; g < moves.list.count; ++g) {
        const SegmentView& s = moves.list.segments[g];
        const bool order = is_order(s);
        if (!order && !visit(MoveRow{g, ~0u, 0, s.free_count * moves.radices[g]}, number++)) return;
        if (!order && s.kind != kValuesSegment) continue;
        for (uint32_t i = 0; i + 1 < s.free_count; ++i) {
            if (!visit(MoveRow{g, i, i + 1, s.free_count}, number++)) return;
        }
    }
}

/// Makes `to` describe the solution that move k of a row makes of `to.stored`. Returns false if the row has no move k,
/// or if the move changes nothing or breaks a bound.
QAPFW_DEVICE bool change_by_move(const SegmentMoves& moves, const MoveRow& row, uint32_t k, ChangedSolution& to) {
    if (k >= row.end) return false;
    const SegmentView& s = moves.list.segments[row.segment];
    const uint32_t *const free = moves.list.free + s.free_first, *const bounds = moves.list.bounds + s.first;
    to.segment = static_cast<int>(row.segment);
    to.j = -1;
    if (row.i == ~0u) {
        const uint32_t radix = moves.radices[row.segment], e = free[k / radix];
        to.i = static_cast<int>(e);
        to.at_i = k % radix;
        return to.at_i < bounds[e] && to.at_i != segment_element(s, to.stored.solution, e);
    }
    const uint32_t i = free[row.i], j = free[k];
    to.i = static_cast<int>(i);
    to.j = static_cast<int>(j);
    to.at_j = segment_element(s, to.stored.solution, i);
    to.at_i = segment_element(s, to.stored.solution, j);
    return to.at_i != to.at_j && to.at_i < bounds[i] && to.at_j < bounds[j];
}

/// Makes a move in `solution` itself. Called by all lanes of a warp together.
QAPFW_DEVICE void make_change(const SegmentList& list, uint8_t* solution, const ChangedSolution& changed) {
    WarpGroup{}.sync();
    if (lane_number() == 0) {
        const SegmentView& s = list.segments[changed.segment];
        set_segment_element(s, solution, static_cast<uint32_t>(changed.i), changed.at_i);
        if (changed.j >= 0) set_segment_element(s, solution, static_cast<uint32_t>(changed.j), changed.at_j);
    }
    WarpGroup{}.sync();
}

/// Copies a solution of `bytes` bytes, a multiple of 4. Called by all lanes of a warp together.
QAPFW_DEVICE void copy_by_warp(uint8_t* to, const uint8_t* from, uint32_t bytes) {
    for (uint32_t k = 4 * lane_number(); k < bytes; k += 128) {
        *reinterpret_cast<uint32_t*>(to + k) = *reinterpret_cast<const uint32_t*>(from + k);
    }
    WarpGroup{}.sync();
}

}  // namespace qapfw::kernels
