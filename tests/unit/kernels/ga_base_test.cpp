// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"

namespace {

using namespace qapfw::kernels;

GaRules rules_for(std::uint32_t size, std::uint32_t n, double mutation) {
    return {9, size, 0, n, n, kGaPmx, probability_threshold(mutation), kGaByString};
}

/// A population of random individuals. Individual k costs k.
struct Population {
    Population(const GaRules& rules, std::uint32_t count)
        : parents(count * rules.values), children(parents), found(count) {
        for (std::uint32_t k = 0; k < rules.values; ++k) base.push_back(static_cast<std::uint16_t>(k));
        for (std::uint32_t k = 0; k < count; ++k) {
            costs.push_back(k);
            ga_draw<AllOperators>(rules, nullptr, base.data(), parents.data() + k * rules.values, k, 0);
        }
        child_costs.assign(count, -7);
        pools = {parents.data(), children.data(), costs.data(), child_costs.data(), found.data(), rules.values};
    }
    std::vector<std::uint16_t> base, parents, children;
    std::vector<std::int64_t> costs, child_costs;
    std::vector<std::uint64_t> found;
    GaPools<std::int64_t> pools{};
};

}  // namespace

TEST_CASE("a mate is any other individual of the subpopulation, each about as often") {
    std::vector<int> seen(5, 0);
    for (std::uint32_t k = 0; k < 4000; ++k) ++seen[other_member(draw(1, k, 0, 2, 0), 2, 5)];
    CHECK(seen[2] == 0);
    for (const std::size_t other : {0u, 1u, 3u, 4u}) {
        CHECK(seen[other] > 860);  // expected 1000, standard deviation 27
        CHECK(seen[other] < 1140);
    }
    CHECK(other_member(12345, 0, 1) == 0);
    CHECK(other_member(0xFFFFFFFFu, 0, 2) == 1);
    CHECK(other_member(0, 1, 2) == 0);
}

TEST_CASE("a child of equal parents differs by one swap with the mutation rate; otherwise its cost is known") {
    const GaRules rules = rules_for(2, 12, 0.1);
    Population population(rules, 2);
    ga_copy(population.pools.parent(1), population.pools.parent(0), 12);
    population.costs = {40, 40};
    int mutants = 0;
    for (std::uint64_t generation = 1; generation <= 4000; ++generation) {
        population.child_costs[0] = -7;
        const bool unknown = ga_breed<AllOperators>(rules, nullptr, population.pools, 0, generation, {});
        int different = 0;
        for (std::uint32_t v = 0; v < 12; ++v) {
            different += population.pools.child(0)[v] != population.pools.parent(0)[v] ? 1 : 0;
        }
        CHECK(different == (unknown ? 2 : 0));
        CHECK(population.child_costs[0] == (unknown ? -7 : 40));
        mutants += unknown ? 1 : 0;
    }
    CHECK(mutants > 320);  // expected 400, standard deviation 19
    CHECK(mutants < 480);
}

TEST_CASE("mutation by position exchanges each position with the rate, and its partner is any other position") {
    GaRules rules = rules_for(2, 6, 0.25);
    rules.mutates = kGaByPosition;
    int unchanged = 0;
    std::vector<int> partner(6, 0);  // for each position: how often only this position and position 5 changed
    for (std::uint64_t generation = 1; generation <= 8000; ++generation) {
        std::vector<std::uint16_t> p = {0, 1, 2, 3, 4, 5};
        ga_mutate_positions(rules, p.data(), 3, generation);
        std::vector<bool> seen(6, false);
        std::size_t moved = 0;
        for (std::size_t k = 0; k < 6; ++k) {
            CHECK_FALSE(seen.at(p[k]));
            seen[p[k]] = true;
            moved += p[k] != k ? 1u : 0u;
        }
        unchanged += moved == 0 ? 1 : 0;
        if (moved == 2 && p[5] != 5) ++partner[p[5]];
    }
    // 0.75^6 * 8000 = 1424 solutions get no swap (standard deviation 34). In a few more, the swaps cancel each other.
    CHECK(unchanged > 1330);
    CHECK(unchanged < 1780);
    for (std::size_t k = 0; k < 5; ++k) CHECK(partner[k] > 150);
    std::vector<std::uint16_t> alone = {0};
    rules.n = 1;
    rules.mutation = 0xFFFFFFFFu;
    ga_mutate_positions(rules, alone.data(), 3, 1);
    CHECK(alone[0] == 0);
}

TEST_CASE("a child that is a copy of its mate has the mate's cost") {
    const GaRules rules = rules_for(2, 2, 0);  // two elements: every child equals a parent
    Population population(rules, 2);
    population.pools.parent(0)[0] = population.pools.parent(1)[1] = 0;
    population.pools.parent(0)[1] = population.pools.parent(1)[0] = 1;
    int copies_of_mate = 0;
    for (std::uint64_t generation = 1; generation <= 200; ++generation) {
        CHECK_FALSE(ga_breed<AllOperators>(rules, nullptr, population.pools, 0, generation, {}));
        const bool own = ga_equal(population.pools.child(0), population.pools.parent(0), 2);
        CHECK(population.child_costs[0] == (own ? 0 : 1));
        copies_of_mate += own ? 0 : 1;
    }
    CHECK(copies_of_mate > 50);
}

TEST_CASE("mates come from the individual's own subpopulation") {
    const GaRules rules = rules_for(4, 10, 0);
    Population one(rules, 12), other(rules, 12);
    for (std::uint32_t k = 0; k < 4; ++k) {  // `one` and `other` have only the middle subpopulation in common
        ga_draw<AllOperators>(rules, nullptr, other.base.data(), other.pools.parent(k), k, 77);
        ga_draw<AllOperators>(rules, nullptr, other.base.data(), other.pools.parent(8 + k), 8 + k, 77);
    }
    for (std::uint64_t generation = 1; generation <= 50; ++generation) {
        for (std::uint32_t k = 4; k < 8; ++k) {
            ga_breed<AllOperators>(rules, nullptr, one.pools, k, generation, {});
            ga_breed<AllOperators>(rules, nullptr, other.pools, k, generation, {});
            CHECK(ga_equal(one.pools.child(k), other.pools.child(k), 10));
        }
    }
}

TEST_CASE("a child takes its parent's place only where it is strictly better") {
    const GaRules rules = rules_for(3, 4, 0);
    Population population(rules, 3);
    population.children.assign(population.children.size(), 9);
    population.costs = {10, 10, 10};
    population.child_costs = {9, 10, 11};
    for (std::uint32_t k = 0; k < 3; ++k) ga_select(rules, population.pools, std::less<>(), k, 5);
    CHECK(population.costs == std::vector<std::int64_t>{9, 10, 10});
    CHECK(population.found == std::vector<std::uint64_t>{5, 0, 0});
    CHECK(population.pools.parent(0)[0] == 9);
    CHECK(population.pools.parent(1)[0] != 9);
}

TEST_CASE("the best individual is the cheapest, then the oldest, then the first; equal ones are counted") {
    const std::vector<std::int64_t> costs = {4, 3, 7, 3, 3, 9};
    const std::vector<std::uint64_t> found = {0, 6, 0, 5, 5, 0};
    CHECK(ga_best(costs.data(), found.data(), std::less<>(), 0, 6) == 3);
    CHECK(ga_best(costs.data(), found.data(), std::less<>(), 4, 2) == 4);
    CHECK(ga_count_best(costs.data(), std::less<>(), 6) == 3);
    CHECK(ga_count_best(costs.data(), std::less<>(), 1) == 1);
}

TEST_CASE("subpopulations share a multiprocessor's threads") {
    CHECK(ga_threads_of_block(1, 132, 6) == 1024);
    CHECK(ga_threads_of_block(132, 132, 6) == 1024);
    CHECK(ga_threads_of_block(133, 132, 6) == 512);
    CHECK(ga_threads_of_block(264, 132, 6) == 512);
    CHECK(ga_threads_of_block(265, 132, 6) == 256);
    CHECK(ga_threads_of_block(5000, 132, 6) == 256);
    CHECK(ga_threads_of_block(5000, 132, 2) == 512);
    CHECK(ga_threads_of_block(5000, 132, 1) == 1024);
    CHECK(ga_threads_of_block(3, 0, 8) == 256);
    CHECK(ga_shared_row(40) == 44);
    CHECK(ga_shared_row(41) == 44);
    CHECK(ga_shared_row(45) == 52);
    CHECK(ga_shared_row(256) == 260);
    CHECK(ga_shared_row(257) == 516);
    CHECK(ga_shared_bytes(128, 40) == 128 * (3 * 44 + 20) + 8);
}

TEST_CASE("two different cuts are drawn, each pair about as often") {
    std::vector<int> seen(16, 0);
    for (std::uint32_t k = 0; k < 12000; ++k) {
        const std::uint32_t first = draw(3, k, 0, 2, 0);
        const Cuts cuts = draw_cuts(first, word_of_other_cut(first, draw(3, k, 0, 2, 1), 4), 4);
        REQUIRE(cuts.first < cuts.second);
        ++seen[4 * cuts.first + cuts.second];
    }
    for (const std::size_t pair : {1u, 2u, 3u, 6u, 7u, 11u}) {
        CHECK(seen[pair] > 1820);  // expected 2000, standard deviation 41
        CHECK(seen[pair] < 2180);
    }
    for (const std::uint32_t n : {2u, 3u, 100u, 65535u}) {
        for (const std::uint32_t first : {0u, 0x80000000u, 0xFFFFFFFFu}) {
            for (const std::uint32_t second : {0u, 0x80000000u, 0xFFFFFFFFu}) {
                const Cuts cuts = draw_cuts(first, word_of_other_cut(first, second, n), n);
                CHECK(cuts.first < cuts.second);
                CHECK(cuts.second < n);
            }
        }
    }
}

TEST_CASE("equal cut points copy the parent (PMX) or the mate (OX) in one child of n, different ones never") {
    for (const std::uint32_t crossover : {kGaPmx, kGaOx}) {
        GaRules rules = rules_for(2, 10, 0);
        rules.crossover = crossover;
        Population population(rules, 2);
        for (std::uint32_t v = 0; v < 10; ++v) {  // no position has the same value in both parents
            population.pools.parent(0)[v] = static_cast<std::uint16_t>(v);
            population.pools.parent(1)[v] = static_cast<std::uint16_t>((v + 1) % 10);
        }
        std::uint16_t where[10];
        std::uint8_t taken[10];
        const auto copies = [&](std::uint32_t cuts) {
            rules.cuts = cuts;
            int count = 0;
            for (std::uint64_t generation = 1; generation <= 4000; ++generation) {
                ga_breed<AllOperators>(rules, nullptr, population.pools, 0, generation, GaScratch<>{taken, where});
                const std::uint16_t* const copied = population.pools.parent(crossover == kGaPmx ? 0 : 1);
                count += ga_equal(population.pools.child(0), copied, 10) ? 1 : 0;
            }
            return count;
        };
        const int any = copies(kGaCutsAny);
        CHECK(any > 320);  // expected 400, standard deviation 19
        CHECK(any < 480);
        CHECK(copies(kGaCutsDistinct) == 0);
        CHECK(copies(kGaCutsShared) == 0);
    }
}

TEST_CASE("shared cut points are those of all children of a generation and of no other generation") {
    GaRules rules = rules_for(8, 40, 0.1);
    rules.cuts = kGaCutsShared;
    const auto cuts_of = [&](std::uint32_t individual, std::uint64_t generation) {
        const Philox4 words = ga_breed_words(rules, individual, generation, rules.n);
        const Cuts cuts = draw_cuts(words.word[1], words.word[2], rules.n);
        return 100 * cuts.first + cuts.second;
    };
    int changes = 0;
    for (std::uint64_t generation = 1; generation <= 50; ++generation) {
        for (std::uint32_t k = 1; k < 8; ++k) CHECK(cuts_of(k, generation) == cuts_of(0, generation));
        changes += cuts_of(0, generation) != cuts_of(0, generation + 1) ? 1 : 0;
    }
    CHECK(changes > 45);
}
