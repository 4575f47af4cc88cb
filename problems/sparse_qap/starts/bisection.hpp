// SPDX-License-Identifier: Apache-2.0
// Cuts a graph into two parts of given sizes. The method is multilevel: heavy edges are contracted. The cut is refined
// by moves (Fiduccia and Mattheyses 1982). Vertices may be pulled to one side by their neighbours outside the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// A graph to be cut.
struct CutGraph {
    std::uint32_t n = 0;
    std::vector<std::uint32_t> offsets;  ///< index of each vertex's first arc, then the number of arcs
    std::vector<std::uint32_t> to;
    std::vector<double> weight;       ///< cost of each arc if its ends are on different sides
    std::vector<std::uint32_t> size;  ///< number of vertices of the uncontracted graph that each vertex stands for
    std::vector<double> pull;         ///< cost of having the vertex on side 1 minus the cost on side 0
    std::uint32_t largest = 1;        ///< greatest size of a vertex
};

/// Limits of side 0: the least and the greatest sum of its vertices' sizes (CutGraph::size).
struct CutSizes {
    std::uint32_t least, most;
};

/// Limits on the search for a good cut.
struct CutEffort {
    std::uint32_t repeats = 1;  ///< number of cuts made, of which the cheapest is taken; very small graphs get one cut
    std::uint32_t tries = 8;    ///< greatest number of cuts that are tried on the most contracted graph
    bool contracted = false;    ///< true: all repeats share one contraction; quicker, but their cuts differ less
};

/// Returns the side, 0 or 1, of each vertex. If all vertices have size 1, the number of those on side 0 is within the
/// limits `sizes`.
std::vector<std::uint8_t> bisect(const CutGraph& graph, CutSizes sizes, CutEffort effort, std::uint64_t seed,
                                 const sdk::StopQuestion& stop);
/// Moves single vertices to the other side in at most `passes` passes. Ends early if a pass does not make the cut
/// better. `side`: each vertex's side before and after.
void refine_cut(const CutGraph& graph, CutSizes sizes, std::uint32_t passes, std::vector<std::uint8_t>& side,
                const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
