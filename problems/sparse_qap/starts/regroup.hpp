// SPDX-License-Identifier: Apache-2.0
// Improves mappings onto trees. The vertices below two nodes with the same parent are united and cut into two sets
// again.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// Limits of the search for better groups.
struct RegroupEffort {
    std::uint32_t sweeps;   ///< largest number of sweeps over the pairs of a level
    bool together = false;  ///< true: after a level's sweeps, a few neighbouring groups are joined and divided anew
};

/// Changes `location_of` to lower the weight of edges between groups. The target must be a tree; the work goes from its
/// outermost level inwards. Each sweep takes all pairs of groups that have edges between them, and divides the vertices
/// of each pair anew. After several cuts without success, a pair is skipped until one of its two groups changes. Sweeps
/// never raise the weight between the groups of their level.
void regroup(const Graph& graph, const Target& target, std::uint64_t seed, RegroupEffort effort,
             std::vector<std::uint32_t>& location_of, const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
