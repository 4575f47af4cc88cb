// SPDX-License-Identifier: Apache-2.0
// An order of a graph's vertices in which neighbours are near each other, for devices: what threads beside each other
// read is then in few pieces of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"

namespace qapfw::sparse {

/// The vertices in such an order; empty: the graph's own one is as good, or its memory is small enough.
std::vector<std::uint32_t> row_order(const Graph& graph);

/// The graph with its vertices in this order; each row's arcs stay in theirs. Without wide weights and names.
Graph in_order(const Graph& graph, const std::vector<std::uint32_t>& order);

/// Rows as device/sparse_rows.cuh has them packed.
struct PackedRows {
    std::uint32_t slots = 0;             ///< entries of each row; 0: packing does not pay
    bool ring = false;                   ///< differences are around a ring of the vertices
    bool all = false;                    ///< no row has other arcs
    std::vector<std::uint16_t> entries;  ///< `slots` for each vertex
    std::vector<std::uint8_t> count;     ///< packed arcs of each row
};

/// `degree`: of all vertices; 0: they differ.
PackedRows packed_rows(const Graph& graph, std::uint32_t degree);

}  // namespace qapfw::sparse
