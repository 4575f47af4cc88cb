// SPDX-License-Identifier: Apache-2.0
// The moves of any segments for move_descent.hpp, for solutions that are neither one permutation of 16-bit elements nor
// a layout.
#pragma once

#include "plugins/local_search/move_descent.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"

namespace qapfw::local_search {

class MovesOfSegments {
  public:
    explicit MovesOfSegments(const sdk::ProblemRef& problem)
        : neighbourhood_(problem), count_(neighbourhood_.list().count()) {}

    sdk::MoveNeighbourhood& neighbourhood() { return neighbourhood_; }
    std::uint64_t count() const { return count_; }
    bool make_best(const sdk::CostLess& less) {
        qapfw_move best{};
        qapfw_cost least{};
        bool found = false;
        sdk::MoveList::Cursor all;
        neighbourhood_.scan(all, [&](const qapfw_move& move, qapfw_cost delta) {
            if (!less(delta, least)) return true;
            best = move;
            least = delta;
            return found = true;
        });
        if (found) neighbourhood_.apply(best, least);
        return found;
    }
    /// Scans all moves once and makes each move that lowers the cost. In a rising sweep, a move must lower the cost by
    /// more than the last move made. Returns whether a move was made.
    bool sweep(const sdk::CostLess& less, bool rising) {
        qapfw_cost last{};
        bool changed = false;
        sdk::MoveList::Cursor at;
        for (bool found = true; found;) {
            found = false;
            qapfw_move move{};
            qapfw_cost delta{};
            neighbourhood_.scan(at, [&](const qapfw_move& candidate, qapfw_cost its) {
                if (!less(its, last)) return true;
                move = candidate;
                delta = its;
                found = true;
                return false;
            });
            if (!found) break;
            neighbourhood_.apply(move, delta);
            changed = true;
            if (rising) last = delta;
        }
        return changed;
    }

  private:
    sdk::MoveNeighbourhood neighbourhood_;
    std::uint64_t count_;
};

using SegmentDescent = MoveDescent<MovesOfSegments>;

}  // namespace qapfw::local_search
