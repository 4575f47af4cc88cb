// SPDX-License-Identifier: Apache-2.0
// Digests of the results of each algorithm's operators, for random parents. They were recorded before the operators
// became one library. No digest may ever change, since published trajectories depend on the operators.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "plugins/pga_grid/device/pga_rules.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/kernels/uniform_crossover.hpp"
#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

constexpr std::uint32_t kGoldenSizes[] = {1, 2, 3, 12, 40, 100};

/// A digest of everything that is added, in order.
struct ResultDigest {
    std::uint64_t value = 0;
    void add(std::uint64_t number) { value = mix64(value ^ mix64(number + 1)); }
    template <class Elements>
    void add_all(const Elements& elements) {
        for (const auto element : elements) add(element);
    }
};

std::vector<std::uint16_t> counted_elements(std::uint32_t n) {
    std::vector<std::uint16_t> numbers(n);
    for (std::uint32_t k = 0; k < n; ++k) numbers[k] = static_cast<std::uint16_t>(k);
    return numbers;
}

/// Positions that may move: all, or all except every fourth.
std::vector<std::uint16_t> golden_positions(std::uint32_t n, bool some_fixed) {
    std::vector<std::uint16_t> positions = counted_elements(n);
    if (some_fixed) std::erase_if(positions, [](std::uint16_t k) { return k % 4 == 1; });
    return positions;
}

/// Returns a digest of children that ga_breed makes for the genetic algorithms of 2009 and 2010. For each size, there
/// are twenty children without fixed positions, and twenty with fixed positions.
template <class Element>
std::uint64_t ga_children(std::uint32_t crossover, std::uint32_t mutates, bool by_inverse) {
    ResultDigest digest;
    for (const std::uint32_t n : kGoldenSizes) {
        for (const bool some_fixed : {false, true}) {
            const std::vector<std::uint16_t> base = counted_elements(n), positions = golden_positions(n, some_fixed);
            const auto free = static_cast<std::uint32_t>(positions.size());
            const GaRules rules{11, 5, 3, free, n, crossover, probability_threshold(0.3), mutates};
            const std::uint32_t stride = (n + 3) / 4 * 4;  // rows of bytes are copied in words of 4 bytes
            std::vector<Element> parents(5 * stride), children(parents), row(stride);
            std::vector<std::int64_t> costs(5), child_costs(5);
            std::vector<std::uint64_t> found(5);
            const GaPools<std::int64_t, Element> pools{parents.data(),     children.data(), costs.data(),
                                                       child_costs.data(), found.data(),    stride};
            for (std::uint32_t k = 0; k < 5; ++k)
                ga_draw<AllOperators>(rules, positions.data(), base.data(), pools.parent(k), k, 0);
            for (std::uint64_t generation = 1; generation <= 4; ++generation) {
                for (std::uint32_t k = 0; k < 5; ++k) {
                    const GaScratch<Element> scratch{reinterpret_cast<std::uint8_t*>(row.data()),
                                                     by_inverse ? row.data() : nullptr};
                    digest.add(ga_breed<AllOperators>(rules, positions.data(), pools, k, generation, scratch) ? 1 : 0);
                    digest.add_all(std::vector<Element>(pools.child(k), pools.child(k) + n));
                }
            }
        }
    }
    return digest.value;
}

std::uint64_t pga_cells() {
    ResultDigest digest;
    for (const std::uint32_t n : kGoldenSizes) {
        for (const bool some_fixed : {false, true}) {
            const std::vector<std::uint16_t> base = counted_elements(n), positions = golden_positions(n, some_fixed);
            const auto free = static_cast<std::uint32_t>(positions.size());
            const PgaRules rules{
                5,           9,           2,           free, n,
                0xFFFFFFFFu, 0x80000000u, 0x80000000u, 1,    static_cast<std::uint32_t>(Crossover::kMox)};
            std::vector<std::uint16_t> taken(n);
            std::vector<std::uint32_t> opponents(9);
            const std::vector<std::int64_t> costs(9);
            for (std::uint32_t cell = 0; cell < 9; ++cell) {
                std::vector<std::uint16_t> parent(n), other(n);
                pga_draw<AllOperators>(rules, positions.data(), base.data(), parent.data(), 2 * cell);
                pga_draw<AllOperators>(rules, positions.data(), base.data(), other.data(), 2 * cell + 1);
                std::vector<std::uint16_t> child = parent;
                std::uint32_t mate = 0;
                CrossoverDraws draws;
                const bool has_child = pga_has_child(rules, {}, costs.data(), std::less<>(), cell, cell, mate, draws);
                digest.add(has_child ? 1 : 0);
                digest.add(mate);
                if (has_child) {
                    pga_cross<AllOperators>(rules, positions.data(), child.data(), parent.data(), other.data(),
                                            taken.data(), draws);
                }
                digest.add_all(child);
                digest.add(
                    pga_mutate<AllOperators>(rules, positions.data(), base.data(), child.data(), taken.data(), 7, cell)
                        ? 1
                        : 0);
                digest.add(pga_transpose<AllOperators>(rules, positions.data(), base.data(), child.data(), taken.data(),
                                                       7, cell)
                               ? 1
                               : 0);
                digest.add_all(child);
            }
            pga_opponents(rules, opponents.data(), n, 1);
            digest.add_all(opponents);
        }
    }
    return digest.value;
}

IslandRules island_rules(std::uint32_t n) {
    IslandRules rules{};
    rules.tournament = {
        .seed = 13, .seeding = kTournamentCounter, .rounds = 2, .size = 10, .generator = kTournamentPhilox};
    rules.n = n;
    rules.crossing = rules.mutation = 0xFFFFFFFFu;
    rules.moves = 3;
    return rules;
}

void add_individual(ResultDigest& digest, const Individual& s) {
    digest.add_all(s.perm);
    digest.add_all(s.bits);
}

std::uint64_t island_children(std::uint32_t crossover, FbsBitInheritance bits, bool with_bits, std::uint32_t align) {
    ResultDigest digest;
    for (const std::uint32_t n : kGoldenSizes) {
        IslandRules rules = island_rules(n);
        rules.crossover = crossover;
        rules.bits = bits;
        rules.align = align;
        rules.weights.reverse_bay = 5;
        if (!with_bits) rules.weights = {3, 2, 0, 0, 1, 0, 0};
        const std::vector<std::uint16_t> base = counted_elements(n), fixed = golden_positions(n, true);
        rules.fixed_count = static_cast<std::uint32_t>(fixed.size()) / 4;
        rules.fixed_positions = fixed.data();
        rules.fixed_solution = base.data();
        std::vector<std::uint16_t> scratch(n);
        for (std::uint32_t t = 0; t < 20; ++t) {
            Individual mother(n), father(n), child(n), mirror(n);
            island_draw(rules, mother.view(), scratch.data(), 0, 2 * t);
            island_draw(rules, father.view(), scratch.data(), 0, 2 * t + 1);
            const CrossoverDraws draws = island_crossover_draws(rules, 4, t);
            const IslandMutation mutation = island_draw_mutation(rules, 4, t);
            const auto vary = [&](const auto& made, const auto& of, const auto& and_of, const auto& image) {
                island_cross(rules, made, of, and_of, scratch.data(), image, draws);
                add_individual(digest, child);
                island_mutate(rules, made, mutation, 4, t);
                add_individual(digest, child);
                island_restore_fixed(rules, made, scratch.data());
                add_individual(digest, child);
            };
            if (with_bits)
                vary(child.view(), mother.view(), father.view(), mirror.view());
            else
                vary(child.sequence(), mother.sequence(), father.sequence(), mirror.sequence());
        }
    }
    return digest.value;
}

std::uint64_t uniform_children() {
    ResultDigest digest;
    for (const std::uint32_t n : kGoldenSizes) {
        for (std::uint32_t t = 0; t < 20; ++t) {
            std::vector<std::uint16_t> mother = counted_elements(n), father(mother), child(n);
            std::vector<std::uint8_t> taken(n);
            const std::vector<std::uint16_t> positions = golden_positions(n, t % 2 == 1);
            const auto free = static_cast<std::uint32_t>(positions.size());
            shuffle(mother.data(), positions.data(), free, 1, 0, 2 * t, 1);
            shuffle(father.data(), positions.data(), free, 1, 0, 2 * t + 1, 1);
            uniform_crossover(mother.data(), father.data(), child.data(), taken.data(), n, 9, 6, t, 21);
            digest.add_all(child);
        }
    }
    return digest.value;
}

}  // namespace

TEST_CASE("the genetic algorithms of 2009 and 2010 make the children that they always made") {
    std::vector<std::uint64_t> seen;
    for (const std::uint32_t crossover : {kGaPmx, kGaOx}) {
        for (const std::uint32_t mutates : {kGaByString, kGaByPosition}) {
            seen.push_back(ga_children<std::uint16_t>(crossover, mutates, true));
            CHECK(ga_children<std::uint8_t>(crossover, mutates, true) == seen.back());
            if (crossover == kGaPmx) CHECK(ga_children<std::uint16_t>(crossover, mutates, false) == seen.back());
        }
    }
    CHECK(seen == std::vector<std::uint64_t>{5081287781697950350u, 5549011473738884447u, 8830078035326632171u,
                                             10989187644223147979u});
}

TEST_CASE("PGAGrid's cells change as they always did") {
    CHECK(pga_cells() == 16820975668544788228u);
}

TEST_CASE("the island GA of 2019 makes the children that it always made, with bay bits or without") {
    std::vector<std::uint64_t> seen;
    for (const std::uint32_t crossover : {0u, 1u}) {  // 0: PMX, 1: OX; see kernels::Crossover
        for (const FbsBitInheritance bits : {kFbsBitsByPosition, kFbsBitsByDepartment}) {
            for (const std::uint32_t align : {0u, 1u}) seen.push_back(island_children(crossover, bits, true, align));
        }
        seen.push_back(island_children(crossover, kFbsBitsByPosition, false, 0));
    }
    CHECK(seen == std::vector<std::uint64_t>{4837983120110091525u, 7611610197703387460u, 15154308434175769079u,
                                             6004549162530393340u, 1259789809660833168u, 10927835269921050226u,
                                             6168858535550376185u, 11413856300169362374u, 5535420674440760230u,
                                             6583981347846784183u});
}

TEST_CASE("tabu search's uniform crossover makes the children that it always made") {
    CHECK(uniform_children() == 11767303874251315486u);
}
