// SPDX-License-Identifier: Apache-2.0
// Where an island's immigrants come from. The paper (Symmetry 2019) has a ring; the others are the usual ones.
#pragma once

#include <cstdint>
#include <vector>

namespace qapfw::imga {

/// In the order of the parameter's choices.
enum class Topology {
    kRing,               ///< from the island before
    kBidirectionalRing,  ///< from both neighbours
    kTorus,              ///< from the four neighbours on a grid as square as the number of islands allows
    kComplete,           ///< from all others
    kRandom              ///< from one other, drawn anew for every migration
};

/// Islands whose emigrants come to `island`, each once, never itself; empty where it is alone.
std::vector<std::uint32_t> sources(Topology topology, std::uint32_t islands, std::uint32_t island, std::uint64_t seed,
                                   std::uint64_t generation);

/// One place that an immigrant takes: he is the `rank`-th best (from 0) of `source`.
struct Immigrant {
    std::uint32_t source, rank;
};

/// The `places` immigrants of an island in migration number `migration`: its sources take turns, and who comes first
/// changes from one migration to the next, so that an island takes in the same number whatever the topology.
std::vector<Immigrant> immigrants(const std::vector<std::uint32_t>& sources, std::uint32_t places,
                                  std::uint64_t migration);

}  // namespace qapfw::imga
