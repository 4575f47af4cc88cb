// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/assignment_cost.hpp"

#include "problems/gqap/capacities.hpp"

namespace qapfw::gqap {
namespace {

/// Largest number of items with which a full table of flows is kept. With more, a binary search finds a pair's flow.
constexpr std::size_t kMostDenseItems = 1024;

}  // namespace

AssignmentCost::AssignmentCost(const Instance& instance)
    : instance_(instance), factor_(excess_cost(instance)), first_(instance.first), flows_(instance.flows) {
    const std::uint32_t m = instance.locations;
    distance_to_.resize(instance.distance.size());
    for (std::uint32_t a = 0; a < m; ++a) {
        for (std::uint32_t b = 0; b < m; ++b) {
            distance_to_[std::size_t{a} * m + b] = instance.d(b, a);
            symmetric_ = symmetric_ && instance.d(a, b) == instance.d(b, a);
        }
    }
    if (symmetric_) {
        for (Flow& flow : flows_) flow = {flow.other, flow.out + flow.in, 0};
    }
    const std::size_t n = instance.items;
    if (n > kMostDenseItems) return;
    dense_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::uint64_t f = first_[i]; f < first_[i + 1]; ++f) dense_[i * n + flows_[f].other] = flows_[f].out;
    }
}

std::int64_t AssignmentCost::excess(const std::vector<std::int64_t>& load) const {
    std::int64_t excess = 0;
    if (factor_ == 0) return 0;
    for (std::uint32_t k = 0; k < instance_.locations; ++k) excess += excess_of(load[k], instance_.capacity[k]);
    return excess;
}

}  // namespace qapfw::gqap
