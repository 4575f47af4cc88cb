// SPDX-License-Identifier: Apache-2.0
// The generalised quadratic assignment problem on a GPU: its cost, after the text that defines kItems, kLocations and
// kExcessCost.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::device {

/// The flow between an item and another one.
struct GqapFlow {
    uint32_t other;
    int64_t out, in;  ///< to the other item, and from it
};

struct Problem {
    struct View {
        const uint64_t* first;    ///< of each item its first flow, and the end
        const GqapFlow* flows;    ///< each pair at both of its items
        const int64_t* distance;  ///< locations x locations
        const int64_t* linear;    ///< items x locations
        const int64_t* weight;    ///< items x locations
        const int64_t* capacity;  ///< of each location
    };
    using Cost = int64_t;
    static constexpr int kPositions = kItems;

    /// As AssignmentCost on the host. By all threads of `group`: items are shared out, then locations.
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
};

}  // namespace qapfw::device
