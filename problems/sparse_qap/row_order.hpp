// SPDX-License-Identifier: Apache-2.0
// An order of a graph's vertices in which neighbours are close together. Threads with neighbouring numbers on a GPU
// then read few pieces of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"

namespace qapfw::sparse {

/// Returns the vertices in breadth-first order. Empty if this order is not clearly better than the graph's own, or if
/// the graph has fewer than 16384 vertices or wide weights.
std::vector<std::uint32_t> row_order(const Graph& graph);

/// Returns the graph with its vertices in the given order. The order of arcs in a row does not change. The result has
/// neither wide weights nor names.
Graph in_order(const Graph& graph, const std::vector<std::uint32_t>& order);

/// Packed rows for device/sparse_rows.cuh.
struct PackedRows {
    std::uint32_t slots = 0;             ///< entries of each row; 0: no rows are packed
    bool ring = false;                   ///< true: differences are taken the shorter way round a ring of all vertices
    bool all = false;                    ///< true if all arcs are packed
    std::vector<std::uint16_t> entries;  ///< `slots` entries for each vertex
    std::vector<std::uint8_t> count;     ///< number of packed arcs of each row
};

/// Packs the arcs of each row as differences of 16 bits. `degree`: the degree of all vertices, or 0 if degrees differ.
PackedRows packed_rows(const Graph& graph, std::uint32_t degree);

}  // namespace qapfw::sparse
