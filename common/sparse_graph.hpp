// SPDX-License-Identifier: Apache-2.0
// Flows as a sparse symmetric graph. It is for problems with symmetric distances: there, a flow from u to v and one
// from v to u cost the same and are kept as one weight.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace qapfw::common {

/// An edge between the vertices u and v, as the row of u lists it.
struct Arc {
    std::uint32_t to;     ///< v
    std::int32_t weight;  ///< flow from u to v plus flow from v to u; not used if `Graph::wide` has the weights
};

/// A graph. Each vertex has a row of arcs, sorted by Arc::to. There are no loops, parallel edges or weights of 0.
struct Graph {
    std::uint32_t n = 0;
    std::vector<std::uint64_t> offsets;  ///< n + 1 entries: where each row starts
    std::vector<Arc> arcs;               ///< each edge has two arcs, one in the row of each end
    std::vector<std::int64_t> wide;      ///< the weights of all arcs, if any weight needs 64 bits; else empty
    bool directed = false;               ///< true if any flow differs from the flow in the opposite direction
    std::uint64_t loops = 0;             ///< number of loops of weight not 0; loops are left out, as they cost nothing
    std::uint64_t parallel = 0;          ///< number of edges that repeat an earlier edge; their weights are added to it
    std::vector<std::string> names;      ///< names of the vertices; empty: they have none

    std::uint32_t degree(std::uint32_t u) const { return static_cast<std::uint32_t>(offsets[u + 1] - offsets[u]); }
    std::int64_t weight(std::uint64_t arc) const { return wide.empty() ? arcs[arc].weight : wide[arc]; }
    std::uint64_t edges() const { return arcs.size() / 2; }
};

/// A graph as its file has it: for each vertex the flows that leave it, in any order.
struct RawGraph {
    std::uint32_t n = 0;
    std::vector<std::uint64_t> offsets;  ///< n + 1 entries: where each row starts
    std::vector<std::uint32_t> to;
    std::vector<std::int64_t> weight;
    std::vector<std::string> names;
    bool both_ways = false;  ///< true if each edge must be listed at both of its ends; make_graph checks this
};

/// One flow of a list.
struct Flow {
    std::uint32_t from, to;
    std::int64_t weight;
};

/// Sorts a list of flows by the vertex that they leave. `n`: number of vertices.
RawGraph raw_graph(std::uint32_t n, const std::vector<Flow>& flows);
/// Makes the graph. Throws Error(kInput), whose text begins with `source`, if a sum of weights exceeds 64 bits. If
/// `raw.both_ways`, also throws unless each edge is listed at both of its ends with the same weight.
Graph make_graph(RawGraph raw, const std::string& source);
/// All vertices in breadth-first order: from vertex 0, then again and again from the first vertex that was not reached
/// yet. `pause` is called now and then in large graphs; it may throw to end the walk.
std::vector<std::uint32_t> breadth_first(const Graph& graph, const std::function<void()>& pause = {});

}  // namespace qapfw::common
