// SPDX-License-Identifier: Apache-2.0
// Insertions for move_descent.hpp. An insertion moves an element to another position of the order.
#pragma once

#include "plugins/local_search/move_descent.hpp"
#include "qapfw/sdk/insertion_neighbourhood.hpp"

namespace qapfw::local_search {

class Insertions {
  public:
    explicit Insertions(const sdk::ProblemRef& problem) : neighbourhood_(problem) {}

    sdk::InsertionNeighbourhood& neighbourhood() { return neighbourhood_; }
    std::uint64_t count() const { return neighbourhood_.count(); }
    bool make_best(const sdk::CostLess& less) {
        Insertion best{0, 0, {}};
        for (const std::uint16_t from : neighbourhood_.free()) {
            const Insertion one = best_place(from, less);
            if (less(one.delta, best.delta)) best = one;
        }
        if (best.from == best.to) return false;
        neighbourhood_.apply(best.from, best.to, best.delta);
        return true;
    }
    /// Takes the element of each position in turn and puts it at its best position if that lowers the cost. In a rising
    /// sweep, each insertion must lower the cost more than the insertion before. Returns true if it made an insertion.
    bool sweep(const sdk::CostLess& less, bool rising) {
        qapfw_cost last{};
        bool changed = false;
        for (const std::uint16_t from : neighbourhood_.free()) {
            const Insertion one = best_place(from, less);
            if (one.from == one.to || !less(one.delta, last)) continue;
            neighbourhood_.apply(one.from, one.to, one.delta);
            changed = true;
            if (rising) last = one.delta;
        }
        return changed;
    }

  private:
    struct Insertion {
        std::uint32_t from, to;
        qapfw_cost delta;
    };

    /// The best position for the element at `from`, the first of equal ones; `from` itself if none improves.
    Insertion best_place(std::uint32_t from, const sdk::CostLess& less) {
        const std::span<const qapfw_cost> deltas = neighbourhood_.deltas(from);
        Insertion best{from, from, {}};
        for (const std::uint16_t to : neighbourhood_.free()) {
            if (to != from && less(deltas[to], best.delta)) best = {from, to, deltas[to]};
        }
        return best;
    }

    sdk::InsertionNeighbourhood neighbourhood_;
};

using InsertionDescent = MoveDescent<Insertions>;

}  // namespace qapfw::local_search
