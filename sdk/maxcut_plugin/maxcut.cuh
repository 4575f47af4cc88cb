// SPDX-License-Identifier: Apache-2.0
// Maximum cut on a GPU: the cost, and the change of the cost by a flip. The device code that defines kVertices must
// come before this file.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::device {

struct Problem {
    struct View {
        const uint64_t* first;  ///< index in `to` of each vertex's first edge; then the number of entries of `to`
        const uint32_t* to;     ///< the other end of each edge
        const int64_t* weight;  ///< weight of each edge
    };
    using Cost = int64_t;
    static constexpr int kPositions = kVertices;

    /// The negated weight of the cut. Computed by all threads of `group`.
    template <class Group, class Solution>
    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution part) {
        int64_t cut = 0;
        for (int i = group.rank(); i < kPositions; i += group.size()) {
            for (uint64_t e = view.first[i]; e < view.first[i + 1]; ++e) {
                const int j = static_cast<int>(view.to[e]);
                if (i < j && part(i) != part(j)) cut += view.weight[e];
            }
        }
        return group.sum(-cut);
    }

    /// The change of the cost by a flip: the vertex's cut edges become uncut, its other edges become cut. Computed by
    /// all threads of `group`.
    template <class Group, class Changed>
    static QAPFW_DEVICE Cost delta(Group group, const View& view, const Changed& changed) {
        const int part = changed.before()(changed.i);
        int64_t cost = 0;
        for (uint64_t e = view.first[changed.i] + group.rank(); e < view.first[changed.i + 1]; e += group.size()) {
            const bool is_cut = changed.before()(static_cast<int>(view.to[e])) != part;
            cost += is_cut ? view.weight[e] : -view.weight[e];
        }
        return group.sum(cost);
    }
};

}  // namespace qapfw::device
