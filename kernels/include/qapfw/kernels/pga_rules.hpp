// SPDX-License-Identifier: Apache-2.0
// The choices of one cell in a generation of PGAGrid (thesis, 2018, chapter 3), for host and device: its mate, its
// child, its mutation and transposition. Everything random about a cell is a function of (seed, generation, cell).
#pragma once

#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"

namespace qapfw::kernels {

// Streams of random numbers, one per purpose.
constexpr uint32_t kPgaStartStream = 0;
constexpr uint32_t kPgaTournamentStream = 1;
constexpr uint32_t kPgaCrossoverStream = 2;
constexpr uint32_t kPgaMutationStream = 3;
constexpr uint32_t kPgaTranspositionStream = 4;

struct PgaRules {
    uint64_t seed;
    uint32_t cells;                               ///< of one grid
    uint32_t first;                               ///< number of cell 0 among those of all processes
    uint32_t n;                                   ///< movable positions
    uint32_t values;                              ///< elements of a solution
    uint32_t crossover, mutation, transposition;  ///< thresholds of 32-bit words
    uint32_t random_mates;                        ///< 1: no neighbours, a mate from anywhere in the grid
};

/// The neighbours of every cell of a grid, ascending.
struct PgaNeighbours {
    const uint64_t* first;  ///< per cell, and the end
    const uint32_t* cells;
};

/// A random individual of the first population from `base`, whose fixed values stay.
QAPFW_HD void pga_draw(const PgaRules& rules, const uint16_t* positions, const uint16_t* base, uint16_t* solution,
                       uint32_t cell) {
    for (uint32_t v = 0; v < rules.values; ++v) solution[v] = base[v];
    shuffle(solution, rules.n == rules.values ? nullptr : positions, rules.n, rules.seed, 0, rules.first + cell,
            kPgaStartStream);
}

/// The opponents of all cells of a grid in the tournament: a random permutation. `grid` counts over all processes.
QAPFW_HD void pga_opponents(const PgaRules& rules, uint32_t* opponents, uint64_t generation, uint32_t grid) {
    for (uint32_t k = 0; k < rules.cells; ++k) opponents[k] = k;
    shuffle(opponents, static_cast<const uint16_t*>(nullptr), rules.cells, rules.seed, generation, grid,
            kPgaTournamentStream);
}

QAPFW_HD Philox4 pga_words(const PgaRules& rules, uint64_t generation, uint32_t cell, uint32_t stream) {
    return draw4(rules.seed, generation, rules.first + cell, stream, 0);
}

/// The best neighbour, ties by cell number, or any other cell of the grid; false where there is none.
template <class Cost, class Less>
QAPFW_HD bool pga_mate(const PgaRules& rules, const PgaNeighbours& neighbours, const Cost* costs, const Less& less,
                       uint32_t cell, uint32_t word, uint32_t& mate) {
    const uint32_t own = cell % rules.cells, first = cell - own;
    if (rules.random_mates != 0) {
        if (rules.cells < 2) return false;
        const uint32_t other = below(word, rules.cells - 1);
        mate = first + (other < own ? other : other + 1);
        return true;
    }
    if (neighbours.first[own] == neighbours.first[own + 1]) return false;
    mate = first + neighbours.cells[neighbours.first[own]];
    for (uint64_t k = neighbours.first[own]; k < neighbours.first[own + 1]; ++k) {
        const uint32_t other = first + neighbours.cells[k];
        if (less(costs[other], costs[mate])) mate = other;
    }
    return true;
}

/// Whether the cell has a child in this generation, and its mate; `cut` is where the crossover cuts.
template <class Cost, class Less>
QAPFW_HD bool pga_has_child(const PgaRules& rules, const PgaNeighbours& neighbours, const Cost* costs, const Less& less,
                            uint64_t generation, uint32_t cell, uint32_t& mate, uint32_t& cut) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaCrossoverStream);
    cut = below(words.word[2], rules.n);
    if (words.word[0] >= rules.crossover || rules.n < 2) return false;
    return pga_mate(rules, neighbours, costs, less, cell, words.word[1], mate);
}

/// The child of `parent`, of which it is a copy on entry. `taken` is scratch for one byte per value.
QAPFW_HD void pga_cross(const PgaRules& rules, const uint16_t* positions, uint16_t* child, const uint16_t* parent,
                        const uint16_t* mate, uint8_t* taken, uint32_t cut) {
    using Fixed = FreeGenome<const uint16_t>;
    modified_order_crossover(FreeGenome<uint16_t>{child, positions}, Fixed{parent, positions}, Fixed{mate, positions},
                             taken, cut, rules.n, rules.values);
}

/// Exchange mutation; whether there is one.
QAPFW_HD bool pga_mutate(const PgaRules& rules, const uint16_t* positions, uint16_t* solution, uint64_t generation,
                         uint32_t cell) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaMutationStream);
    if (words.word[0] >= rules.mutation || rules.n < 2) return false;
    exchange_mutation(FreeGenome<uint16_t>{solution, positions}, words.word[1], words.word[2], rules.n);
    return true;
}

/// Transposition; whether there is one.
QAPFW_HD bool pga_transpose(const PgaRules& rules, const uint16_t* positions, uint16_t* solution, uint64_t generation,
                            uint32_t cell) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaTranspositionStream);
    if (words.word[0] >= rules.transposition || rules.n < 2) return false;
    transposition(FreeGenome<uint16_t>{solution, positions}, words.word[1], words.word[2], rules.n);
    return true;
}

}  // namespace qapfw::kernels
