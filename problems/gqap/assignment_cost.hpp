// SPDX-License-Identifier: Apache-2.0
// The exact cost of an assignment: flows times distances, plus assignment costs, plus the load beyond capacities times
// a factor larger than all costs. So an assignment within the capacities costs less than any assignment beyond them.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

class AssignmentCost {
  public:
    /// `instance` must outlive this object and have passed check_instance.
    explicit AssignmentCost(const Instance& instance);

    /// The cost, as `evaluate` returns it. `location_of`: a valid location for each item. `Element` is an integer type.
    template <class Element>
    std::int64_t operator()(const Element* location_of) const {
        thread_local std::vector<std::int64_t> load;
        load.assign(instance_.locations, 0);
        std::int64_t cost = 0;
        for (std::uint32_t i = 0; i < instance_.items; ++i) {
            const std::uint32_t k = location_of[i];
            cost += instance_.linear[std::size_t{i} * instance_.locations + k];
            load[k] += instance_.w(i, k);
            for (std::uint64_t f = first_[i]; f < first_[i + 1]; ++f) {
                if (flows_[f].other > i) cost += between(flows_[f], k, location_of[flows_[f].other]);
            }
        }
        return cost + factor_ * excess(load);
    }
    /// The cost of a pair's flows if the item that has `flow` is at location `a` and item `flow.other` at location `b`.
    std::int64_t between(const Flow& flow, std::uint32_t a, std::uint32_t b) const {
        return symmetric_ ? flow.out * instance_.d(a, b) : flow.out * instance_.d(a, b) + flow.in * instance_.d(b, a);
    }
    /// The total load beyond the capacities; 0 without capacities.
    std::int64_t excess(const std::vector<std::int64_t>& load) const;

    const Instance& instance() const { return instance_; }
    /// True if distances are symmetric. Then every Flow::out is the sum of the flows in both directions.
    bool is_symmetric() const { return symmetric_; }
    std::int64_t factor() const { return factor_; }  ///< cost of one unit beyond a capacity; 0: no capacities
    /// Index of each item's first flow in flows(); at the end the number of all flows.
    const std::vector<std::uint64_t>& first() const { return first_; }
    const std::vector<Flow>& flows() const { return flows_; }  ///< the instance's flows; for Flow::out see is_symmetric
    const std::vector<std::int64_t>& distance_to() const { return distance_to_; }  ///< the transposed distances
    /// Matrix of Flow::out for all pairs of items, items x items entries; empty with more than 1024 items.
    const std::vector<std::int64_t>& dense() const { return dense_; }

  private:
    const Instance& instance_;
    bool symmetric_ = true;
    std::int64_t factor_;
    std::vector<std::uint64_t> first_;
    std::vector<Flow> flows_;
    std::vector<std::int64_t> distance_to_, dense_;
};

}  // namespace qapfw::gqap
