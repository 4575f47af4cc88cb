// SPDX-License-Identifier: Apache-2.0
// Steps of the island model GA of Sun, Chou, Wu and Chen (Symmetry 2019, section 2.3) for one individual, on host and
// device. The steps are functions of (seed, generation, number of the individual). A solution is a permutation with bay
// bits or without (FbsNoBits). Each island crosses the survivors of its tournament in pairs (0, 1), (2, 3), ... A group
// of threads works on one solution.
#pragma once

#include "qapfw/kernels/fbs_mirror.hpp"
#include "qapfw/kernels/fbs_operators.hpp"
#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/kernels/tournament.hpp"

namespace qapfw::kernels {

/// Stream of the draws that make a random individual. For streams, slots and words see draw4.
constexpr uint32_t kIslandStartStream = 112;
/// Stream for crossing a pair. The draws use the number of the pair's first child. Words 0 and 1: the two cuts. Word 2:
/// whether the pair is crossed.
constexpr uint32_t kIslandCrossStream = 113;
/// Stream for mutations. Word 0: whether a child mutates; word 1: the number of moves. With a rate per position: word k
/// decides for position k.
constexpr uint32_t kIslandMutationStream = 114;
constexpr uint32_t kIslandMoveStream = 115;     ///< slot j: move j of a mutation
constexpr uint32_t kIslandImproveStream = 117;  ///< word 0: whether the improver works on a child

constexpr uint32_t kIslandByChild = 0, kIslandByPosition = 1;  ///< the mutation rate is per child or per position

struct IslandRules {
    TournamentRules tournament;
    uint32_t n;
    uint32_t crossover;      ///< the crossover: a value of Crossover
    uint32_t crossing;       ///< p_c: a pair is crossed if a random word is below this
    uint32_t mutation;       ///< p_m: a child, or each of its positions, mutates if a random word is below this
    uint32_t mutates;        ///< kIslandByChild or kIslandByPosition
    uint32_t moves;          ///< with kIslandByChild: greatest number of moves that mutate a child
    uint32_t bays;           ///< approximate number of bays of a random individual; 0: ceil(sqrt n)
    uint32_t align;          ///< 1: a crossover first mirrors the father if that makes him more like the mother
    FbsBitInheritance bits;  ///< how a child gets its bay bits
    FbsMutationWeights weights;
    uint32_t fixed_count;
    const uint16_t* fixed_positions;  ///< positions whose elements are fixed
    const uint16_t* fixed_solution;   ///< a permutation with the fixed elements at their positions
};

/// True if two costs count as equal, for islands whose individuals must have different costs. Real costs that differ
/// only by rounding are equal, such as the costs of a layout and of its mirror image.
QAPFW_HD bool island_equal_costs(int64_t a, int64_t b) {
    return a == b;
}
QAPFW_HD bool island_equal_costs(double a, double b) {
    const double distance = a < b ? b - a : a - b;
    const double size_a = a < 0 ? -a : a, size_b = b < 0 ? -b : b;
    return distance <= 1e-9 * (size_a < size_b ? size_b : size_a);
}

/// Swaps elements until the fixed ones are at their positions. `where`: scratch of n entries. O(n); does nothing if no
/// element is fixed.
template <class Solution, class Scratch, class Group = ThreadGroup>
QAPFW_HD void island_restore_fixed(const IslandRules& rules, Solution s, Scratch where, Group group = {}) {
    restore_fixed({rules.fixed_count, rules.fixed_positions, rules.fixed_solution}, s, where, rules.n, group);
}

/// Draws a random individual. The random numbers depend on `generation`, which is 0 or that of a restart.
template <class Solution, class Scratch>
QAPFW_HD void island_draw(const IslandRules& rules, Solution s, Scratch where, uint64_t generation,
                          uint32_t individual) {
    fbs_randomize(s, rules.n, rules.bays, rules.tournament.seed, generation, individual, kIslandStartStream);
    island_restore_fixed(rules, s, where);
}

/// The decision whether to cross two survivors, and the random words of their crossover.
struct IslandCrossing {
    bool happens;
    uint32_t words[2];
};

/// Draws whether a pair is crossed, and the random words of the crossover. `pair`: number of the pair's first child.
QAPFW_HD IslandCrossing island_draw_crossing(const IslandRules& rules, uint64_t generation, uint32_t pair) {
    const Philox4 words = draw4(rules.tournament.seed, generation, pair, kIslandCrossStream, 0);
    return {words.word[2] < rules.crossing, {words.word[0], words.word[1]}};
}

/// Random numbers of the crossover of a pair. Both children use the same numbers. `pair`: number of the pair's first
/// child.
QAPFW_HD CrossoverDraws island_crossover_draws(const IslandRules& rules, uint64_t generation, uint32_t pair,
                                               const IslandCrossing& crossing) {
    return {rules.tournament.seed, generation, pair, kUniformCrossoverStream, {crossing.words[0], crossing.words[1]}};
}
QAPFW_HD CrossoverDraws island_crossover_draws(const IslandRules& rules, uint64_t generation, uint32_t pair) {
    return island_crossover_draws(rules, generation, pair, island_draw_crossing(rules, generation, pair));
}

/// Crosses two different individuals. Only the crossovers in kKinds are compiled. Order crossover here keeps the
/// father's segment, as PMX does. `scratch`: n entries; `mirror`: room for a solution.
template <uint32_t kKinds = kAllCrossovers, class Solution, class Scratch, class Group = ThreadGroup>
QAPFW_HD void island_cross(const IslandRules& rules, Solution child, Solution mother, Solution father, Scratch scratch,
                           Solution mirror, const CrossoverDraws& draws, Group group = {}) {
    const bool mirrored = rules.align != 0 && fbs_align(mirror, mother, father, scratch, rules.n, group);
    const Solution other = mirrored ? mirror : father;
    const bool swapped = rules.crossover == static_cast<uint32_t>(Crossover::kOx);
    cross<kKinds>(static_cast<Crossover>(rules.crossover), child, swapped ? other : mother, swapped ? mother : other,
                  scratch, CrossoverShape{rules.n, rules.n, rules.bits}, draws, group);
}

/// Number of moves that mutate child `individual`.
QAPFW_HD uint32_t island_count_moves(const IslandRules& rules, uint64_t generation, uint32_t individual) {
    const uint64_t seed = rules.tournament.seed;
    Philox4 words = draw4(seed, generation, individual, kIslandMutationStream, 0);
    if (rules.mutates == kIslandByChild) {
        return words.word[0] < rules.mutation ? 1 + below(words.word[1], rules.moves) : 0;
    }
    uint32_t moves = 0;
    for (uint32_t k = 0; k < rules.n; ++k) {
        if (k > 0 && (k & 3u) == 0) words = draw4(seed, generation, individual, kIslandMutationStream, k >> 2);
        moves += words.word[k & 3u] < rules.mutation ? 1u : 0u;
    }
    return moves;
}

/// The number of moves that mutate a child, and the random words of the first move.
struct IslandMutation {
    uint32_t moves;
    Philox4 first;  ///< random words of the first move; not used if `moves` is 0
};

QAPFW_HD Philox4 island_draw_move(const IslandRules& rules, uint64_t generation, uint32_t individual, uint32_t move) {
    return draw4(rules.tournament.seed, generation, individual, kIslandMoveStream, move);
}

QAPFW_HD IslandMutation island_draw_mutation(const IslandRules& rules, uint64_t generation, uint32_t individual) {
    IslandMutation mutation{island_count_moves(rules, generation, individual), {}};
    if (mutation.moves > 0) mutation.first = island_draw_move(rules, generation, individual, 0);
    return mutation;
}

template <class Solution, class Group = ThreadGroup>
QAPFW_HD void island_mutate(const IslandRules& rules, Solution child, const IslandMutation& mutation,
                            uint64_t generation, uint32_t individual, Group group = {}) {
    for (uint32_t j = 0; j < mutation.moves; ++j) {
        const Philox4 words = j == 0 ? mutation.first : island_draw_move(rules, generation, individual, j);
        fbs_mutate(child, rules.n, rules.weights, words, group);
    }
}

}  // namespace qapfw::kernels
