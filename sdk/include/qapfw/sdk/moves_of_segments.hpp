// SPDX-License-Identifier: Apache-2.0
// Moves of the elements of any segments, for searches: which there are, and what they change the cost by. The problem
// says that itself where it can (abi/moves.h); else the changed solutions are evaluated. Giving it is a class that is
// constructed from the problem and has
//
//     qapfw_cost reset(const void* solution);              // copies it and returns its cost
//     qapfw_cost delta(const qapfw_move&);                 // cost after - cost before
//     void apply(const qapfw_move&);
//
// The moves of a segment, in this order: of permutations and counted segments all exchanges of two free elements that
// differ, by the first and then the second; of bits and values all other values of each free element in turn, and then,
// of values, all exchanges of two free elements that differ and whose bounds allow it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "qapfw/abi/moves.h"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Elements that a move changes: up to two, with their new values.
struct MovedElements {
    std::uint32_t count;        ///< 1 or 2
    std::uint32_t position[2];  ///< in the segment
    std::uint32_t before[2];    ///< values before
    std::uint32_t after[2];     ///< values afterwards
};
/// Elements that a move of `solution` changes.
inline MovedElements moved_elements(const qapfw_encoding& encoding, const void* solution, const qapfw_move& move) {
    const qapfw_segment& segment = encoding.segments[move.segment];
    const std::uint32_t at_i = element_at(segment, solution, move.i);
    if (move.kind == QAPFW_MOVE_SET) return {1, {move.i, 0}, {at_i, 0}, {move.to, 0}};
    const std::uint32_t at_j = element_at(segment, solution, move.to);
    return {2, {move.i, move.to}, {at_i, at_j}, {at_j, at_i}};
}
/// Makes a move of a solution in place.
inline void make_move(const qapfw_encoding& encoding, void* solution, const qapfw_move& move) {
    const MovedElements moved = moved_elements(encoding, solution, move);
    for (std::uint32_t k = 0; k < moved.count; ++k) {
        set_element(encoding.segments[move.segment], solution, moved.position[k], moved.after[k]);
    }
}

/// Lists the moves of a solution that changes meanwhile. It must outlive this object, and so must the problem.
class MoveList {
  public:
    /// The free elements of all segments.
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

    /// Position of a walk over the moves.
    struct Cursor {
        std::uint32_t segment = 0;  ///< its number
        std::uint32_t phase = 0;    ///< 0: values are set, 1: elements are exchanged
        std::uint32_t i = 0;        ///< number of the first element among the free ones
        std::uint32_t to = 0;       ///< the value, or the number of the second element among the free ones
    };

    /// The next move of `solution` from the cursor on, which then stands behind it; false: there is none.
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
    /// Number of moves that an iteration looks at: exchanges too that change nothing or break a bound.
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
    /// The free elements of a segment, ascending.
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

/// A solution, and what its moves change its cost by. One per search; not shared between threads.
class MoveNeighbourhood {
  public:
    /// An empty neighbourhood; the problem must outlive it. `reset` comes first. Throws StatusError where the problem
    /// fails.
    explicit MoveNeighbourhood(const ProblemRef& problem)
        : problem_(problem),
          list_(problem),
          table_(problem.capability<qapfw_moves>(QAPFW_PROBLEM_MOVES)),
          current_(problem.solution_bytes()),
          moves_(kChunk),
          ends_(kChunk),
          deltas_(kChunk) {
        if (table_ != nullptr) {
            check(table_->create(problem.get()->problem, &handle_), "moves: create");
        } else {
            changed_.resize(problem.solution_bytes() * kChunk);
        }
    }
    /// Takes the neighbourhood over; `other` may only be destroyed afterwards.
    MoveNeighbourhood(MoveNeighbourhood&& other) noexcept
        : problem_(other.problem_),
          list_(std::move(other.list_)),
          table_(other.table_),
          handle_(std::exchange(other.handle_, nullptr)),
          current_(std::move(other.current_)),
          changed_(std::move(other.changed_)),
          moves_(std::move(other.moves_)),
          ends_(std::move(other.ends_)),
          deltas_(std::move(other.deltas_)),
          cost_(other.cost_),
          stop_(other.stop_),
          chunk_(other.chunk_) {}
    MoveNeighbourhood& operator=(MoveNeighbourhood&&) = delete;
    ~MoveNeighbourhood() {
        if (handle_ != nullptr) table_->destroy(handle_);
    }

    /// From now on a scan throws Stopped soon after `stop` says so.
    void watch(const StopQuestion& stop) { stop_ = stop; }
    /// Starts from `solution`, which is copied, and returns its cost.
    qapfw_cost reset(const void* solution) {
        std::memcpy(current_.data(), solution, current_.size());
        if (table_ != nullptr) {
            check(table_->reset(handle_, solution, &cost_), "moves: reset");
        } else {
            cost_ = problem_.evaluate_one(current_.data());
        }
        return cost_;
    }
    const MoveList& list() const { return list_; }                          ///< which moves there are
    const qapfw_encoding& encoding() const { return problem_.encoding(); }  ///< of solutions
    const void* solution() const { return current_.data(); }                ///< the present one
    qapfw_cost cost() const { return cost_; }                               ///< of the present solution
    bool is_fast() const { return table_ != nullptr; }                      ///< true if the problem tells deltas itself

    /// Calls visit(move, delta) for all moves from the cursor on, in order, until it returns false. The cursor then
    /// stands behind the last one that was visited.
    template <class Visit>
    void scan(MoveList::Cursor& at, const Visit& visit) {
        for (bool goes_on = true; goes_on;) {
            if (stop_()) throw Stopped();
            MoveList::Cursor end = at;
            std::uint32_t count = 0;
            for (; count < chunk_ && list_.next(current_.data(), end, moves_[count]); ++count) ends_[count] = end;
            if (count == 0) return;
            find_deltas(count);
            for (std::uint32_t k = 0; goes_on && k < count; ++k) {
                at = ends_[k];
                goes_on = visit(moves_[k], deltas_[k]);
            }
        }
    }
    /// Cost after a move of the present solution, less the present cost.
    qapfw_cost delta(const qapfw_move& move) {
        moves_[0] = move;
        find_deltas(1);
        return deltas_[0];
    }
    /// Makes a move whose delta is known. Of real costs the sum of deltas is rounded: `reset` makes it exact.
    void apply(const qapfw_move& move, qapfw_cost delta) {
        make_move(problem_.encoding(), current_.data(), move);
        if (table_ != nullptr) check(table_->apply(handle_, &move), "moves: apply");
        if (problem_.has_integer_costs())
            cost_.i += delta.i;
        else
            cost_.f += delta.f;
    }

  private:
    static constexpr std::uint32_t kChunk = 256;  ///< moves whose deltas are asked for at a time, at most

    void find_deltas(std::uint32_t count) {
        if (table_ != nullptr) {
            check(table_->deltas(handle_, moves_.data(), count, deltas_.data()), "moves: deltas");
            chunk_ = kChunk;
            return;
        }
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t bytes = problem_.solution_bytes();
        for (std::uint32_t k = 0; k < count; ++k) {
            void* const changed = changed_.data() + bytes * k;
            std::memcpy(changed, current_.data(), bytes);
            make_move(problem_.encoding(), changed, moves_[k]);
        }
        problem_.evaluate({changed_.data(), deltas_.data(), count});
        for (std::uint32_t k = 0; k < count; ++k) {
            if (problem_.has_integer_costs())
                deltas_[k].i -= cost_.i;
            else
                deltas_[k].f -= cost_.f;
        }
        const auto time = std::chrono::steady_clock::now() - start;
        if (time < std::chrono::milliseconds(1)) chunk_ = std::min(2 * chunk_, kChunk);
        if (time > std::chrono::milliseconds(4)) chunk_ = std::max(chunk_ / 2, 1u);
    }

    ProblemRef problem_;
    MoveList list_;
    const qapfw_moves* table_;
    qapfw_move_search* handle_ = nullptr;
    std::vector<unsigned char> current_, changed_;
    std::vector<qapfw_move> moves_;
    std::vector<MoveList::Cursor> ends_;  ///< behind each of them
    std::vector<qapfw_cost> deltas_;
    qapfw_cost cost_{};
    StopQuestion stop_;
    std::uint32_t chunk_ = 16;  ///< moves asked for between two questions whether to stop
};

/// The capability's table for a problem class and a class of moves as at the head of this file.
template <class Handle, class Moves>
struct MovesTable {
    struct Bound {
        const qapfw_host* host;
        Moves object;
    };
    static Bound* cast(qapfw_move_search* h) { return reinterpret_cast<Bound*>(h); }
    static constexpr qapfw_moves table = {
        sizeof(qapfw_moves),
        [](qapfw_problem* problem, qapfw_move_search** out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = reinterpret_cast<qapfw_move_search*>(new Bound{handle->host, Moves(handle->object)});
            });
        },
        [](qapfw_move_search* h) { delete cast(h); },
        [](qapfw_move_search* h, const void* solution, qapfw_cost* cost) -> qapfw_status {
            return guarded(cast(h)->host, [&] { *cost = cast(h)->object.reset(solution); });
        },
        [](qapfw_move_search* h, const qapfw_move* moves, std::uint64_t count, qapfw_cost* deltas) -> qapfw_status {
            return guarded(cast(h)->host, [&] {
                for (std::uint64_t k = 0; k < count; ++k) deltas[k] = cast(h)->object.delta(moves[k]);
            });
        },
        [](qapfw_move_search* h, const qapfw_move* move) -> qapfw_status {
            return guarded(cast(h)->host, [&] { cast(h)->object.apply(*move); });
        }};
};

}  // namespace qapfw::sdk
