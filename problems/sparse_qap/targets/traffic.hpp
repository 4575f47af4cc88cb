// SPDX-License-Identifier: Apache-2.0
// The load of a machine's links under a mapping. In a grid or torus, a message goes along one dimension after the
// other; in each dimension of a torus, the shorter way around. In a hypercube, each link of a message's way changes one
// bit of the location's code, the lowest bit first. In a tree, a message goes up and then down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

struct Traffic {
    std::int64_t hop_bytes = 0;  ///< sum over all edges of weight times distance
    std::int64_t weight = 0;     ///< sum of the weights of all edges; a weight is the flow in both directions together
    std::int64_t busiest = 0;    ///< traffic of the busiest link, in both directions together
    double mean = 0;             ///< mean traffic of the links that carry traffic
    /// Number of links that carry traffic. It is also 0 if the target has no links, or if the graph has more than a
    /// million edges.
    std::uint64_t links = 0;
    std::string text() const;  ///< the figures as a line of text
};

/// Returns the traffic of a mapping. `location_of` has a location for each vertex and may have more. `cost`: the cost
/// of the mapping, if it is known.
Traffic traffic_of(const Graph& graph, const Target& target, const std::vector<std::uint32_t>& location_of,
                   std::optional<std::int64_t> cost = {});

}  // namespace qapfw::sparse
