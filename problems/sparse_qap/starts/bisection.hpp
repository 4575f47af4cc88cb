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
    std::vector<double> weight;       ///< weight of each arc: its cost if its ends are on two sides
    std::vector<std::uint32_t> size;  ///< size of each vertex
    std::vector<double> pull;         ///< cost of having the vertex on side 1 minus the cost on side 0
    std::uint32_t largest = 1;        ///< greatest size of a vertex
};

/// Limits of the total size of side 0.
struct CutSizes {
    std::uint32_t least, most;
};

/// Limits on the search for a good cut.
struct CutEffort {
    std::uint32_t repeats = 1;  ///< number of cuts of a graph, unless it is very small; the cheapest is taken
    std::uint32_t tries = 8;    ///< greatest number of first cuts of the graph that cannot be contracted further
    bool contracted = false;    ///< repeats share one contraction: quicker, but they differ less
};

/// Returns the side of each vertex. The sizes are met if all vertices have size 1.
std::vector<std::uint8_t> bisect(const CutGraph& graph, CutSizes sizes, CutEffort effort, std::uint64_t seed,
                                 const sdk::StopQuestion& stop);
/// Moves single vertices in at most `passes` passes, until a pass does not make the cut better. `side` holds the sides
/// to begin with.
void refine_cut(const CutGraph& graph, CutSizes sizes, std::uint32_t passes, std::vector<std::uint8_t>& side,
                const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
