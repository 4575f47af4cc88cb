// SPDX-License-Identifier: Apache-2.0
// Mappings to start from. Each construction uses both graph and locations.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/starts/bisection.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

enum class StartKind : std::uint32_t {
    kQuick,  ///< the graph's breadth-first order is laid along a curve through the locations
    /// Graph and locations are halved together, level by level. If the target is a tree, pairs of the tree's groups
    /// are then united and cut in two again.
    kBisection,
    /// The graph is drawn in the target's space and cut by coordinates. If the target has no coordinates, or more than
    /// three dimensions, this start is a longer bisection.
    kEmbedding,
    /// Only for trees: a longer bisection. It also unites up to four groups at a time and cuts them again.
    kTogether,
    kSheet,  ///< a flat graph is drawn in a plane, and the drawing fills a box of three dimensions in layers
};
/// Returns the starts that suit graph and target, the quickest first. If kSheet suits, it is usually the best and comes
/// second.
std::vector<StartKind> starts_for(const Graph& graph, const Target& target);

/// Returns a location for each vertex and then for each dummy. Throws sdk::Stopped soon after `stop` returns true.
std::vector<std::uint32_t> make_start(const Graph& graph, const Target& target, StartKind kind, std::uint64_t seed,
                                      const sdk::StopQuestion& stop);

/// Returns whether the start kSheet suits the target. The target must be a grid or torus with three dimensions, and
/// each side must be longer than the thickness of the thickest sheet.
bool suits_sheets(const Target& target);
/// Returns true if a graph is large and like a plane: when the number of hops from a vertex doubles, about four times
/// as many vertices are reached.
bool is_flat(const Graph& graph);

/// Makes the start kQuick. Asks `stop` only in large graphs, since small graphs take only a few milliseconds.
std::vector<std::uint32_t> quick_start(const Graph& graph, const Target& target, const sdk::StopQuestion& stop);
std::vector<std::uint32_t> bisection_start(const Graph& graph, const Target& target, CutEffort effort,
                                           std::uint64_t seed, const sdk::StopQuestion& stop);
/// Makes the start kEmbedding. Returns an empty list if the target has no coordinates, or more than three dimensions,
/// or if the graph has a single vertex.
std::vector<std::uint32_t> embedding_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                           const sdk::StopQuestion& stop);
/// Makes the start kSheet. The graph must have at least two vertices, and the target must suit sheets.
std::vector<std::uint32_t> sheet_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                       const sdk::StopQuestion& stop);

/// Number of steps between two questions to `stop`, in loops over vertices.
inline constexpr std::uint32_t kAskEvery = 1 << 15;
/// Throws sdk::Stopped if `stop` returns true. Asks `stop` only in steps whose number is a multiple of kAskEvery.
inline void leave_if_stopped(const sdk::StopQuestion& stop, std::uint32_t step) {
    if (step % kAskEvery == 0 && stop()) throw sdk::Stopped();
}

/// Returns 64 bits that look random, computed from a number.
inline std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace qapfw::sparse
