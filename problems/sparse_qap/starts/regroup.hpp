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
    std::uint32_t sweeps;   ///< sweeps over the pairs of each level
    bool together = false;  ///< after the sweeps, neighbouring groups are cut again together, many times
};

/// Works from the outermost level inwards. In each sweep each pair of groups with edges between them is cut again. A
/// pair is left out if several tries since the last change of either group had no success. The target must be a tree.
/// Sweeps never raise the weight between the groups of their level.
void regroup(const Graph& graph, const Target& target, std::uint64_t seed, RegroupEffort effort,
             std::vector<std::uint32_t>& location_of, const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
