// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/topology.hpp"

#include <algorithm>
#include <utility>

#include "qapfw/kernels/philox.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint32_t kTopologyStream = 116;

/// Greatest divisor not above the square root.
std::uint32_t torus_rows(std::uint32_t islands) {
    std::uint32_t rows = 1;
    for (std::uint32_t r = 1; std::uint64_t{r} * r <= islands; ++r) {
        if (islands % r == 0) rows = r;
    }
    return rows;
}

std::vector<std::uint32_t> torus_neighbours(std::uint32_t islands, std::uint32_t island) {
    const std::uint32_t rows = torus_rows(islands), columns = islands / rows;
    const std::uint32_t row = island / columns, column = island % columns;
    return {(row + rows - 1) % rows * columns + column, row * columns + (column + columns - 1) % columns,
            row * columns + (column + 1) % columns, (row + 1) % rows * columns + column};
}

/// Some perhaps twice, perhaps the island itself.
std::vector<std::uint32_t> neighbours(Topology topology, std::uint32_t islands, std::uint32_t island,
                                      std::uint64_t seed, std::uint64_t generation) {
    const std::uint32_t before = (island + islands - 1) % islands, after = (island + 1) % islands;
    switch (topology) {
        case Topology::kRing:
            return {before};
        case Topology::kBidirectionalRing:
            return {before, after};
        case Topology::kTorus:
            return torus_neighbours(islands, island);
        default: {
            const std::uint32_t word = kernels::draw(seed, generation, island, kTopologyStream, 0);
            return {(island + 1 + kernels::below(word, islands - 1)) % islands};
        }
    }
}

}  // namespace

Sources sources(Topology topology, std::uint32_t islands, std::uint32_t island, std::uint64_t seed,
                std::uint64_t generation) {
    if (islands < 2) return {};
    if (topology == Topology::kComplete) return Sources::all_but(island, islands);
    std::vector<std::uint32_t> found;
    for (const std::uint32_t source : neighbours(topology, islands, island, seed, generation)) {
        const bool again = std::find(found.begin(), found.end(), source) != found.end();
        if (source != island && !again) found.push_back(source);
    }
    return Sources(std::move(found));
}

std::vector<Immigrant> immigrants(const Sources& sources, std::uint32_t places, std::uint64_t migration) {
    std::vector<Immigrant> all;
    const std::uint64_t count = sources.size();
    if (count == 0) return all;
    for (std::uint32_t place = 0; place < places; ++place) {
        const auto turn = static_cast<std::uint32_t>((migration % count * places + place) % count);
        all.push_back({sources[turn], static_cast<std::uint32_t>(place / count)});
    }
    return all;
}

}  // namespace qapfw::imga
