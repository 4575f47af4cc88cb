// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/walk/sampled_walk.hpp"

#include <doctest/doctest.h>

#include "sparse_test_data.hpp"

using namespace qapfw;
using namespace qapfw::sparse;
using sparse::test::all_targets;
using sparse::test::shuffled;

namespace {

/// A random graph of 60 vertices with positive and negative weights. If `directed` is false, each flow also goes in the
/// other direction. If `wide` is true, some weights need more than 32 bits.
Graph random_graph(bool directed, bool wide) {
    std::vector<Flow> flows;
    for (std::uint32_t k = 0; k < 400; ++k) {
        const std::uint64_t draw = mixed(k);
        const auto u = static_cast<std::uint32_t>(draw % 60), v = static_cast<std::uint32_t>(draw / 64 % 60);
        std::int64_t weight = static_cast<std::int64_t>(draw >> 50) - 5000;
        if (wide && k % 7 == 0) weight *= 3'000'000;
        flows.push_back({u, v, weight});
        if (!directed) flows.push_back({v, u, weight});
    }
    return make_graph(raw_graph(60, flows), "random");
}

/// The cost by its definition, over all arcs.
std::int64_t cost_by_definition(const Graph& graph, const Target& target, const std::vector<std::uint32_t>& at) {
    std::int64_t doubled = 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k)
            doubled += graph.weight(k) * target.distance(at[u], at[graph.arcs[k].to]);
    }
    return doubled / 2;
}

}  // namespace

TEST_CASE("deltas are exact for every kind of target, instruction set, direction and width") {
#if defined(QAPFW_ADDRESS_SANITIZER)
    constexpr std::uint64_t kRounds = 4;  // further rounds would only access memory that these four access
#else
    // On a CPU with all three instruction sets, the test makes 20,400 swaps for each target: half of them with directed
    // flows, half with undirected flows.
    constexpr std::uint64_t kRounds = 17;
#endif
    for (const Target& target : all_targets()) {
        for (const bool directed : {false, true}) {
            for (const bool wide : {false, true}) {
                const Graph graph = random_graph(directed, wide);
                std::vector<std::uint32_t> expected_partners;
                std::vector<std::int64_t> expected_deltas;
                for (const Isa isa : {Isa::kPlain, Isa::kAvx2, Isa::kAvx512}) {
                    if (!isa_supported(isa)) continue;
                    CAPTURE(target.spec());
                    CAPTURE(isa_name(isa));
                    Walk walk(graph, target, isa);
                    walk.reset(shuffled(target.n(), 5).data());
                    std::int64_t cost = walk.cost();
                    CHECK(cost == cost_by_definition(graph, target, walk.location_of()));
                    std::vector<std::uint32_t> positions(100), partners(100), all_partners;
                    std::vector<std::uint64_t> draws(100);
                    std::vector<std::int64_t> deltas(100), all_deltas;
                    for (std::uint64_t round = 0; round < kRounds; ++round) {
                        for (std::uint32_t k = 0; k < 100; ++k) {
                            draws[k] = mixed(1000 * round + k);
                            positions[k] = static_cast<std::uint32_t>(mixed(draws[k]) % graph.n);
                        }
                        walk.propose(100, positions.data(), draws.data(), partners.data(), deltas.data());
                        all_partners.insert(all_partners.end(), partners.begin(), partners.end());
                        all_deltas.insert(all_deltas.end(), deltas.begin(), deltas.end());
                        for (std::uint32_t k = 0; k < 100; ++k) {
                            REQUIRE(partners[k] < target.n());
                            walk.exchange(positions[k], partners[k]);
                            if (positions[k] != partners[k]) REQUIRE(walk.cost() == cost + deltas[k]);
                            if (k % 10 == 0) {  // every tenth swap is kept, the others are undone
                                cost = walk.cost();
                                walk.propose(100, positions.data(), draws.data(), partners.data(), deltas.data());
                            } else {
                                walk.exchange(positions[k], partners[k]);
                            }
                        }
                    }
                    CHECK(walk.cost() == cost_by_definition(graph, target, walk.location_of()));
                    if (isa == Isa::kPlain) {
                        expected_partners = all_partners;
                        expected_deltas = all_deltas;
                    }
                    CHECK(all_partners == expected_partners);
                    CHECK(all_deltas == expected_deltas);
                }
            }
        }
    }
}

TEST_CASE("neighbours are those of the graph, and dummies have none") {
    const Graph graph = generate("grid:4x3");
    const Target target = sparse::test::target_of("grid:4x4");
    const Walk walk(graph, target);
    CHECK(walk.neighbours(0).count == 2);
    CHECK(*static_cast<const std::uint32_t*>(walk.neighbours(0).first) == 1);
    CHECK(walk.neighbours(12).count == 0);
}
