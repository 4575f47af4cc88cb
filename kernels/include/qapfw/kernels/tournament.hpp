// SPDX-License-Identifier: Apache-2.0
// Tournament selection by one thread per individual, with the three ways of seeding that Sun, Chou, Wu and Chen compare
// (Symmetry 2019, section 3, algorithms 1 to 3). Each reading of their system clock is replaced by a number drawn from
// (run's seed, generation, number of the reading), so that a run can be repeated. The flaws of the printed algorithms
// are kept: individual 0 enters every tournament, and with kTournamentClockOnce neighbouring threads read almost the
// same numbers. Counter-based seeding (kTournamentCounter) has neither flaw.
#pragma once

#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/xorwow.hpp"

namespace qapfw::kernels {

/// Stream of the random numbers that replace readings of the clock. Words 0 and 1 of slot r (see draw4) are the number
/// for reading r.
constexpr uint32_t kTournamentClockStream = 110;
constexpr uint32_t kTournamentStream = 111;  ///< word k of the stream is number k of a sequence: see TournamentDraw

/// The source of the random numbers of tournaments.
enum TournamentSeeding : uint32_t {
    kTournamentCounter = 0,        ///< independent draws for every (generation, island, thread, round)
    kTournamentClockOnce = 1,      ///< method 1: a sequence per generation; thread k starts at number k of the sequence
    kTournamentClockPerRound = 2,  ///< method 2: a new sequence in every round; thread k uses number k of the sequence
    kTournamentPerThread = 3       ///< method 3: a sequence per thread, seeded with the clock plus the thread's number
};

/// How the numbers of a sequence are computed. Only the paper's three methods use sequences; kTournamentCounter does
/// not.
enum TournamentGenerator : uint32_t {
    kTournamentPhilox = 0,  ///< computes any number of a sequence directly; a new clock reading needs no new state
    kTournamentXorwow = 1   ///< as in the paper: after each clock reading, a thread makes a state and skips ahead
};

/// The settings of a tournament. Plain data, the same on host and device.
struct TournamentRules {
    uint64_t seed;                  ///< seed of the run
    TournamentSeeding seeding;      ///< source of random numbers
    uint32_t rounds;                ///< M, at least 1
    uint32_t size;                  ///< P: number of individuals of an island; each has a thread
    TournamentGenerator generator;  ///< unused if `seeding` is kTournamentCounter
};

/// Says which random number a thread uses in a round.
struct TournamentDraw {
    uint64_t sequence;  ///< seed of the sequence from which the random number comes
    uint32_t index;     ///< index of the random number in this sequence, from 0
};

/// A random number that stands for the value of the system clock. `reading`: number of the reading in this generation.
QAPFW_HD uint64_t tournament_clock(uint64_t seed, uint64_t generation, uint32_t reading) {
    const Philox4 words = draw4(seed, generation, 0, kTournamentClockStream, reading);
    return static_cast<uint64_t>(words.word[1]) << 32 | words.word[0];
}

/// Chooses the random number that a thread uses in a round, by the paper's method that `rules.seeding` names.
QAPFW_HD TournamentDraw tournament_draw(const TournamentRules& rules, uint64_t generation, uint32_t island,
                                        uint32_t thread, uint32_t round) {
    const uint64_t clock =
        tournament_clock(rules.seed, generation, rules.seeding == kTournamentClockPerRound ? round : 0);
    switch (rules.seeding) {
        case kTournamentClockOnce:
            return {clock, thread + round};
        case kTournamentClockPerRound:
            return {clock, thread};
        default:
            return {clock + static_cast<uint64_t>(island) * rules.size + thread, round};
    }
}

/// Returns the rival that a thread's tournament draws in a round: the index of an individual in the island, below P.
QAPFW_HD uint32_t tournament_rival(const TournamentRules& rules, uint64_t generation, uint32_t island, uint32_t thread,
                                   uint32_t round) {
    const bool counter = rules.seeding == kTournamentCounter;
    const TournamentDraw number =
        counter ? TournamentDraw{rules.seed, round} : tournament_draw(rules, generation, island, thread, round);
    const uint64_t iteration = counter ? generation : 0;
    const uint32_t individual = counter ? island * rules.size + thread : 0;
    return below(draw(number.sequence, iteration, individual, kTournamentStream, number.index), rules.size);
}

/// Returns the number of the winner. The steps are those of the paper's algorithms 1 to 3. Method 2 calls
/// rand_initiate(clock, offset, state) in every round; the other methods call it once, in the first round. Each rival
/// is rand_generate(state) mod P.
template <class Cost, class Less>
QAPFW_HD uint32_t printed_tournament_winner(const TournamentRules& rules, const Cost* costs, const Less& less,
                                            uint64_t generation, uint32_t island, uint32_t thread) {
    uint32_t winner = 0;
    Xorwow state{};
    for (uint32_t round = 0; round < rules.rounds; ++round) {
        if (round == 0 || rules.seeding == kTournamentClockPerRound) {
            const TournamentDraw first = tournament_draw(rules, generation, island, thread, round);
            state = xorwow(first.sequence, first.index);
        }
        const uint32_t rival = state.next() % rules.size;
        if (less(costs[rival], costs[winner])) winner = rival;
    }
    return winner;
}

/// The number of the winner among the individuals of the island; `costs` has their costs. Each of the M rounds draws a
/// rival, which replaces the winner if its cost is less. The winner before the first round is individual 0; with
/// kTournamentCounter it is the first rival.
template <class Cost, class Less>
QAPFW_HD uint32_t tournament_winner(const TournamentRules& rules, const Cost* costs, const Less& less,
                                    uint64_t generation, uint32_t island, uint32_t thread) {
    if (rules.generator == kTournamentXorwow && rules.seeding != kTournamentCounter)
        return printed_tournament_winner(rules, costs, less, generation, island, thread);
    const bool counter = rules.seeding == kTournamentCounter;
    uint32_t winner = 0;
    for (uint32_t round = 0; round < rules.rounds; ++round) {
        const uint32_t rival = tournament_rival(rules, generation, island, thread, round);
        if ((counter && round == 0) || less(costs[rival], costs[winner])) winner = rival;
    }
    return winner;
}

}  // namespace qapfw::kernels
