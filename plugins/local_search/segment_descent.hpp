// SPDX-License-Identifier: Apache-2.0
// The descents of two_opt.hpp over the moves of any segments, where solutions are neither one permutation of 16-bit
// elements nor a layout.
#pragma once

#include <limits>

#include "plugins/local_search/device_local_search.hpp"
#include "qapfw/abi/improver.h"
#include "qapfw/sdk/moves_of_segments.hpp"

namespace qapfw::local_search {

class SegmentDescent {
  public:
    explicit SegmentDescent(const sdk::ProblemRef& problem)
        : problem_(problem), neighbourhood_(problem), moves_(neighbourhood_.list().count()) {}

    /// Improves a solution by `limit` moves or sweeps at most; 0: until there is no improvement. Returns the moves that
    /// were looked at, of whole scans.
    std::uint64_t improve(void* solution, qapfw_cost* cost, Descent descent, std::uint64_t limit,
                          const qapfw_improve_request& request) {
        const std::uint64_t most = limit > 0 ? limit : std::numeric_limits<std::uint64_t>::max();
        neighbourhood_.watch({request.should_stop, request.stop_context});
        std::uint64_t scans = 0;
        try {
            neighbourhood_.reset(solution);
            for (bool changed = true; changed && scans < most; ++scans) {
                changed = descent == Descent::kBestImprovement ? make_best() : sweep(descent);
            }
        } catch (const sdk::Stopped&) {  // the neighbourhood's solution is the one after the last move that was made
        }
        std::memcpy(solution, neighbourhood_.solution(), problem_.solution_bytes());
        // A sum of real-valued deltas is rounded.
        *cost = problem_.has_integer_costs() ? neighbourhood_.cost() : problem_.evaluate_one(solution);
        return scans * moves_;
    }

  private:
    bool make_best() {
        const sdk::CostLess less = problem_.less();
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
    /// Makes every improving move in turn; of rising sweeps those that improve more than the one made before.
    bool sweep(Descent descent) {
        const sdk::CostLess less = problem_.less();
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
            if (descent == Descent::kRisingSweeps) last = delta;
        }
        return changed;
    }

    sdk::ProblemRef problem_;
    sdk::MoveNeighbourhood neighbourhood_;
    std::uint64_t moves_;
};

}  // namespace qapfw::local_search
