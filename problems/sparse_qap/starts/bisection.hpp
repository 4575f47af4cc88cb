// SPDX-License-Identifier: Apache-2.0
// Cutting a graph into two parts of given sizes: multilevel (heavy edges are contracted), with refinement by moves
// (Fiduccia and Mattheyses 1982). Vertices may be drawn to one side by what lies outside.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// A graph to be cut.
struct CutGraph {
    std::uint32_t n = 0;
    std::vector<std::uint32_t> offsets;  ///< n + 1
    std::vector<std::uint32_t> to;
    std::vector<double> weight;       ///< of each arc: what it costs where its ends are on two sides
    std::vector<std::uint32_t> size;  ///< of each vertex
    std::vector<double> pull;         ///< what it costs to have a vertex on side 1 rather than on side 0
    std::uint32_t largest = 1;        ///< size of a vertex
};

/// Limits of the total size of side 0.
struct CutSizes {
    std::uint32_t least, most;
};

/// Limits on the search for a good cut.
struct CutEffort {
    std::uint32_t repeats = 1;  ///< cuts of a graph that is not very small; the cheapest one is taken
    std::uint32_t tries = 8;    ///< first cuts of a graph that was contracted as far as it goes
    bool contracted = false;    ///< repeats begin with the graph contracted once: quicker, and they differ less
};

/// The side of each vertex; sizes are met where all vertices have the size 1.
std::vector<std::uint8_t> bisect(const CutGraph& graph, CutSizes sizes, CutEffort effort, std::uint64_t seed,
                                 const sdk::StopQuestion& stop);
/// Moves single vertices while that lowers the cost, from sides that are given.
void refine_cut(const CutGraph& graph, CutSizes sizes, std::uint32_t passes, std::vector<std::uint8_t>& side,
                const sdk::StopQuestion& stop);

}  // namespace qapfw::sparse
