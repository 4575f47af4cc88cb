// SPDX-License-Identifier: Apache-2.0
// A solution in which a move has changed up to two elements of one segment. On the device, Problem::cost evaluates this
// solution, to find what the move adds to the cost. A problem may compute this change itself, in a member of its
// `Problem`:
//
//     template <class Group, class Changed>
//     static QAPFW_DEVICE Cost delta(Group group, const View& view, const Changed& changed);
//
// The member returns the cost of `changed` minus the cost of `changed.before()`, exact for integer costs. All threads
// of the group call it together. Without this member, the changed solution is evaluated in full.
#pragma once

#include "qapfw/kernels/population.hpp"
#include "qapfw/kernels/segmented_solution.hpp"

namespace qapfw::kernels {

/// A stored solution: any segments, or a permutation of 16-bit elements, alone or with the bits of a layout.
struct StoredSolution {
    const uint8_t* solution;  ///< the bytes of the solution
    const uint16_t* order;    ///< for each position in the device code: its original position; null: the two are equal
    const uint8_t* bits;      ///< bits of a layout; null: none

    /// The element at a position of the first segment.
    QAPFW_DEVICE int operator()(int position) const { return static_cast<int>(element(0, position)); }
    /// The element at a position of a segment.
    QAPFW_DEVICE uint32_t element(int segment, int position) const {
#ifdef QAPFW_SEGMENTS
        return segmented_element(solution, segment, position);
#else
        if (segment != 0) return bits[position];
        return reinterpret_cast<const uint16_t*>(solution)[original(position)];
#endif
    }
    /// Bit k of a layout; 0 if the solution has no bits.
    QAPFW_DEVICE int bit(int k) const {
        return bits == nullptr ? 0 : bits[k];
    }
    /// The original position in segment 0 for `position`, which is numbered as in the device code.
    QAPFW_DEVICE int original(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        if (order != nullptr) return order[position];
#endif
        return position;
    }
};

/// The solution after a move.
struct ChangedSolution {
    StoredSolution stored;  ///< the solution before the move
    int segment;            ///< segment of the changed elements
    int i, j;               ///< original positions of the changed elements; -1: none
    uint32_t at_i, at_j;    ///< the elements at i and j after the move

    /// The element at a position of the first segment.
    QAPFW_DEVICE int operator()(int position) const { return static_cast<int>(element(0, position)); }
    /// The element at a position of a segment.
    QAPFW_DEVICE uint32_t element(int of, int position) const {
        const int original = of == 0 ? stored.original(position) : position;
        if (of == segment && original == i) return at_i;
        if (of == segment && original == j) return at_j;
        return stored.element(of, position);
    }
    /// Bit k of a layout; 0 if the solution has no bits.
    QAPFW_DEVICE int bit(int k) const {
        if (stored.bits == nullptr) return 0;
        return static_cast<int>(element(1, k));
    }
    /// The solution before the move.
    QAPFW_DEVICE const StoredSolution& before() const { return stored; }
};

/// Returns the cost after the move minus `now`, the cost before the move. All threads of `group` call it together.
template <class Problem, class Group>
QAPFW_DEVICE typename Problem::Cost delta_of(Group group, const typename Problem::View& view,
                                             const ChangedSolution& changed, typename Problem::Cost now) {
    if constexpr (requires { Problem::delta(group, view, changed); }) {
        return Problem::delta(group, view, changed);
    } else {
        return Problem::cost(group, view, changed) - now;
    }
}

/// Returns the same as delta_of, computed by a warp. `scratch`: kUnits elements of shared memory for the cost.
template <class Problem, uint32_t kUnits>
QAPFW_DEVICE typename Problem::Cost delta_by_warp(const typename Problem::View& view, const ChangedSolution& changed,
                                                  typename Problem::Cost now, SolutionUnit* scratch) {
    if constexpr (requires { Problem::delta(WarpGroup{}, view, changed); }) {
        return Problem::delta(WarpGroup{}, view, changed);
    } else {
        return cost_by_warp<Problem, kUnits>(view, changed, scratch) - now;
    }
}

}  // namespace qapfw::kernels
