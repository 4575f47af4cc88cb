// SPDX-License-Identifier: Apache-2.0
// Flows as a sparse symmetric graph. All distances are symmetric, so a flow from u to v and one from v to u cost the
// same and are kept as one weight.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qapfw::common {

/// One end of an edge as the other end sees it.
struct Arc {
    std::uint32_t to;
    std::int32_t weight;  ///< a_uv + a_vu; not used where the graph is wide
};

/// Rows of arcs, sorted by their ends: no loops, no parallel edges, no zeros.
struct Graph {
    std::uint32_t n = 0;
    std::vector<std::uint64_t> offsets;  ///< n + 1
    std::vector<Arc> arcs;               ///< each edge twice
    std::vector<std::int64_t> wide;      ///< weights beyond 32 bits, one for each arc; else empty
    bool directed = false;               ///< some flow differs from the one back
    std::uint64_t loops = 0;             ///< edges from a vertex to itself in the file; they cost nothing
    std::uint64_t parallel = 0;          ///< further edges between the same two ends, summed up
    std::vector<std::string> names;      ///< of the vertices; empty: they have none

    std::uint32_t degree(std::uint32_t u) const { return static_cast<std::uint32_t>(offsets[u + 1] - offsets[u]); }
    std::int64_t weight(std::uint64_t arc) const { return wide.empty() ? arcs[arc].weight : wide[arc]; }
    std::uint64_t edges() const { return arcs.size() / 2; }
};

/// A graph as its file has it: for each vertex the flows that leave it, in any order.
struct RawGraph {
    std::uint32_t n = 0;
    std::vector<std::uint64_t> offsets;  ///< n + 1
    std::vector<std::uint32_t> to;
    std::vector<std::int64_t> weight;
    std::vector<std::string> names;
    bool both_ways = false;  ///< the format says that each edge stands at both of its ends
};

/// One flow of a list.
struct Flow {
    std::uint32_t from, to;
    std::int64_t weight;
};

/// Sorts a list of flows by vertices.
RawGraph raw_graph(std::uint32_t n, const std::vector<Flow>& flows);
/// Throws Error(kInput) that begins with `source` where an edge of a both-ways format lacks its other end, and where
/// sums of weights exceed 64 bits.
Graph make_graph(RawGraph raw, const std::string& source);
/// All vertices, breadth first: from vertex 0, then from the first one that was not met.
std::vector<std::uint32_t> breadth_first(const Graph& graph);

}  // namespace qapfw::common
