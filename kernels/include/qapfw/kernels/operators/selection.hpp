// SPDX-License-Identifier: Apache-2.0
// Selects parents as the genetic algorithms of the papers do. Functions for host and device:
//   another individual at random  Tsutsui and Fujimoto, GECCO 2009, section 3.2.1, and CEC 2010: other_member
//   elitist binary tournament     thesis on PGAGrid, 2018, section 3.3: draw_opponents, binary_tournament_winner
//   the best neighbour            thesis on PGAGrid, 2018, section 3.4: best_neighbour
//   tournament of M rounds        Sun, Chou, Wu and Chen, Symmetry 2019: tournament_winner in tournament.hpp
// less(a, b) is true if cost a is better than cost b.
#pragma once

#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/kernels/tournament.hpp"

namespace qapfw::kernels {

/// Chooses a number from 0 to size - 1, but not `member`, by one random word. Returns `member` if size is 1.
QAPFW_HD uint32_t other_member(uint32_t word, uint32_t member, uint32_t size) {
    if (size < 2) return member;
    const uint32_t other = below(word, size - 1);
    return other < member ? other : other + 1;
}

/// Draws the opponents of `size` individuals in binary tournaments. The opponents are a random permutation, so each
/// individual is the opponent in one tournament. One thread calls this function. `group`: number of the group in the
/// run. O(size).
QAPFW_HD void draw_opponents(uint32_t* opponents, uint32_t size, uint64_t seed, uint64_t generation, uint32_t group,
                             uint32_t stream) {
    for (uint32_t k = 0; k < size; ++k) opponents[k] = k;
    shuffle(opponents, static_cast<const uint16_t*>(nullptr), size, seed, generation, group, stream);
}

/// Returns which of two individuals is better, or `own` if they are equal. With draw_opponents the best individual wins
/// at least once.
template <class Cost, class Less>
QAPFW_HD uint32_t binary_tournament_winner(const Cost* costs, const Less& less, uint32_t own, uint32_t opponent) {
    return less(costs[opponent], costs[own]) ? opponent : own;
}

/// Returns which individual is the best among `count` >= 1 neighbours. If several are equally good, returns the first
/// of them in the list.
template <class Cost, class Less>
QAPFW_HD uint32_t best_neighbour(const Cost* costs, const Less& less, const uint32_t* neighbours, uint32_t count) {
    uint32_t best = neighbours[0];
    for (uint32_t k = 1; k < count; ++k) {
        if (less(costs[neighbours[k]], costs[best])) best = neighbours[k];
    }
    return best;
}

}  // namespace qapfw::kernels
