// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/operators/crossover.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plugins/pga_grid/device/pga_rules.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/kernels/island_ga.hpp"
#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

using Elements = std::vector<std::uint16_t>;

constexpr Crossover kEveryCrossover[] = {Crossover::kPmx,     Crossover::kOx,    Crossover::kMox,
                                         Crossover::kUniform, Crossover::kCycle, Crossover::kPath};
constexpr std::uint32_t kCrossoverSizes[] = {1, 2, 3, 12, 100, 300};
constexpr FbsBitInheritance kInheritances[] = {kFbsBitsByPosition, kFbsBitsByDepartment};

CrossoverDraws trial_draws(std::uint32_t trial) {
    return draw_crossover(23, trial, 7, 9);
}

Individual child_of(Crossover kind, Individual mother, Individual father, std::uint32_t trial,
                    FbsBitInheritance bits = kFbsBitsByPosition) {
    const std::uint32_t n = mother.size();
    Individual child(n);
    std::vector<std::uint16_t> scratch(n);
    cross(kind, child.view(), mother.view(), father.view(), scratch.data(), {n, n, bits}, trial_draws(trial));
    return child;
}

Elements crossed_sequence(Crossover kind, Individual mother, Individual father, std::uint32_t trial) {
    const std::uint32_t n = mother.size();
    Elements child(n, 0xFFFF);
    std::vector<std::uint8_t> scratch(2 * n);  // bytes are enough for crossovers that store no positions
    Elements positions(n);
    const auto make = [&](auto* memory) {
        cross(kind, solution_view(child.data()), mother.sequence(), father.sequence(), memory, {n, n},
              trial_draws(trial));
    };
    if (kind == Crossover::kPmx || kind == Crossover::kCycle || kind == Crossover::kPath)
        make(positions.data());
    else
        make(scratch.data());
    return child;
}

/// Calls check(kind, n, mother, father, trial) for pairs of unrelated parents and for pairs of similar parents. A
/// similar father is a copy of the mother with four mutations.
template <class Check>
void for_parents(const Check& check) {
    for (const Crossover kind : kEveryCrossover) {
        CAPTURE(name_of(kind));
        for (const std::uint32_t n : kCrossoverSizes) {
            CAPTURE(n);
            for (std::uint32_t trial = 0; trial < 30; ++trial) {
                const Individual mother = random_individual(n, 2 * trial);
                Individual father = trial % 2 == 0 ? random_individual(n, 2 * trial + 1) : mother;
                if (trial % 2 == 1) {  // the father is the mother after four mutations
                    for (std::uint32_t k = 0; k < 4; ++k) {
                        fbs_mutate(father.view(), n, {.flip_bit = n > 1 ? 5u : 0u}, draw4(3, trial, k, 1, 0));
                    }
                }
                check(kind, n, mother, father, trial);
            }
        }
    }
}

}  // namespace

TEST_CASE("names of crossovers are the choices of a parameter, by number") {
    CHECK(std::string(kCrossoverChoices.text) == "pmx|ox|mox|uniform|cycle|path_relinking");
    CHECK(std::string(name_of(Crossover::kPmx)) == "pmx");
    CHECK(std::string(name_of(Crossover::kPath)) == "path_relinking");
    CHECK(static_cast<std::uint32_t>(Crossover::kPath) + 1 == kCrossoverCount);
    CHECK(sizeof(kCrossoverNames) / sizeof(kCrossoverNames[0]) == kCrossoverCount);
}

TEST_CASE("every crossover gives a valid child, with bay bits or without, and the same sequence in both cases") {
    for_parents([](Crossover kind, std::uint32_t, const Individual& mother, const Individual& father, std::uint32_t t) {
        for (const FbsBitInheritance bits : kInheritances) {
            const Individual child = child_of(kind, mother, father, t, bits);
            CHECK(child.valid());
            CHECK(child.perm == crossed_sequence(kind, mother, father, t));
        }
    });
}

TEST_CASE("equal parents have an equal child, by every crossover") {
    for_parents([](Crossover kind, std::uint32_t, const Individual& mother, const Individual&, std::uint32_t t) {
        for (const FbsBitInheritance bits : kInheritances) CHECK(child_of(kind, mother, mother, t, bits) == mother);
    });
}

TEST_CASE("PMX, uniform and cycle crossover and path relinking keep what the parents share, in its place") {
    for_parents(
        [](Crossover kind, std::uint32_t n, const Individual& mother, const Individual& father, std::uint32_t t) {
            if (kind == Crossover::kOx || kind == Crossover::kMox) return;
            const Individual child = child_of(kind, mother, father, t);
            for (std::uint32_t k = 0; k < n; ++k) {
                if (mother.perm[k] == father.perm[k]) CHECK(child.perm[k] == mother.perm[k]);
            }
        });
}

TEST_CASE("if bits go by position and both parents have the same bay bits, a child has them too") {
    for_parents([](Crossover kind, std::uint32_t n, const Individual& mother, Individual father, std::uint32_t t) {
        father.bits = mother.bits;
        const Individual child = child_of(kind, mother, father, t);
        for (std::uint32_t k = 0; k + 1 < n; ++k) CHECK(child.bits[k] == mother.bits[k]);
    });
}

TEST_CASE("a department brings the bay bit that it has in the parent that placed it") {
    for_parents(
        [](Crossover kind, std::uint32_t n, const Individual& mother, const Individual& father, std::uint32_t t) {
            if (kind == Crossover::kUniform || kind == Crossover::kCycle || kind == Crossover::kPath) return;
            const Individual child = child_of(kind, mother, father, t, kFbsBitsByDepartment);
            for (std::uint32_t k = 0; k + 1 < n; ++k) {
                const std::uint16_t department = child.perm[k];
                const bool mothers = mother.bit(mother.position(department));
                const bool fathers = father.bit(father.position(department));
                if (mothers == fathers) CHECK(child.bit(k) == mothers);
            }
        });
}

TEST_CASE("a child by cycle crossover has the value and the bit of one parent at each position, and is seldom a copy") {
    int copies = 0;
    for_parents(
        [&](Crossover kind, std::uint32_t n, const Individual& mother, const Individual& father, std::uint32_t t) {
            if (kind != Crossover::kCycle) return;
            const Individual child = child_of(kind, mother, father, t);
            for (std::uint32_t k = 0; k < n; ++k) {
                const bool is_mothers = child.perm[k] == mother.perm[k] && child.bit(k) == mother.bit(k);
                const bool is_fathers = child.perm[k] == father.perm[k] && child.bit(k) == father.bit(k);
                CHECK((is_mothers || is_fathers));
            }
            if (mother.perm != father.perm) CHECK(child.perm != mother.perm);
            if (n >= 100 && t % 2 == 0) copies += child == father ? 1 : 0;
        });
    CHECK(copies < 4);  // 30 children; a child copies the father if all positions form one cycle (probability 1 / n)
}

TEST_CASE("cycle crossover worked by hand") {
    // The positions form the cycles {0, 3}, {1, 4, 2} and {5}.
    Elements mother = {0, 1, 2, 3, 4, 5}, father = {3, 2, 4, 0, 1, 5}, child(6), where(6);
    const auto cross_from = [&](std::uint32_t drawn) {
        cycle_crossover(solution_view(child.data()), solution_view(mother.data()), solution_view(father.data()),
                        where.data(), 6, drawn);
        return child;
    };
    CHECK(cross_from(0) == Elements{3, 1, 2, 0, 4, 5});
    CHECK(cross_from(3) == Elements{3, 1, 2, 0, 4, 5});
    CHECK(cross_from(2) == Elements{0, 2, 4, 3, 1, 5});
    CHECK(cross_from(5) == Elements{3, 1, 2, 0, 4, 5});  // the parents are equal at 5, so the cycle starts at 0
}

TEST_CASE("path relinking worked by hand") {
    Elements mother = {0, 1, 2, 3, 4, 5}, father = {1, 2, 0, 4, 3, 5}, child(6), where(6);
    const auto walk = [&](PathDraws draws) {
        path_relinking(solution_view(child.data()), solution_view(mother.data()), solution_view(father.data()),
                       where.data(), 6, draws);
        return child;
    };
    // The parents differ in 5 positions. The walk stops when the child differs from the father in at most 2 of them
    // (stop word 0) or 3 (largest stop word). Steps of 1 and of 5 visit all positions.
    CHECK(walk({0, 0, 0}) == Elements{1, 2, 0, 3, 4, 5});
    // The second swap brings both elements to their positions in the father: the difference falls from 4 to 2.
    CHECK(walk({0, 0, 0xFFFFFFFFu}) == Elements{1, 2, 0, 3, 4, 5});
    CHECK(walk({3, 0, 0xFFFFFFFFu}) == Elements{0, 1, 2, 4, 3, 5});
    CHECK(walk({5, 0xFFFFFFFFu, 0xFFFFFFFFu}) == Elements{0, 1, 2, 4, 3, 5});
    CHECK(path_step(0, 6) == 1);
    CHECK(path_step(0x80000000u, 6) == 5);  // 3 and 4 have divisors in common with 6
    CHECK(path_step(0, 2) == 1);
}

TEST_CASE("path relinking ends between the parents, and an element of a parent has a parent's bay bit") {
    for (const std::uint32_t n : {3u, 4u, 12u, 100u, 300u}) {
        CAPTURE(n);
        for (std::uint32_t t = 0; t < 40; ++t) {
            const Individual mother = random_individual(n, 2 * t), father = random_individual(n, 2 * t + 1);
            const Individual child = child_of(Crossover::kPath, mother, father, t);
            std::uint32_t apart = 0, from_mother = 0, from_father = 0;
            for (std::uint32_t k = 0; k < n; ++k) {
                apart += mother.perm[k] != father.perm[k] ? 1u : 0u;
                from_mother += child.perm[k] != mother.perm[k] ? 1u : 0u;
                from_father += child.perm[k] != father.perm[k] ? 1u : 0u;
                const bool is_fathers = child.perm[k] == father.perm[k] && child.perm[k] != mother.perm[k];
                if (is_fathers) CHECK((child.bit(k) == father.bit(k) || child.bit(k) == mother.bit(k)));
                if (child.perm[k] == mother.perm[k]) CHECK(child.bit(k) == mother.bit(k));
            }
            if (apart < 3) continue;
            CHECK(from_mother >= 2);
            CHECK(from_father >= 2);
            CHECK(from_father <= std::max(2u, apart / 4 + apart / 2));
            if (apart > 12) CHECK(from_father >= apart / 4 - 1);
        }
    }
}

TEST_CASE("uniform crossover takes most positions from a parent, about half from each, with its bit") {
    std::uint32_t mothers = 0, fathers = 0, others = 0;
    for (std::uint32_t t = 0; t < 40; ++t) {
        const Individual mother = random_individual(100, 2 * t), father = random_individual(100, 2 * t + 1);
        const Individual child = child_of(Crossover::kUniform, mother, father, t);
        for (std::uint32_t k = 0; k < 100; ++k) {
            if (mother.perm[k] == father.perm[k]) continue;
            const bool is_mothers = child.perm[k] == mother.perm[k], is_fathers = child.perm[k] == father.perm[k];
            if (is_mothers) CHECK(child.bit(k) == mother.bit(k));
            if (is_fathers) CHECK(child.bit(k) == father.bit(k));
            ++(is_mothers ? mothers : is_fathers ? fathers : others);
        }
    }
    CHECK(mothers + fathers > 3 * 990);
    CHECK(others > 0);
    CHECK(mothers > 1300);
    CHECK(fathers > 1300);
}

TEST_CASE("two children that share the draws of a uniform crossover ask opposite parents first") {
    const Individual mother = random_individual(60, 1), father = random_individual(60, 2);
    const Individual one = child_of(Crossover::kUniform, mother, father, 5);
    const Individual other = child_of(Crossover::kUniform, father, mother, 5);
    int opposite = 0;
    for (std::uint32_t k = 0; k < 60; ++k) {
        opposite += (one.perm[k] == mother.perm[k]) == (other.perm[k] == father.perm[k]) ? 1 : 0;
    }
    CHECK(opposite > 45);
    CHECK(one != other);
}

TEST_CASE("fixed elements stay, and the movable ones are crossed as if they were alone") {
    for (const Crossover kind : kEveryCrossover) {
        CAPTURE(name_of(kind));
        for (const std::uint32_t n : kCrossoverSizes) {
            for (std::uint32_t t = 0; t < 20; ++t) {
                Elements positions;
                for (std::uint16_t k = 0; k < n; ++k) {
                    if (t == 0 ? false : k % 3 != 1) positions.push_back(k);
                }
                const auto free = static_cast<std::uint32_t>(positions.size());
                Elements mother(n), scratch(n);
                for (std::uint16_t k = 0; k < n; ++k) mother[k] = static_cast<std::uint16_t>((k + 5u) % n);
                const Elements base = mother;
                Elements father = mother;
                shuffle(mother.data(), positions.data(), free, 1, 0, 2 * t, 1);
                shuffle(father.data(), positions.data(), free, 1, 0, 2 * t + 1, 1);
                Elements child = base;
                cross(kind, movable_view(child.data(), positions.data()),
                      movable_view(std::as_const(mother).data(), positions.data()),
                      movable_view(std::as_const(father).data(), positions.data()), scratch.data(), {free, n},
                      trial_draws(t));
                for (std::uint16_t k = 0; k < n; ++k) {
                    if (std::find(positions.begin(), positions.end(), k) == positions.end()) CHECK(child[k] == base[k]);
                }
                Elements sorted = child;
                std::sort(sorted.begin(), sorted.end());
                for (std::uint16_t k = 0; k < n; ++k) CHECK(sorted[k] == k);
                // The child must be the same if only the free elements are crossed, each replaced by its rank. This
                // does not hold for uniform crossover: it fills gaps from a random element on, perhaps a fixed one.
                if (kind != Crossover::kUniform) {
                    Individual alone_mother(std::max(free, 1u)), alone_father(std::max(free, 1u));
                    if (free == 0) continue;
                    Elements values;  // the values at the movable positions, in ascending order
                    for (const std::uint16_t p : positions) values.push_back(base[p]);
                    std::sort(values.begin(), values.end());
                    const auto rank = [&](std::uint16_t v) {
                        return static_cast<std::uint16_t>(std::lower_bound(values.begin(), values.end(), v) -
                                                          values.begin());
                    };
                    for (std::uint32_t k = 0; k < free; ++k) {
                        alone_mother.perm[k] = rank(mother[positions[k]]);
                        alone_father.perm[k] = rank(father[positions[k]]);
                    }
                    const Elements alone = crossed_sequence(kind, alone_mother, alone_father, t);
                    for (std::uint32_t k = 0; k < free; ++k) CHECK(rank(child[positions[k]]) == alone[k]);
                }
            }
        }
    }
}

TEST_CASE("a crossover chosen by the compiler, or from a set, is the one chosen by name") {
    const Individual a = random_individual(40, 1), b = random_individual(40, 2);
    Individual mother = a, father = b, child(40), other(40);
    std::vector<std::uint16_t> scratch(40);
    const CrossoverShape shape{40, 40, kFbsBitsByDepartment};
    const auto check = [&](Crossover kind) {
        CHECK(child == other);
        CHECK(child == child_of(kind, a, b, 3, kFbsBitsByDepartment));
    };
    const auto of = [&](auto make) {
        make(child.view(), mother.view(), father.view(), scratch.data(), trial_draws(3));
    };
    of([&](auto c, auto m, auto f, auto* s, const auto& d) {
        cross<Crossover::kMox>(c, m, f, s, shape, d);
        cross<crossover_bit(Crossover::kMox)>(Crossover::kMox, other.view(), m, f, s, shape, d);
    });
    check(Crossover::kMox);
    of([&](auto c, auto m, auto f, auto* s, const auto& d) {
        cross<Crossover::kCycle>(c, m, f, s, shape, d);
        constexpr std::uint32_t kSome = crossover_bit(Crossover::kOx) | crossover_bit(Crossover::kCycle);
        cross<kSome>(Crossover::kCycle, other.view(), m, f, s, shape, d);
    });
    check(Crossover::kCycle);
}

TEST_CASE("the algorithms' own crossovers are the library's, with the words that they draw") {
    for (const std::uint32_t n : kCrossoverSizes) {
        for (std::uint32_t t = 0; t < 20; ++t) {
            Individual a = random_individual(n, 2 * t), b = random_individual(n, 2 * t + 1);
            std::vector<std::uint8_t> taken(n);
            Elements where(n), child = a.perm, made(n);
            const Philox4 words = draw4(1, t, n, 2, 0);
            const auto library = [&](Crossover kind, std::uint32_t word0, std::uint32_t word1) {
                const CrossoverDraws draws{1, t, n, 2, {word0, word1}};
                cross(kind, solution_view(made.data()), a.sequence(), b.sequence(), where.data(), {n, n}, draws);
                return made;
            };
            GaRules ga{1, 2, 0, n, n, kGaPmx, 0, kGaByString};
            const GaScratch<> scratch{taken.data(), where.data()};
            ga_vary<AllOperators>(ga, child.data(), std::as_const(a.perm).data(), std::as_const(b.perm).data(), scratch,
                                  words, n, t);
            CHECK(child == library(Crossover::kPmx, words.word[1], words.word[2]));
            ga.crossover = kGaOx;
            child = a.perm;
            ga_vary<AllOperators>(ga, child.data(), std::as_const(a.perm).data(), std::as_const(b.perm).data(), scratch,
                                  words, n, t);
            CHECK(child == library(Crossover::kOx, words.word[1], words.word[2]));
            const PgaRules pga{1, 1, 0, n, n, 0, 0, 0, 1, static_cast<std::uint32_t>(Crossover::kMox)};
            Elements identity(n);
            for (std::uint16_t k = 0; k < n; ++k) identity[k] = k;
            child = a.perm;
            pga_cross<AllOperators>(pga, identity.data(), child.data(), a.perm.data(), b.perm.data(), where.data(),
                                    {1, t, n, 2, {words.word[2], 0}});
            CHECK(child == library(Crossover::kMox, words.word[2], 0));
            uniform_crossover(a.perm.data(), b.perm.data(), child.data(), taken.data(), n, 1, t, n, 2);
            CHECK(child == library(Crossover::kUniform, 0, 0));
        }
    }
}

TEST_CASE("the genetic algorithms of 2009 and 2010 take every crossover of the library") {
    for (const Crossover kind : kEveryCrossover) {
        const std::uint32_t n = 20;
        GaRules rules{1, 4, 0, n, n, static_cast<std::uint32_t>(kind), 0, kGaByString};
        Individual a = random_individual(n, 1), b = random_individual(n, 2);
        std::vector<std::uint8_t> taken(n);
        Elements where(n), made(n), child = a.perm;
        const Philox4 words = draw4(1, 6, 3, kGaBreedStream, 0);
        ga_vary<AllOperators>(rules, child.data(), std::as_const(a.perm).data(), std::as_const(b.perm).data(),
                              GaScratch<>{taken.data(), where.data()}, words, 3, 6);
        const CrossoverDraws draws{1, 6, 3, kUniformCrossoverStream, {words.word[1], words.word[2]}};
        cross(kind, solution_view(made.data()), a.sequence(), b.sequence(), where.data(), {n, n}, draws);
        CHECK(child == made);
    }
}

TEST_CASE("the island GA takes every crossover of the library") {
    IslandRules rules{};
    rules.tournament = {
        .seed = 7, .seeding = kTournamentCounter, .rounds = 2, .size = 10, .generator = kTournamentPhilox};
    for (const std::uint32_t n : kCrossoverSizes) {
        rules.n = n;
        std::vector<std::uint16_t> scratch(n);
        for (std::uint32_t t = 0; t < 20; ++t) {
            Individual mother = random_individual(n, 2 * t), father = random_individual(n, 2 * t + 1);
            Individual child(n), made(n), mirror(n);
            const CrossoverDraws draws = island_crossover_draws(rules, 3, t);
            for (const Crossover kind : kEveryCrossover) {
                for (const std::uint32_t align : {0u, 1u}) {
                    rules.crossover = static_cast<std::uint32_t>(kind);
                    rules.align = align;
                    rules.bits = kInheritances[t % 2];
                    island_cross(rules, child.view(), mother.view(), father.view(), scratch.data(), mirror.view(),
                                 draws);
                    CHECK(child.valid());
                    if (align != 0) continue;
                    const bool is_ox = kind == Crossover::kOx;  // the island GA's ox keeps the father's segment
                    cross(kind, made.view(), (is_ox ? father : mother).view(), (is_ox ? mother : father).view(),
                          scratch.data(), {n, n, rules.bits}, draws);
                    CHECK(child == made);
                }
            }
        }
    }
}
