// SPDX-License-Identifier: Apache-2.0
// Drawings of a graph (pivot MDS, Brandes and Pich 2007). Nothing but IEEE 754's exact operations, so that all machines
// draw alike.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

inline constexpr std::uint32_t kMostDimensions = 3;

using Drawing = std::vector<float>;  ///< kMostDimensions coordinates for each vertex

/// The graph in `dims` dimensions; further coordinates are 0.
Drawing drawn(const Graph& graph, std::uint32_t dims, std::uint64_t seed, const sdk::StopQuestion& stop);
/// Each vertex goes half-way to the mean of its neighbours, some times.
void smooth(const Graph& graph, std::uint32_t dims, int times, Drawing& at, const sdk::StopQuestion& stop);
/// Turns the plane of two axes by an angle whose half has the tangent `t`.
void turn(Drawing& at, std::uint32_t n, std::uint32_t a, std::uint32_t b, double t);

}  // namespace qapfw::sparse
