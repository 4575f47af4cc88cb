// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/tournament.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <vector>

using namespace qapfw::kernels;

namespace {

constexpr std::uint32_t kSize = 64;

TournamentRules rules(TournamentSeeding seeding, std::uint32_t rounds = 4) {
    return {.seed = 5, .seeding = seeding, .rounds = rounds, .size = kSize, .generator = kTournamentPhilox};
}

const auto kLess = [](std::int64_t a, std::int64_t b) { return a < b; };

/// Number of tournaments that member `best` wins in `generations` generations. All other members cost more.
std::uint32_t wins_of_the_best(const TournamentRules& of, std::uint32_t generations, std::uint32_t best) {
    std::vector<std::int64_t> costs(of.size, 1);
    costs[best] = 0;
    std::uint32_t wins = 0;
    for (std::uint32_t generation = 0; generation < generations; ++generation) {
        for (std::uint32_t thread = 0; thread < of.size; ++thread) {
            wins += tournament_winner(of, costs.data(), kLess, generation, 0, thread) == best ? 1u : 0u;
        }
    }
    return wins;
}

}  // namespace

TEST_CASE("method 1: a thread's draws are those of the thread before it, one round later, on every island") {
    const TournamentRules of = rules(kTournamentClockOnce);
    for (std::uint32_t thread = 0; thread + 1 < kSize; ++thread) {
        for (std::uint32_t round = 0; round + 1 < of.rounds; ++round) {
            CHECK(tournament_rival(of, 3, 0, thread, round + 1) == tournament_rival(of, 3, 7, thread + 1, round));
        }
    }
    CHECK(tournament_draw(of, 3, 0, 0, 0).sequence != tournament_draw(of, 4, 0, 0, 0).sequence);
}

TEST_CASE("method 2: threads share the sequence of a round and no two rounds have the same") {
    const TournamentRules of = rules(kTournamentClockPerRound);
    std::set<std::uint64_t> sequences;
    for (std::uint64_t generation = 0; generation < 10; ++generation) {
        for (std::uint32_t round = 0; round < of.rounds; ++round) {
            const TournamentDraw first = tournament_draw(of, generation, 0, 0, round);
            const TournamentDraw other = tournament_draw(of, generation, 2, 9, round);
            CHECK(first.sequence == other.sequence);
            CHECK(other.index == 9);
            sequences.insert(first.sequence);
        }
    }
    CHECK(sequences.size() == 40);
}

TEST_CASE("method 3: every thread of every island has a sequence of its own, its clock plus its number") {
    const TournamentRules of = rules(kTournamentPerThread);
    const std::uint64_t clock = tournament_clock(of.seed, 6, 0);
    for (std::uint32_t island = 0; island < 3; ++island) {
        for (std::uint32_t thread = 0; thread < kSize; ++thread) {
            const TournamentDraw draw = tournament_draw(of, 6, island, thread, 2);
            CHECK(draw.sequence == clock + island * kSize + thread);
            CHECK(draw.index == 2);
        }
    }
}

TEST_CASE("in the printed algorithms individual 0 enters every tournament, with counters it does not") {
    for (const TournamentSeeding seeding : {kTournamentClockOnce, kTournamentClockPerRound, kTournamentPerThread}) {
        CHECK(wins_of_the_best(rules(seeding), 10, 0) == 10 * kSize);
        CHECK(wins_of_the_best(rules(seeding), 10, 1) < 2 * kSize);
    }
    CHECK(wins_of_the_best(rules(kTournamentCounter), 10, 0) < 2 * kSize);
}

TEST_CASE("with counters a tournament of M rounds has M rivals") {
    for (const std::uint32_t rounds : {1u, 2u, 8u}) {
        double others = 1;
        for (std::uint32_t round = 0; round < rounds; ++round) others *= (kSize - 1.0) / kSize;
        const double expected = 400.0 * kSize * (1 - others);
        const double found = wins_of_the_best(rules(kTournamentCounter, rounds), 400, 17);
        CHECK(found > 0.85 * expected);
        CHECK(found < 1.15 * expected);
    }
}

TEST_CASE("XORWOW follows its definition, and an offset skips that number of values") {
    // The expected values come from Marsaglia's algorithm, written out here, with the seeding of cuRAND.
    std::uint32_t x = 123456789u, y = 362436069u, z = 521288629u, w = 88675123u, v = 5783321u, d = 6615241u;
    const std::uint64_t seed = 0x123456789abcdefu;
    const std::uint32_t low = 1099087573u * (0x89abcdefu ^ 0xaad26b49u),
                        high = 2591861531u * (0x01234567u ^ 0xf7dcefddu);
    x += low;
    y ^= low;
    z += high;
    w ^= high;
    v += low;
    d += low + high;
    Xorwow state = xorwow(seed, 0);
    for (int k = 0; k < 100; ++k) {
        const std::uint32_t t = x ^ (x >> 2);
        x = y;
        y = z;
        z = w;
        w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437u;
        CHECK(xorwow(seed, static_cast<std::uint32_t>(k)).next() == v + d);
        CHECK(state.next() == v + d);
    }
}

TEST_CASE("the printed methods draw from XORWOW: with one seed, one for each round, and one for each thread") {
    std::vector<double> costs(128);
    for (std::size_t k = 0; k < costs.size(); ++k) costs[k] = static_cast<double>((k * 37 + 11) % 128);
    const auto less = [](double a, double b) { return a < b; };
    for (const TournamentSeeding seeding : {kTournamentClockOnce, kTournamentClockPerRound, kTournamentPerThread}) {
        TournamentRules of = rules(seeding);
        of.size = 128;
        of.generator = kTournamentXorwow;
        for (std::uint32_t thread = 0; thread < 128; thread += 9) {
            std::uint32_t winner = 0;
            for (std::uint32_t round = 0; round < of.rounds; ++round) {
                const TournamentDraw number = tournament_draw(of, 5, 2, thread, round);
                const std::uint32_t rival = xorwow(number.sequence, number.index).next() % of.size;
                if (costs[rival] < costs[winner]) winner = rival;
            }
            CHECK(tournament_winner(of, costs.data(), less, 5, 2, thread) == winner);
        }
    }
}

TEST_CASE("of equal costs the first drawn wins") {
    const std::vector<std::int64_t> costs(kSize, 1);
    const TournamentRules of = rules(kTournamentCounter);
    for (std::uint32_t thread = 0; thread < kSize; ++thread) {
        CHECK(tournament_winner(of, costs.data(), kLess, 1, 0, thread) == tournament_rival(of, 1, 0, thread, 0));
    }
}
