// SPDX-License-Identifier: Apache-2.0
// The change of the cost by one move, for searches that propose moves one at a time, such as simulated annealing. If
// the problem has the function `evaluate_children` (abi/child_costs.h), that function computes the new cost. Otherwise
// the whole solution is evaluated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/sdk/child_costs.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"

namespace qapfw::sdk {

/// A solution, its cost, and moves of its elements. Propose a move, look at the change, then accept the move or
/// propose another one. Only free elements may move, see free_positions. Not thread-safe.
class Moves {
  public:
    /// `problem` must outlive this object.
    explicit Moves(const ProblemRef& problem)
        : problem_(problem),
          costs_(problem),
          free_(free_positions(problem)),
          current_(problem.solution_bytes()),
          proposed_(problem.solution_bytes()) {}

    /// Starts from a copy of `solution` (problem.solution_bytes() bytes), whose cost is known.
    void reset(const void* solution, qapfw_cost cost) {
        std::memcpy(current_.data(), solution, current_.size());
        cost_ = cost;
        is_proposed_ = false;
    }
    /// Starts from a copy of `solution` and evaluates it once; returns its cost.
    qapfw_cost reset(const void* solution) {
        reset(solution, qapfw_cost{});
        ++evaluations_;
        return cost_ = problem_.evaluate_one(current_.data());
    }

    /// Copies solution and cost to the caller.
    void give(void* solution, qapfw_cost& cost) const {
        std::memcpy(solution, current_.data(), current_.size());
        cost = cost_;
    }
    /// The present solution, problem.solution_bytes() bytes; valid until the next accept or reset.
    const void* solution() const { return current_.data(); }
    qapfw_cost cost() const { return cost_; }  ///< cost of the present solution
    /// Number of costs evaluated since this object was made.
    std::uint64_t evaluations() const { return evaluations_; }

    /// Proposes to swap the elements at positions i and j. Returns the change of the cost, below 0 for a better
    /// solution; exact if costs are integers. Throws Error(kInput) for a position that is not free.
    qapfw_cost propose_exchange(std::uint32_t i, std::uint32_t j) {
        index_of(i), index_of(j);
        return propose_change([&](std::uint16_t* p) { std::swap(p[i], p[j]); });
    }
    /// Proposes to move the element at position `from` to position `to`, and to shift the elements of the free
    /// positions between them by one. Returns and throws as propose_exchange does.
    qapfw_cost propose_insertion(std::uint32_t from, std::uint32_t to) {
        std::size_t at = index_of(from);
        const std::size_t end = index_of(to);
        return propose_change([&](std::uint16_t* p) {
            while (at != end) {
                const std::size_t next = at < end ? at + 1 : at - 1;
                std::swap(p[free_[at]], p[free_[next]]);
                at = next;
            }
        });
    }
    /// Proposes a move of any segment; qapfw/abi/moves.h lists the kinds of moves. Returns the change of the cost, as
    /// propose_exchange does. Throws Error(kInput) if an element is fixed or a value is not below its bound. In
    /// permutations and counted segments, a move that sets a single element also throws.
    qapfw_cost propose(const qapfw_move& move) {
        const qapfw_encoding& encoding = problem_.encoding();
        check_move(encoding, move);
        std::memcpy(proposed_.data(), current_.data(), current_.size());
        make_move(encoding, proposed_.data(), move);
        return evaluate_proposed();
    }
    /// Proposes another value for element i of a segment of values or bits; see `propose`.
    qapfw_cost propose_set(std::uint32_t segment, std::uint32_t i, std::uint32_t value) {
        return propose({QAPFW_MOVE_SET, segment, i, value});
    }
    /// Proposes to flip bit k of a segment; see `propose`.
    qapfw_cost propose_flip(std::uint32_t segment, std::uint32_t k) {
        const qapfw_segment& bits = problem_.encoding().segments[segment];
        return propose_set(segment, k, element_at(bits, current_.data(), k) == 0 ? 1 : 0);
    }
    /// True if the last proposed move lowers the cost.
    bool is_better() const { return problem_.less()(proposed_cost_, cost_); }
    /// Makes the last proposed move. Throws Error(kInternal) if no move was proposed since the last accept or reset.
    void accept() {
        if (!std::exchange(is_proposed_, false))
            throw Error(ErrorKind::kInternal, "accept needs a proposed move, and accepts a move only once");
        current_.swap(proposed_);
        cost_ = proposed_cost_;
    }

  private:
    std::size_t index_of(std::uint32_t position) const {
        const auto found = std::lower_bound(free_.begin(), free_.end(), position);
        if (found == free_.end() || *found != position) {
            throw Error(ErrorKind::kInput, "a move of position " + std::to_string(position) +
                                               ": wanted a position below " + std::to_string(problem_.length()) +
                                               " whose element is not fixed");
        }
        return static_cast<std::size_t>(found - free_.begin());
    }
    void check_move(const qapfw_encoding& encoding, const qapfw_move& move) const {
        const qapfw_segment& segment = encoding.segments[move.segment];
        const std::uint8_t* fixed = encoding.fixed;
        for (std::uint32_t s = 0; fixed != nullptr && s < move.segment; ++s) fixed += encoding.segments[s].length;
        const bool is_order = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
        if (is_order && move.kind == QAPFW_MOVE_SET) refuse(move, "elements of this segment can only be swapped");
        const MovedElements moved = moved_elements(encoding, current_.data(), move);
        for (std::uint32_t k = 0; k < moved.count; ++k) {
            if (fixed != nullptr && fixed[moved.position[k]] != 0)
                refuse(move, "position " + std::to_string(moved.position[k]) + " is fixed");
            if (moved.after[k] >= bound_at(segment, moved.position[k])) refuse(move, "a value is not below its bound");
        }
    }
    [[noreturn]] static void refuse(const qapfw_move& move, const std::string& why) {
        throw Error(ErrorKind::kInput, "a move of position " + std::to_string(move.i) + " of segment " +
                                           std::to_string(move.segment) + ": " + why);
    }
    template <class Change>
    qapfw_cost propose_change(const Change& change) {
        std::memcpy(proposed_.data(), current_.data(), current_.size());
        change(permutation_of(proposed_.data()));
        return evaluate_proposed();
    }
    qapfw_cost evaluate_proposed() {
        costs_.evaluate({current_.data(), &cost_, 1}, {proposed_.data(), &proposed_cost_, 1});
        ++evaluations_;
        is_proposed_ = true;
        return problem_.difference(proposed_cost_, cost_);
    }

    ProblemRef problem_;
    ChildCosts costs_;
    std::vector<std::uint16_t> free_;
    std::vector<unsigned char> current_, proposed_;
    qapfw_cost cost_{}, proposed_cost_{};
    std::uint64_t evaluations_ = 0;
    bool is_proposed_ = false;
};

}  // namespace qapfw::sdk
