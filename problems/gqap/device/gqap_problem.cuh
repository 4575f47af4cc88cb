// SPDX-License-Identifier: Apache-2.0
// The generalised quadratic assignment problem on a GPU: its cost, and the changes of the cost by moves. This file
// comes after the device code that defines kItems, kLocations and kExcessCost.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::device {

/// The flows between an item and another item.
struct GqapFlow {
    uint32_t other;
    int64_t out, in;  ///< flows to the other item, and from it
};

struct Problem {
    struct View {
        const uint64_t* first;    ///< index of each item's first entry in `flows`; at the end, the number of entries
        const GqapFlow* flows;    ///< flows, item by item; a pair with flow is listed at both items
        const int64_t* distance;  ///< distances, locations x locations
        const int64_t* linear;    ///< assignment costs, items x locations
        const int64_t* weight;    ///< weights, items x locations
        const int64_t* capacity;  ///< capacity of each location
    };
    using Cost = int64_t;
    static constexpr int kPositions = kItems;

    /// Returns the same cost as AssignmentCost on the host. The threads of `group` split the items, then the locations.
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution location_of) {
        int64_t cost = 0;
        for (int i = group.rank(); i < kPositions; i += group.size()) {
            const int64_t a = location_of(i);
            cost += view.linear[int64_t{i} * kLocations + a];
            for (uint64_t f = view.first[i]; f < view.first[i + 1]; ++f) {
                const GqapFlow flow = view.flows[f];
                if (flow.other <= static_cast<uint32_t>(i)) continue;
                const int64_t b = location_of(static_cast<int>(flow.other));
                cost += flow.out * view.distance[a * kLocations + b] + flow.in * view.distance[b * kLocations + a];
            }
        }
        if (kExcessCost != 0) {
            for (int k = group.rank(); k < kLocations; k += group.size()) {
                int64_t load = -view.capacity[k];
                for (int i = 0; i < kPositions; ++i) {
                    load += location_of(i) == k ? view.weight[int64_t{i} * kLocations + k] : 0;
                }
                cost += load > 0 ? load * kExcessCost : 0;
            }
        }
        return group.sum(cost);
    }

    // [delta]
    /// The change of the cost by a move; see kernels/changed_solution.hpp. The threads first share the flows of the
    /// moved items. Then they share all items, to add up the loads of the two locations.
    template <class Group, class Changed>
    static QAPFW_DEVICE Cost delta(Group group, const View& view, const Changed& changed) {
        int64_t cost = delta_of_item(group, view, changed, changed.i, -1);
        if (changed.j >= 0) cost += delta_of_item(group, view, changed, changed.j, changed.i);
        if (kExcessCost != 0) {
            // A move of one item and a swap of two items both change the loads of only these two locations.
            const int from = changed.before()(changed.i), to = changed(changed.i);
            cost += delta_of_excess(group, view, changed, from) + delta_of_excess(group, view, changed, to);
        }
        return cost;
    }
    // [delta-end]

  private:
    /// The change of the cost by moving item i, without the flows between i and item `other`.
    template <class Group, class Changed>
    static QAPFW_DEVICE int64_t delta_of_item(Group group, const View& view, const Changed& changed, int i, int other) {
        const int64_t from = changed.before()(i), to = changed(i);
        int64_t cost = 0;
        for (uint64_t f = view.first[i] + group.rank(); f < view.first[i + 1]; f += group.size()) {
            const GqapFlow flow = view.flows[f];
            const int o = static_cast<int>(flow.other);
            if (o == other) continue;
            const int64_t before = changed.before()(o), after = changed(o);
            cost += flow.out * (view.distance[to * kLocations + after] - view.distance[from * kLocations + before]) +
                    flow.in * (view.distance[after * kLocations + to] - view.distance[before * kLocations + from]);
        }
        const int64_t row = int64_t{i} * kLocations;
        return group.sum(cost) + view.linear[row + to] - view.linear[row + from];
    }
    /// The part of the cost's change that comes from the excess load of one location.
    template <class Group, class Changed>
    static QAPFW_DEVICE int64_t delta_of_excess(Group group, const View& view, const Changed& changed, int location) {
        int64_t load = 0;
        for (int i = group.rank(); i < kPositions; i += group.size()) {
            if (changed.before()(i) == location) load += view.weight[int64_t{i} * kLocations + location];
        }
        load = group.sum(load) - view.capacity[location];
        int64_t after = load;
        for (int k = 0; k < 2; ++k) {
            const int i = k == 0 ? changed.i : changed.j;
            if (i < 0) continue;
            const int64_t weight = view.weight[int64_t{i} * kLocations + location];
            if (changed.before()(i) == location) after -= weight;
            if (changed(i) == location) after += weight;
        }
        return ((after > 0 ? after : 0) - (load > 0 ? load : 0)) * kExcessCost;
    }
};

}  // namespace qapfw::device
