// SPDX-License-Identifier: Apache-2.0
// The load of a machine's links under a mapping: messages of a grid or torus go along one side after the other, the
// shorter way around; those of a hypercube change one bit after the other; those of a tree go up and down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

struct Traffic {
    std::int64_t hop_bytes = 0;  ///< weights times distances, each edge there and back
    std::int64_t weight = 0;     ///< of all edges, there and back
    std::int64_t busiest = 0;    ///< traffic of the link with the most, both directions together
    double mean = 0;             ///< of a link
    std::uint64_t links = 0;     ///< 0: the target's distances are not those of links, or a million edges are exceeded
    std::string text() const;    ///< a line
};

/// `location_of` has a location for each vertex, and may have more. `cost`: of the mapping, where it is known.
Traffic traffic_of(const Graph& graph, const Target& target, const std::vector<std::uint32_t>& location_of,
                   std::optional<std::int64_t> cost = {});

}  // namespace qapfw::sparse
