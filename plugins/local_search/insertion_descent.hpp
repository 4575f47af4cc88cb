// SPDX-License-Identifier: Apache-2.0
// The descents of two_opt.hpp over insertions: an element is taken out of the order and put in elsewhere.
#pragma once

#include <limits>

#include "plugins/local_search/device_local_search.hpp"
#include "qapfw/abi/improver.h"
#include "qapfw/sdk/insertion_neighbourhood.hpp"

namespace qapfw::local_search {

class InsertionDescent {
  public:
    explicit InsertionDescent(const sdk::ProblemRef& problem) : problem_(problem), neighbourhood_(problem) {}

    /// Improves a solution by `limit` insertions or sweeps at most; 0: until there is no improvement. A sweep puts each
    /// element in turn at its best place where that improves; of rising sweeps where it improves more than the
    /// insertion made before. Returns the insertions that were looked at, of whole scans.
    std::uint64_t improve(void* solution, qapfw_cost* cost, Descent descent, std::uint64_t limit,
                          const qapfw_improve_request& request) {
        if (neighbourhood_.free().size() < 2) return 0;
        const std::uint64_t most = limit > 0 ? limit : std::numeric_limits<std::uint64_t>::max();
        neighbourhood_.watch({request.should_stop, request.stop_context});
        std::uint64_t scans = 0;
        try {
            neighbourhood_.reset(solution);
            for (bool changed = true; changed && scans < most; ++scans) {
                changed = descent == Descent::kBestImprovement ? make_best() : sweep(descent);
            }
        } catch (const sdk::Stopped&) {  // the neighbourhood's solution is the one after the last insertion
        }
        std::memcpy(solution, neighbourhood_.solution(), problem_.solution_bytes());
        // A sum of real-valued deltas is rounded.
        *cost = problem_.has_integer_costs() ? neighbourhood_.cost() : problem_.evaluate_one(solution);
        return scans * neighbourhood_.count();
    }

  private:
    struct Insertion {
        std::uint32_t from, to;
        qapfw_cost delta;
    };

    /// The first of the best places of the element of a position.
    Insertion best_place(std::uint32_t from) {
        const sdk::CostLess less = problem_.less();
        const std::span<const qapfw_cost> deltas = neighbourhood_.deltas(from);
        Insertion best{from, from, {}};
        for (const std::uint16_t to : neighbourhood_.free()) {
            if (to != from && less(deltas[to], best.delta)) best = {from, to, deltas[to]};
        }
        return best;
    }
    bool make_best() {
        const sdk::CostLess less = problem_.less();
        Insertion best{0, 0, {}};
        for (const std::uint16_t from : neighbourhood_.free()) {
            const Insertion one = best_place(from);
            if (less(one.delta, best.delta)) best = one;
        }
        if (best.from == best.to) return false;
        neighbourhood_.apply(best.from, best.to, best.delta);
        return true;
    }
    bool sweep(Descent descent) {
        const sdk::CostLess less = problem_.less();
        qapfw_cost last{};
        bool changed = false;
        for (const std::uint16_t from : neighbourhood_.free()) {
            const Insertion one = best_place(from);
            if (one.from == one.to || !less(one.delta, last)) continue;
            neighbourhood_.apply(one.from, one.to, one.delta);
            changed = true;
            if (descent == Descent::kRisingSweeps) last = one.delta;
        }
        return changed;
    }

    sdk::ProblemRef problem_;
    sdk::InsertionNeighbourhood neighbourhood_;
};

}  // namespace qapfw::local_search
