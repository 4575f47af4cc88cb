// SPDX-License-Identifier: Apache-2.0
// The random choices of one cell in a generation of PGAGrid (thesis, 2018, chapter 3), for host and device: its mate,
// its child, its mutation and transposition. All random numbers of a cell are a function of (seed, generation, cell).
#pragma once

#include "qapfw/kernels/fbs_operators.hpp"
#include "qapfw/kernels/operators/compiled_operators.hpp"
#include "qapfw/kernels/operators/selection.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::kernels {

// Streams of random numbers, one per purpose.
constexpr uint32_t kPgaStartStream = 0;
constexpr uint32_t kPgaTournamentStream = 1;
constexpr uint32_t kPgaCrossoverStream = 2;
constexpr uint32_t kPgaMutationStream = 3;
constexpr uint32_t kPgaTranspositionStream = 4;

/// The operators of the PGAGrid thesis (2018). If a run needs no other operators, its device code has only these.
using PgaPaperOperators = CompiledOperators<crossover_bit(Crossover::kMox), mutation_bit(Mutation::kExchange), 0>;

struct PgaRules {
    uint64_t seed;
    uint32_t cells;                               ///< number of cells in one grid
    uint32_t first;                               ///< number of this place's cell 0 in the whole run
    uint32_t n;                                   ///< number of movable positions
    uint32_t values;                              ///< number of elements of a solution; any segments: half of its bytes
    uint32_t crossover, mutation, transposition;  ///< an operator acts if a random word is below the operator's field
    uint32_t random_mates;                        ///< 1: the mate is a random other cell; 0: the best neighbour
    uint32_t kind;                                ///< the crossover: a value of Crossover
    uint32_t move = 0;                            ///< the mutation: a value of Mutation
    SolutionShape shape = {};
    uint32_t bay_moves = 0;       ///< a cell with bay bits is mutated by a move of bays if a random word is below this
    uint32_t same_positions = 0;  ///< 1: a swap draws two positions that may be equal (algorithm 14)
};

/// The neighbours of every cell of a grid, ascending.
struct PgaNeighbours {
    const uint64_t* first;  ///< index of each cell's first neighbour in `cells`; then the size of `cells`
    const uint32_t* cells;  ///< the neighbours of cell 0, then those of cell 1, and so on
};

/// Makes a random individual of the first population: `base` with its free positions shuffled, and random bay bits.
template <class Operators>
QAPFW_HD void pga_draw(const PgaRules& rules, const uint16_t* positions, const uint16_t* base, uint16_t* solution,
                       uint32_t cell) {
    const uint32_t row = row_elements<Operators>(rules.shape, rules.values);
    for (uint32_t v = 0; v < row; ++v) solution[v] = base[v];
    shuffle(solution, rules.n == rules.values ? nullptr : positions, rules.n, rules.seed, 0, rules.first + cell,
            kPgaStartStream);
    if constexpr (Operators::kBits) {
        if (!has_bits<Operators>(rules.shape)) return;
        fbs_randomize_bits(bits_of<Operators>(rules.shape, solution), rules.values, 0, rules.seed, 0,
                           rules.first + cell, kPgaStartStream);
    }
}

/// Draws the tournament opponent of each cell of a grid, as a random permutation of the cells. `grid`: the grid's
/// number in the run.
QAPFW_HD void pga_opponents(const PgaRules& rules, uint32_t* opponents, uint64_t generation, uint32_t grid) {
    draw_opponents(opponents, rules.cells, rules.seed, generation, grid, kPgaTournamentStream);
}

QAPFW_HD Philox4 pga_words(const PgaRules& rules, uint64_t generation, uint32_t cell, uint32_t stream) {
    return draw4(rules.seed, generation, rules.first + cell, stream, 0);
}

/// Sets `mate` to the best neighbour of `cell`; of neighbours with equal costs, to the one with the least number. With
/// random_mates, sets `mate` to a random other cell of the grid. Returns false if there is no neighbour or no other
/// cell.
template <class Cost, class Less>
QAPFW_HD bool pga_mate(const PgaRules& rules, const PgaNeighbours& neighbours, const Cost* costs, const Less& less,
                       uint32_t cell, uint32_t word, uint32_t& mate) {
    const uint32_t own = cell % rules.cells, first = cell - own;
    if (rules.random_mates != 0) {
        if (rules.cells < 2) return false;
        mate = first + other_member(word, own, rules.cells);
        return true;
    }
    const uint64_t listed = neighbours.first[own];
    const auto count = static_cast<uint32_t>(neighbours.first[own + 1] - listed);
    if (count == 0) return false;
    mate = first + best_neighbour(costs + first, less, neighbours.cells + listed, count);
    return true;
}

/// True if the cell has a child in this generation. Sets `mate` to the child's other parent, and `draws` to the random
/// numbers of the crossover.
template <class Cost, class Less>
QAPFW_HD bool pga_has_child(const PgaRules& rules, const PgaNeighbours& neighbours, const Cost* costs, const Less& less,
                            uint64_t generation, uint32_t cell, uint32_t& mate, CrossoverDraws& draws) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaCrossoverStream);
    draws = {rules.seed, generation, rules.first + cell, kUniformCrossoverStream, {words.word[2], words.word[3]}};
    if (words.word[0] >= rules.crossover || rules.n < 2) return false;
    return pga_mate(rules, neighbours, costs, less, cell, words.word[1], mate);
}

/// Calls act(view, count). Without bay bits, `view` shows only the `count` free positions of the solution. With bay
/// bits, it shows all elements and the bits; afterwards the fixed elements return to their positions in `base`.
/// `order`: free positions, then the fixed ones. `scratch`: room for rules.values numbers.
template <class Operators, class Act>
QAPFW_HD void pga_change(const PgaRules& rules, const uint16_t* order, const uint16_t* base, uint16_t* solution,
                         uint16_t* scratch, const Act& act) {
    if constexpr (Operators::kBits) {
        if (has_bits<Operators>(rules.shape)) {
            const auto layout = layout_view<Operators>(rules.shape, solution);
            act(layout, rules.values);
            restore_fixed({rules.values - rules.n, order + rules.n, base}, layout, scratch, rules.values);
            return;
        }
    }
    if constexpr (Operators::kOffset == 0 || Operators::kOffset == kBitsAnywhere) {
        act(movable_view(solution, order), rules.n);
    }
}

/// Makes the child of `parent` and `mate`; on entry `child` is a copy of `parent`. `scratch`: room for rules.values
/// numbers.
template <class Operators>
QAPFW_HD void pga_cross(const PgaRules& rules, const uint16_t* order, uint16_t* child, const uint16_t* parent,
                        const uint16_t* mate, uint16_t* scratch, const CrossoverDraws& draws) {
    const auto kind = static_cast<Crossover>(rules.kind);
    if constexpr (Operators::kBits) {
        if (has_bits<Operators>(rules.shape)) {
            const auto layout = layout_view<Operators>(rules.shape, child);
            cross<Operators::kCrossovers>(kind, layout, layout_view<Operators>(rules.shape, parent),
                                          layout_view<Operators>(rules.shape, mate), scratch,
                                          {rules.values, rules.values}, draws);
            restore_fixed({rules.values - rules.n, order + rules.n, parent}, layout, scratch, rules.values);
            return;
        }
    }
    const auto own = movable_view(child, order);
    const auto mother = movable_view(parent, order), father = movable_view(mate, order);
    const CrossoverShape shape{rules.n, rules.values};
    constexpr uint32_t kOthers = Operators::kCrossovers & ~PgaPaperOperators::kCrossovers;
    if constexpr (kOthers != Operators::kCrossovers) {
        if (kOthers == 0 || kind == Crossover::kMox) {  // for MOX, scratch of bytes suffices and is faster
            cross<Crossover::kMox>(own, mother, father, reinterpret_cast<uint8_t*>(scratch), shape, draws);
            return;
        }
    }
    if constexpr (kOthers != 0) cross<kOthers>(kind, own, mother, father, scratch, shape, draws);
}

/// Mutates a solution with the probability of a mutation. Returns whether it did.
template <class Operators>
QAPFW_HD bool pga_mutate(const PgaRules& rules, const uint16_t* order, const uint16_t* base, uint16_t* solution,
                         uint16_t* scratch, uint64_t generation, uint32_t cell) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaMutationStream);
    if (words.word[0] >= rules.mutation || rules.n < 2) return false;
    pga_change<Operators>(rules, order, base, solution, scratch, [&](auto view, uint32_t n) {
        if constexpr (HasBits<decltype(view)>::value) {
            if (words.word[3] < rules.bay_moves) {
                mutate_bays(view, n, draw4(rules.seed, generation, rules.first + cell, kPgaMutationStream, 1));
                return;
            }
        }
        if (rules.same_positions != 0) {
            fbs_exchange(view, below(words.word[1], n), below(words.word[2], n));
            return;
        }
        mutate<Operators::kMutations>(static_cast<Mutation>(rules.move), view, n, words.word[1], words.word[2]);
    });
    return true;
}

/// Changes a solution of any segments by up to two random moves: one with the probability of a mutation, one with the
/// probability of a transposition. Returns the number of moves.
QAPFW_HD uint32_t pga_change_segments(const PgaRules& rules, const SegmentList& list, uint16_t* solution,
                                      uint64_t generation, uint32_t cell) {
    const bool mutates = pga_words(rules, generation, cell, kPgaMutationStream).word[0] < rules.mutation;
    const bool transposes = pga_words(rules, generation, cell, kPgaTranspositionStream).word[0] < rules.transposition;
    const uint32_t moves = (mutates ? 1u : 0u) + (transposes ? 1u : 0u);
    mutate_segments(list, reinterpret_cast<uint8_t*>(solution), moves, rules.seed, generation, rules.first + cell);
    return moves;
}

/// Transposes a solution with the probability of a transposition. Returns whether it did.
template <class Operators>
QAPFW_HD bool pga_transpose(const PgaRules& rules, const uint16_t* order, const uint16_t* base, uint16_t* solution,
                            uint16_t* scratch, uint64_t generation, uint32_t cell) {
    const Philox4 words = pga_words(rules, generation, cell, kPgaTranspositionStream);
    if (words.word[0] >= rules.transposition || rules.n < 2) return false;
    pga_change<Operators>(rules, order, base, solution, scratch, [&](auto view, uint32_t n) {
        mutate<Mutation::kTransposition>(view, n, words.word[1], words.word[2]);
    });
    return true;
}

}  // namespace qapfw::kernels
