// SPDX-License-Identifier: Apache-2.0
// Undirected graphs without loops, read from edge lists in the form of the DIMACS challenges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::qap {

struct Edge {
    uint32_t u = 0, v = 0;  ///< u < v, counted from 0
    int64_t weight = 1;
};

struct Graph {
    uint32_t n = 0;
    std::vector<Edge> edges;  ///< ordered by (u, v), each once
    bool weighted = false;    ///< true if the file gives weights

    /// The n x n matrix of weights, padded with zeros to `size` >= n rows and columns.
    std::vector<int64_t> matrix(uint32_t size) const;
    /// A description such as "12 vertices, 30 edges".
    std::string summary() const;
};

/// The greatest weight that an edge in a file may have.
inline constexpr int64_t kMaxEdgeWeight = int64_t{1} << 40;

/// Reads a DIMACS edge list (Johnson and Trick 1996): lines "c comment", one "p edge N M" (or "p col N M"), then M
/// lines "e U V" with vertices counted from 1. A third number is the edge's weight, which otherwise is 1. A file lists
/// each edge once, or each in both directions. Throws Error(kInput), which names the line, for a loop, a repeated edge,
/// a vertex outside 1..N or a wrong number of edges.
Graph read_dimacs(std::string_view text, const std::string& source);

}  // namespace qapfw::qap
