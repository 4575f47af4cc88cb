// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/device/island_migration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace qapfw::kernels;
using Topology = IslandTopology;
using List = std::vector<std::uint32_t>;

namespace {

constexpr Topology kAll[] = {Topology::kRing, Topology::kBidirectionalRing, Topology::kTorus, Topology::kComplete,
                             Topology::kRandom};

List of(Topology topology, std::uint32_t islands, std::uint32_t island, std::uint64_t generation = 15) {
    const IslandSources found = island_sources(topology, islands, island, 3, generation);
    List all;
    for (std::uint32_t k = 0; k < found.count; ++k) all.push_back(found[k]);
    return all;
}

std::vector<IslandImmigrant> immigrants(std::initializer_list<std::uint32_t> listed, std::uint32_t places,
                                        std::uint64_t migration) {
    IslandSources sources{0, 0, 1000, {}};
    for (const std::uint32_t source : listed) sources.add(source);
    std::vector<IslandImmigrant> all;
    for (std::uint32_t k = 0; k < places; ++k) all.push_back(island_immigrant(sources, places, migration, k));
    return all;
}

}  // namespace

TEST_CASE("the sources of an island worked by hand") {
    CHECK(of(Topology::kRing, 5, 0) == List{4});
    CHECK(of(Topology::kBidirectionalRing, 5, 0) == List{4, 1});
    CHECK(of(Topology::kBidirectionalRing, 2, 0) == List{1});
    CHECK(of(Topology::kTorus, 12, 5) == List{1, 4, 6, 9});  // 3 rows of 4
    CHECK(of(Topology::kTorus, 12, 0) == List{8, 3, 1, 4});
    CHECK(of(Topology::kTorus, 7, 2) == List{1, 3});  // a single row
    CHECK(of(Topology::kTorus, 4, 0) == List{2, 1});  // opposite neighbours coincide
    CHECK(of(Topology::kComplete, 4, 2) == List{0, 1, 3});
}

TEST_CASE("no island is its own source, none twice, and alone it has none") {
    for (const Topology topology : kAll) {
        CHECK(of(topology, 1, 0).empty());
        for (std::uint32_t islands = 2; islands <= 17; ++islands) {
            for (std::uint32_t island = 0; island < islands; ++island) {
                const List found = of(topology, islands, island);
                CHECK(!found.empty());
                CHECK(std::set(found.begin(), found.end()).size() == found.size());
                for (const std::uint32_t source : found) {
                    CHECK(source != island);
                    CHECK(source < islands);
                }
            }
        }
    }
}

TEST_CASE("random sources change, repeat with the seed and reach everyone") {
    std::set<std::uint32_t> seen;
    for (std::uint64_t generation = 0; generation < 200; ++generation) {
        const List found = of(Topology::kRandom, 6, 2, generation);
        CHECK(found == of(Topology::kRandom, 6, 2, generation));
        seen.insert(found[0]);
    }
    CHECK(seen == std::set<std::uint32_t>{0, 1, 3, 4, 5});
}

TEST_CASE("one source sends its best, several take turns and all come first once") {
    const auto ring = immigrants({4}, 3, 9);
    REQUIRE(ring.size() == 3);
    for (std::uint32_t k = 0; k < 3; ++k) {
        CHECK(ring[k].source == 4);
        CHECK(ring[k].rank == k);
    }
    std::set<std::uint32_t> senders;
    for (std::uint64_t migration = 0; migration < 5; ++migration) {
        const auto two = immigrants({0, 1, 2, 3}, 2, migration);
        CHECK(two[0].source != two[1].source);
        CHECK(two[0].rank == 0);
        CHECK(two[1].rank == 0);
        for (const IslandImmigrant& one : two) senders.insert(one.source);
    }
    CHECK(senders.size() == 4);
    const auto two = immigrants({7, 8}, 5, 0);
    CHECK(two[4].source == 7);
    CHECK(two[4].rank == 2);
    CHECK(two[3].source == 8);
    CHECK(two[3].rank == 1);
}

TEST_CASE("an island finds its immigrants among a million of islands at once") {
    for (std::uint32_t island = 0; island < 1000; ++island) {
        const IslandSources all = island_sources(Topology::kComplete, 1'000'000, island, 3, 15);
        REQUIRE(all.count == 999'999);
        for (std::uint32_t k = 0; k < 5; ++k) {
            CHECK(island_immigrant(all, 5, 1, k).source == 5 + k + (5 + k >= island ? 1 : 0));
        }
    }
}

TEST_CASE("no immigrant is of a rank that nobody sends") {
    for (const Topology topology : kAll) {
        for (std::uint32_t islands = 2; islands <= 12; ++islands) {
            for (const std::uint32_t places : {1u, 2u, 5u}) {
                const std::uint32_t sent = island_emigrants(topology, islands, places);
                for (std::uint32_t island = 0; island < islands; ++island) {
                    const IslandSources sources = island_sources(topology, islands, island, 3, 15);
                    for (std::uint32_t k = 0; k < places; ++k) {
                        CHECK(island_immigrant(sources, places, 7, k).rank < sent);
                    }
                }
            }
        }
    }
    CHECK(island_emigrants(Topology::kTorus, 12, 5) == 2);
    CHECK(island_emigrants(Topology::kRing, 1, 5) == 0);
}
