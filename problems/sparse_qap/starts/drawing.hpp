// SPDX-License-Identifier: Apache-2.0
// Drawings of a graph (pivot MDS, Brandes and Pich 2007). Only correctly rounded operations of IEEE 754 are used, so
// all machines make the same drawing.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

inline constexpr std::uint32_t kMostDimensions = 3;

using Drawing = std::vector<float>;  ///< kMostDimensions coordinates for each vertex

/// Returns a drawing of the graph in `dims` dimensions. The other coordinates are 0.
Drawing drawn(const Graph& graph, std::uint32_t dims, std::uint64_t seed, const sdk::StopQuestion& stop);
/// Makes `times` steps. Each step moves all vertices half-way to the mean of their neighbours, weighted by the edges.
void smooth(const Graph& graph, std::uint32_t dims, int times, Drawing& at, const sdk::StopQuestion& stop);
/// Rotates the drawing in the plane of axes `a` and `b`. `t` is the tangent of half the angle.
void turn(Drawing& at, std::uint32_t n, std::uint32_t a, std::uint32_t b, double t);

}  // namespace qapfw::sparse
