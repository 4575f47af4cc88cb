// SPDX-License-Identifier: Apache-2.0
// The islands that immigrants come from, for host and device. The paper (Symmetry 2019) has a ring; the other
// topologies are common ones.
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

constexpr uint32_t kIslandTopologyStream = 116;

/// The islands that an island's immigrants come from.
enum class IslandTopology : uint32_t {
    kRing,               ///< from the island before it on the ring
    kBidirectionalRing,  ///< from both neighbours on the ring
    kTorus,              ///< from the four neighbours on a grid as square as the number of islands allows
    kComplete,           ///< from all other islands
    kRandom              ///< from one other island, drawn for every migration
};

/// A set of islands: either those in `listed`, or all islands but one.
struct IslandSources {
    uint32_t count;
    uint32_t all_but_one;  ///< 1: the set is all islands but `left_out`; 0: it is the first `count` of `listed`
    uint32_t left_out;
    uint32_t listed[4];
    QAPFW_HD uint32_t operator[](uint32_t k) const {
        if (all_but_one == 0) return listed[k];
        return k < left_out ? k : k + 1;
    }
    QAPFW_HD void add(uint32_t source) {
        if (source == left_out) return;
        for (uint32_t k = 0; k < count; ++k) {
            if (listed[k] == source) return;
        }
        listed[count++] = source;
    }
};

/// Rows of the torus: the largest divisor of `islands` up to the square root of `islands`.
QAPFW_HD uint32_t island_torus_rows(uint32_t islands) {
    uint32_t rows = 1;
    for (uint32_t r = 1; static_cast<uint64_t>(r) * r <= islands; ++r) {
        if (islands % r == 0) rows = r;
    }
    return rows;
}

/// Returns the islands whose emigrants come to `island`. `island` is never one of them. Returns none if the run has
/// only one island.
QAPFW_HD IslandSources island_sources(IslandTopology topology, uint32_t islands, uint32_t island, uint64_t seed,
                                      uint64_t generation) {
    IslandSources sources{0, 0, island, {0, 0, 0, 0}};
    if (islands < 2) return sources;
    const uint32_t before = (island + islands - 1) % islands, after = (island + 1) % islands;
    if (topology == IslandTopology::kComplete) {
        sources.all_but_one = 1;
        sources.count = islands - 1;
    } else if (topology == IslandTopology::kTorus) {
        const uint32_t rows = island_torus_rows(islands), columns = islands / rows;
        const uint32_t row = island / columns, column = island % columns;
        sources.add((row + rows - 1) % rows * columns + column);
        sources.add(row * columns + (column + columns - 1) % columns);
        sources.add(row * columns + (column + 1) % columns);
        sources.add((row + 1) % rows * columns + column);
    } else if (topology == IslandTopology::kRandom) {
        const uint32_t word = draw(seed, generation, island, kIslandTopologyStream, 0);
        sources.add((island + 1 + below(word, islands - 1)) % islands);
    } else {
        sources.add(before);
        if (topology == IslandTopology::kBidirectionalRing) sources.add(after);
    }
    return sources;
}

/// An immigrant: the `rank`-th best (from 0) of `source`.
struct IslandImmigrant {
    uint32_t source, rank;
};

/// An island gets `places` immigrants in every migration, with every topology. Its sources take turns, which continue
/// from one migration to the next. Returns immigrant number `place` of migration number `migration`, both from 0. There
/// must be at least one source.
QAPFW_HD IslandImmigrant island_immigrant(const IslandSources& sources, uint32_t places, uint64_t migration,
                                          uint32_t place) {
    const uint64_t turn = (migration % sources.count * places + place) % sources.count;
    return {sources[static_cast<uint32_t>(turn)], place / sources.count};
}

/// Number of best individuals that each island shows to others; 0 if there is only one island. The number is the same
/// for all islands, since they have the same number of sources.
QAPFW_HD uint32_t island_emigrants(IslandTopology topology, uint32_t islands, uint32_t places) {
    const uint32_t sources = island_sources(topology, islands, 0, 0, 0).count;
    return sources == 0 ? 0 : (places + sources - 1) / sources;
}

}  // namespace qapfw::kernels
