// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/island_ga.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

IslandRules rules(std::uint32_t n) {
    IslandRules r{};
    r.tournament = {.seed = 7, .seeding = kTournamentCounter, .rounds = 2, .size = 10, .generator = kTournamentPhilox};
    r.n = n;
    r.crossing = r.mutation = 0xFFFFFFFFu;
    r.moves = 1;
    return r;
}

Individual drawn(const IslandRules& r, std::uint32_t individual) {
    Individual s(r.n);
    std::vector<std::uint16_t> where(r.n);
    island_draw(r, s.view(), where.data(), 0, individual);
    return s;
}

Individual crossed(const IslandRules& r, Individual mother, Individual father, std::uint64_t generation) {
    Individual child(r.n), mirror(r.n);
    std::vector<std::uint16_t> scratch(r.n);
    island_cross(r, child.view(), mother.view(), father.view(), scratch.data(), mirror.view(),
                 island_crossover_draws(r, generation, 0));
    return child;
}

}  // namespace

TEST_CASE("children of every kind of crossover are valid") {
    for (const std::uint32_t n : {1u, 2u, 3u, 17u, 60u}) {
        IslandRules r = rules(n);
        for (std::uint32_t crossover = 0; crossover < kCrossoverCount; ++crossover) {
            for (const FbsBitInheritance bits : {kFbsBitsByPosition, kFbsBitsByDepartment}) {
                for (const std::uint32_t align : {0u, 1u}) {
                    r.crossover = crossover;
                    r.bits = bits;
                    r.align = align;
                    for (std::uint32_t t = 0; t < 40; ++t) {
                        CHECK(crossed(r, drawn(r, 2 * t), drawn(r, 2 * t + 1), t).valid());
                    }
                }
            }
        }
    }
}

TEST_CASE("pairs are crossed as often as the rate says") {
    IslandRules r = rules(9);
    r.crossing = 0xB3333333u;  // 0.7
    int count = 0;
    for (std::uint32_t t = 0; t < 2000; ++t) count += island_draw_crossing(r, t, 0).happens ? 1 : 0;
    CHECK(count > 1310);
    CHECK(count < 1490);
    r.crossing = 0;
    CHECK(!island_draw_crossing(r, 3, 0).happens);
}

TEST_CASE("an aligned mirror image of a parent is that parent") {
    IslandRules r = rules(30);
    r.align = 1;
    for (std::uint32_t t = 0; t < 30; ++t) {
        Individual mother = drawn(r, t), image(30);
        fbs_make_image(image.view(), mother.view(), 30, static_cast<FbsImage>(t % 4));
        CHECK(crossed(r, mother, image, t) == mother);
        r.align = 0;
        if (t % 4 != 0) CHECK(!(crossed(r, mother, image, 1) == mother));
        r.align = 1;
    }
}

TEST_CASE("moves by child lie in 1..moves, by position they have the binomial's mean") {
    IslandRules r = rules(40);
    r.moves = 3;
    std::uint32_t histogram[4] = {0, 0, 0, 0};
    for (std::uint32_t k = 0; k < 900; ++k) {
        const std::uint32_t moves = island_count_moves(r, 2, k);
        REQUIRE(moves >= 1);
        REQUIRE(moves <= 3);
        ++histogram[moves];
    }
    for (int moves = 1; moves <= 3; ++moves) CHECK(histogram[moves] > 240);
    r.mutates = kIslandByPosition;
    r.mutation = 0x0CCCCCCDu;  // 0.05
    double sum = 0;
    for (std::uint32_t k = 0; k < 2000; ++k) sum += island_count_moves(r, 2, k);
    CHECK(sum / 2000 == doctest::Approx(2.0).epsilon(0.06));
    r.mutation = 0;
    CHECK(island_count_moves(r, 2, 1) == 0);
}

TEST_CASE("fixed elements stay at their positions after drawing and after any change, and nothing is lost") {
    IslandRules r = rules(12);
    std::vector<std::uint16_t> base(12);
    for (std::uint16_t k = 0; k < 12; ++k) base[k] = static_cast<std::uint16_t>((k + 5) % 12);
    const std::vector<std::uint16_t> positions{0, 3, 4, 11};
    r.fixed_count = 4;
    r.fixed_positions = positions.data();
    r.fixed_solution = base.data();
    std::vector<std::uint16_t> where(12);
    for (std::uint32_t t = 0; t < 100; ++t) {
        Individual s = drawn(r, t);
        for (int again = 0; again < 2; ++again) {
            CHECK(s.valid());
            for (const std::uint16_t p : positions) CHECK(s.perm[p] == base[p]);
            for (const std::uint32_t k : {1u, 2u}) island_mutate(r, s.view(), island_draw_mutation(r, t, k), t, k);
            island_restore_fixed(r, s.view(), where.data());
        }
    }
}

TEST_CASE("a permutation without bits is treated like the sequence of a layout") {
    for (const std::uint32_t n : {1u, 2u, 20u}) {
        IslandRules r = rules(n);
        r.weights = {.swap = 3, .insert = 2, .flip_bit = 0, .shift_border = 0, .reverse_segment = 1, .swap_bays = 0};
        std::vector<std::uint16_t> scratch(n);
        for (std::uint32_t t = 0; t < 50; ++t) {
            Individual mother = drawn(r, 2 * t), father = drawn(r, 2 * t + 1), mirror(n);
            Individual with(n), without(n);
            for (std::uint32_t crossover = 0; crossover < kCrossoverCount; ++crossover) {
                r.crossover = crossover;
                const CrossoverDraws draws = island_crossover_draws(r, t, 0);
                island_cross(r, with.view(), mother.view(), father.view(), scratch.data(), mirror.view(), draws);
                island_cross(r, without.sequence(), mother.sequence(), father.sequence(), scratch.data(),
                             mirror.sequence(), draws);
                const IslandMutation mutation = island_draw_mutation(r, t, 0);
                island_mutate(r, with.view(), mutation, t, 0);
                island_mutate(r, without.sequence(), mutation, t, 0);
                CHECK(with.perm == without.perm);
            }
        }
    }
}
