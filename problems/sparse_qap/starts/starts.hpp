// SPDX-License-Identifier: Apache-2.0
// Mappings to start from. All of them know both sides, graph and locations.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/starts/bisection.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

enum class StartKind : std::uint32_t {
    kQuick,      ///< breadth-first order of the graph along a curve through the locations
    kBisection,  ///< graph and locations are halved together, level by level; a tree's groups are then cut again
    kEmbedding,  ///< the graph is drawn in the target's space and cut by coordinates; for trees a longer bisection
    kTogether,   ///< for trees alone: another start, after which several groups at a time are cut again
    kSheet,      ///< a flat graph is drawn in a plane, and the drawing fills a box of three dimensions in layers
};
/// Starts that suit graph and target, in the order of their times. The best one for a flat graph comes early.
std::vector<StartKind> starts_for(const Graph& graph, const Target& target);

/// A location for each vertex and then for each dummy. Throws sdk::Stopped soon after `stop` says so.
std::vector<std::uint32_t> make_start(const Graph& graph, const Target& target, StartKind kind, std::uint64_t seed,
                                      const sdk::StopQuestion& stop);

/// Whether the target is a box of three dimensions that several layers fill.
bool suits_sheets(const Target& target);
/// Whether the graph grows around its vertices like a plane, rather than like a line, a body or a random graph.
bool is_flat(const Graph& graph);

/// Asks `stop` in large graphs alone: a small one takes some milliseconds.
std::vector<std::uint32_t> quick_start(const Graph& graph, const Target& target, const sdk::StopQuestion& stop);
std::vector<std::uint32_t> bisection_start(const Graph& graph, const Target& target, CutEffort effort,
                                           std::uint64_t seed, const sdk::StopQuestion& stop);
/// Empty where the target has no coordinates in at most three dimensions.
std::vector<std::uint32_t> embedding_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                           const sdk::StopQuestion& stop);
/// For a graph of at least two vertices and a target that suits sheets.
std::vector<std::uint32_t> sheet_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                       const sdk::StopQuestion& stop);

/// Throws sdk::Stopped where `stop` says so, asked once in `kAskEvery` steps of a loop over vertices.
inline constexpr std::uint32_t kAskEvery = 1 << 15;
inline void leave_if_stopped(const sdk::StopQuestion& stop, std::uint32_t step) {
    if (step % kAskEvery == 0 && stop()) throw sdk::Stopped();
}

/// 64 bits that look random, from a number.
inline std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace qapfw::sparse
