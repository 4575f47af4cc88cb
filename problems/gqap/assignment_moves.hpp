// SPDX-License-Identifier: Apache-2.0
// Deltas of moves in O(1); with more than 1024 items, a swap needs a binary search too. A table holds the cost of each
// item at each location. A move changes the rows of items that have flows with a moved item.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/gqap/assignment_cost.hpp"
#include "problems/gqap/capacities.hpp"
#include "qapfw/abi/moves.h"

namespace qapfw::gqap {

class AssignmentMoves {
  public:
    /// `cost` must outlive this object.
    explicit AssignmentMoves(const AssignmentCost& cost);

    /// Starts from an assignment and returns its cost.
    std::int64_t reset(std::vector<std::uint32_t> location_of);
    /// The change of the cost if an item is moved to another location.
    std::int64_t delta_set(std::uint32_t item, std::uint32_t to) const {
        const std::uint32_t from = location_of_[item];
        std::int64_t delta = at(item, to) - at(item, from);
        if (factor_ != 0) {
            const std::int64_t out = w(item, from), in = w(item, to);
            delta += factor_ * (beyond(from, -out) + beyond(to, in));
        }
        return delta;
    }
    /// The change of the cost if two items at different locations swap their locations.
    std::int64_t delta_exchange(std::uint32_t i, std::uint32_t j) const {
        const std::uint32_t a = location_of_[i], b = location_of_[j];
        std::int64_t delta = at(i, b) - at(i, a) + at(j, a) - at(j, b) + corrected(i, j, a, b);
        if (factor_ != 0) delta += factor_ * (beyond(a, w(j, a) - w(i, a)) + beyond(b, w(i, b) - w(j, b)));
        return delta;
    }
    void set(std::uint32_t item, std::uint32_t to);
    void exchange(std::uint32_t i, std::uint32_t j);
    const std::vector<std::uint32_t>& location_of() const { return location_of_; }

  private:
    std::int64_t at(std::uint32_t item, std::uint32_t location) const {
        return table_[std::size_t{item} * m_ + location];
    }
    std::int64_t w(std::uint32_t item, std::uint32_t location) const {
        return weight_[std::size_t{item} * m_ + location];
    }
    /// The change of a location's excess if the location's load changes by `change`.
    std::int64_t beyond(std::uint32_t location, std::int64_t change) const {
        return excess_of(load_[location] + change, capacity_[location]) -
               excess_of(load_[location], capacity_[location]);
    }
    /// Correction for a swap of items i and j at locations a and b. The table gives the change of the cost if one of
    /// the items moves and the other stays. The swap's change is the sum of both changes and the correction.
    std::int64_t corrected(std::uint32_t i, std::uint32_t j, std::uint32_t a, std::uint32_t b) const {
        const Flow flow = flow_of(i, j);
        return cost_.between(flow, a, b) + cost_.between(flow, b, a) - cost_.between(flow, a, a) -
               cost_.between(flow, b, b);
    }
    Flow flow_of(std::uint32_t i, std::uint32_t j) const;

    const AssignmentCost& cost_;
    std::uint32_t m_;
    std::int64_t factor_;
    const std::int64_t *weight_, *capacity_;
    std::vector<std::uint32_t> location_of_;
    std::vector<std::int64_t> table_, load_, from_, to_;
};

}  // namespace qapfw::gqap
