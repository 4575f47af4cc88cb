// SPDX-License-Identifier: Apache-2.0
// Mappings onto trees made better by whole groups: two groups of a parent are cut again, as if they were one.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// Limits on the search for better groups.
struct RegroupEffort {
    std::uint32_t sweeps;   ///< over the pairs of each level
    bool together = false;  ///< then some groups that touch are cut again together, many times
};

/// From the outermost level inwards, each pair of groups that share edges is cut again in each sweep, unless several
/// tries since the last change of either were in vain. The target must be a tree. The weight between the groups of a
/// level never rises.
void regroup(const Graph& graph, const Target& target, std::uint64_t seed, RegroupEffort effort,
             std::vector<std::uint32_t>& location_of, const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
