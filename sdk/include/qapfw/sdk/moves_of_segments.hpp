// SPDX-License-Identifier: Apache-2.0
// Moves for searches, in segments of any kind: which moves exist, and how they change the cost. If the problem can
// compute the change (abi/moves.h), the search asks the problem; otherwise the search evaluates the changed solutions.
// To compute the change, give the problem class a member class `Moves` that is constructed from the problem and has
//
//     qapfw_cost reset(const void* solution);              // copies the solution and returns its cost
//     qapfw_cost delta(const qapfw_move&);                 // cost after - cost before
//     void apply(const qapfw_move&);
//
// The moves of a segment come in this order. Permutations and counted segments: all swaps of two free elements with
// different values, sorted by the first element, then by the second. Bits and values: all other values of each free
// element in turn. Then, for values only: all swaps of two free elements with different values, if their bounds allow
// the swap.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "qapfw/abi/moves.h"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// The elements that a move changes: up to two, with their new values.
struct MovedElements {
    std::uint32_t count;        ///< 1 or 2
    std::uint32_t position[2];  ///< positions of the elements in the move's segment
    std::uint32_t before[2];    ///< values of the elements before the move
    std::uint32_t after[2];     ///< values of the elements after the move
};
/// The elements that a move of `solution` changes.
inline MovedElements moved_elements(const qapfw_encoding& encoding, const void* solution, const qapfw_move& move) {
    const qapfw_segment& segment = encoding.segments[move.segment];
    const std::uint32_t at_i = element_at(segment, solution, move.i);
    if (move.kind == QAPFW_MOVE_SET) return {1, {move.i, 0}, {at_i, 0}, {move.to, 0}};
    const std::uint32_t at_j = element_at(segment, solution, move.to);
    return {2, {move.i, move.to}, {at_i, at_j}, {at_j, at_i}};
}
/// Changes `solution` by the move.
inline void make_move(const qapfw_encoding& encoding, void* solution, const qapfw_move& move) {
    const MovedElements moved = moved_elements(encoding, solution, move);
    for (std::uint32_t k = 0; k < moved.count; ++k) {
        set_element(encoding.segments[move.segment], solution, moved.position[k], moved.after[k]);
    }
}

/// Lists the moves of a solution one by one. The solution may change between two calls of next(). The problem must
/// outlive this object.
class MoveList {
  public:
    /// Finds the free positions of all segments.
    explicit MoveList(const ProblemRef& problem) : encoding_(problem.encoding()), free_(encoding_.segment_count) {
        const std::uint8_t* fixed = encoding_.fixed;
        for (std::uint32_t s = 0; s < encoding_.segment_count; ++s) {
            const qapfw_segment& segment = encoding_.segments[s];
            for (std::uint32_t k = 0; k < segment.length; ++k) {
                if (fixed == nullptr || fixed[k] == 0) free_[s].push_back(k);
            }
            if (fixed != nullptr) fixed += segment.length;
        }
    }

    /// Position in a walk over the moves.
    struct Cursor {
        std::uint32_t segment = 0;  ///< number of the segment
        std::uint32_t phase = 0;    ///< 0: values are set, 1: elements are swapped
        std::uint32_t i = 0;        ///< index into free(segment) of the element to set, or of the first element to swap
        std::uint32_t to = 0;       ///< the value to set, or the index into free(segment) of the second element to swap
    };

    /// Writes the first move of `solution` at or behind the cursor to `move`, and puts the cursor behind this move.
    /// Returns false if no move is left.
    bool next(const void* solution, Cursor& at, qapfw_move& move) const {
        for (; at.segment < encoding_.segment_count; at = {at.segment + 1}) {
            const qapfw_segment& segment = encoding_.segments[at.segment];
            const bool is_order = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
            if (at.phase == 0) {
                if (!is_order && next_set(segment, solution, at, move)) return true;
                at = {at.segment, 1};
            }
            if ((is_order || segment.kind == QAPFW_SEGMENT_VALUES) && next_exchange(segment, solution, at, move)) {
                return true;
            }
        }
        return false;
    }
    /// Number of moves of a solution. Swaps that change nothing or break a bound are counted too, but not listed.
    std::uint64_t count() const {
        std::uint64_t all = 0;
        for (std::uint32_t s = 0; s < encoding_.segment_count; ++s) {
            const qapfw_segment& segment = encoding_.segments[s];
            const std::uint64_t free = free_[s].size();
            const bool is_order = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
            if (!is_order) {
                for (const std::uint32_t k : free_[s]) all += bound_at(segment, k) - 1;
            }
            if ((is_order || segment.kind == QAPFW_SEGMENT_VALUES) && free > 1) all += free * (free - 1) / 2;
        }
        return all;
    }
    /// The positions of a segment's free elements, ascending.
    std::span<const std::uint32_t> free(std::uint32_t segment) const { return free_[segment]; }

  private:
    bool next_set(const qapfw_segment& segment, const void* solution, Cursor& at, qapfw_move& move) const {
        const std::vector<std::uint32_t>& free = free_[at.segment];
        for (; at.i < free.size(); ++at.i, at.to = 0) {
            const std::uint32_t k = free[at.i], bound = bound_at(segment, k);
            if (at.to == element_at(segment, solution, k)) ++at.to;
            if (at.to >= bound) continue;
            move = {QAPFW_MOVE_SET, at.segment, k, at.to++};
            return true;
        }
        return false;
    }
    bool next_exchange(const qapfw_segment& segment, const void* solution, Cursor& at, qapfw_move& move) const {
        const std::vector<std::uint32_t>& free = free_[at.segment];
        for (; at.i + 1 < free.size(); ++at.i, at.to = 0) {
            const std::uint32_t k = free[at.i], a = element_at(segment, solution, k), bound = bound_at(segment, k);
            for (at.to = std::max(at.to, at.i + 1); at.to < free.size(); ++at.to) {
                const std::uint32_t other = free[at.to], b = element_at(segment, solution, other);
                if (a == b || b >= bound || a >= bound_at(segment, other)) continue;
                move = {QAPFW_MOVE_EXCHANGE, at.segment, k, other};
                ++at.to;
                return true;
            }
        }
        return false;
    }

    const qapfw_encoding& encoding_;
    std::vector<std::vector<std::uint32_t>> free_;
};

/// A solution, and the changes of its cost by moves. Use one object per search; not thread-safe.
class MoveNeighbourhood : public SearchedSolution<qapfw_moves, qapfw_move_search> {
  public:
    /// An empty neighbourhood; call `reset` first. The problem must outlive the neighbourhood. Throws StatusError if
    /// the problem fails.
    explicit MoveNeighbourhood(const ProblemRef& problem)
        : SearchedSolution(problem, QAPFW_PROBLEM_MOVES, "moves: create", "moves: reset"),
          list_(problem),
          moves_(kMostTogether),
          ends_(kMostTogether),
          deltas_(kMostTogether) {}

    const MoveList& list() const { return list_; }                          ///< the possible moves
    const qapfw_encoding& encoding() const { return problem_.encoding(); }  ///< encoding of the solutions

    /// Calls visit(move, delta) for all moves from the cursor on, in order, until `visit` returns false. The cursor is
    /// then behind the last visited move.
    template <class Visit>
    void scan(MoveList::Cursor& at, const Visit& visit) {
        for (bool goes_on = true; goes_on;) {
            if (stop_()) throw Stopped();
            MoveList::Cursor end = at;
            std::uint32_t count = 0;
            for (; count < together_ && list_.next(current_.data(), end, moves_[count]); ++count) ends_[count] = end;
            if (count == 0) return;
            find_deltas(count);
            for (std::uint32_t k = 0; goes_on && k < count; ++k) {
                at = ends_[k];
                goes_on = visit(moves_[k], deltas_[k]);
            }
        }
    }
    /// The change of the present cost by a move.
    qapfw_cost delta(const qapfw_move& move) {
        moves_[0] = move;
        find_deltas(1);
        return deltas_[0];
    }
    /// Makes a move whose delta is known, and adds the delta to the cost. Many additions to a real cost collect
    /// rounding errors; `reset` computes the cost anew.
    void apply(const qapfw_move& move, qapfw_cost delta) {
        make_move(problem_.encoding(), current_.data(), move);
        if (object_) check(object_->apply(object_.get(), &move), "moves: apply");
        cost_ = problem_.sum(cost_, delta);
    }

  private:
    void find_deltas(std::uint32_t count) {
        if (object_) {
            check(object_->deltas(object_.get(), moves_.data(), count, deltas_.data()), "moves: deltas");
            together_ = kMostTogether;
        } else {
            evaluate_changed(count, deltas_.data(), [&](std::uint32_t k, void* changed) {
                make_move(problem_.encoding(), changed, moves_[k]);
            });
        }
    }

    MoveList list_;
    std::vector<qapfw_move> moves_;
    std::vector<MoveList::Cursor> ends_;  ///< for each move in `moves_`: the cursor behind this move
    std::vector<qapfw_cost> deltas_;
};

/// The table of the capability "moves". `Handle`: the class behind qapfw_problem. `Moves`: a class with the members
/// reset, delta and apply that the head of this file lists.
template <class Handle, class Moves>
struct MovesTable {
    using Objects = ProblemObjects<qapfw_move_search, Handle, Moves>;
    static constexpr qapfw_moves table = {
        sizeof(qapfw_moves),
        Objects::create,
        Objects::destroy,
        Objects::reset,
        [](qapfw_move_search* h, const qapfw_move* moves, std::uint64_t count, qapfw_cost* deltas) -> qapfw_status {
            return Objects::call(h, [&](Moves& o) {
                for (std::uint64_t k = 0; k < count; ++k) deltas[k] = o.delta(moves[k]);
            });
        },
        [](qapfw_move_search* h, const qapfw_move* move) -> qapfw_status {
            return Objects::call(h, [&](Moves& o) { o.apply(*move); });
        }};
};

}  // namespace qapfw::sdk
