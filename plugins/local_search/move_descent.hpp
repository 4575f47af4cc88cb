// SPDX-License-Identifier: Apache-2.0
// The descents of two_opt.hpp for moves that sdk::SwapNeighbourhood does not have: moves of any segments
// (segment_descent.hpp), or insertions (insertion_descent.hpp).
#pragma once

#include <cstring>
#include <limits>

#include "plugins/local_search/device_local_search.hpp"
#include "qapfw/abi/improver.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::local_search {

/// A descent over `Moves`, a class that is constructed from the problem and has
///     Neighbourhood& neighbourhood();
///     std::uint64_t count() const;               number of moves of a scan
///     bool make_best(less);                      makes the best move; false: none improves
///     bool sweep(less, bool rising);             makes moves of one scan; false: none improves
template <class Moves>
class MoveDescent {
  public:
    explicit MoveDescent(const sdk::ProblemRef& problem) : problem_(problem), moves_(problem) {}

    /// Improves a solution by at most `limit` best moves or sweeps. If `limit` is 0, stops only when no move improves.
    /// Returns the number of moves checked: the number of completed scans times the number of moves of a scan.
    std::uint64_t improve(void* solution, qapfw_cost* cost, Descent descent, std::uint64_t limit,
                          const qapfw_improve_request& request) {
        const std::uint64_t most = limit > 0 ? limit : std::numeric_limits<std::uint64_t>::max();
        const sdk::CostLess less = problem_.less();
        auto& neighbourhood = moves_.neighbourhood();
        neighbourhood.watch({request.should_stop, request.stop_context});
        std::uint64_t scans = 0;
        try {
            neighbourhood.reset(solution);
            for (bool changed = true; changed && scans < most; ++scans) {
                changed = descent == Descent::kBestImprovement ? moves_.make_best(less)
                                                               : moves_.sweep(less, descent == Descent::kRisingSweeps);
            }
        } catch (const sdk::Stopped&) {  // the neighbourhood has the solution after the last move made
        }
        std::memcpy(solution, neighbourhood.solution(), problem_.solution_bytes());
        // A sum of real-valued deltas is rounded, so the cost is evaluated again.
        *cost = problem_.has_integer_costs() ? neighbourhood.cost() : problem_.evaluate_one(solution);
        return scans * moves_.count();
    }

  private:
    sdk::ProblemRef problem_;
    Moves moves_;
};

}  // namespace qapfw::local_search
