// SPDX-License-Identifier: Apache-2.0
// The base genetic algorithm on one individual, for host and device. Pool P has the parents, pool W their children.
// Each individual has one child with a random mate, by PMX or OX, followed by exchange mutation. The child replaces its
// parent if the child is better.
// Sources: Tsutsui and Fujimoto, GECCO 2009, section 3.2.1, and CEC 2010, section III.B (the same GA, with the restart
// rule). Other operators from the folder operators/ may replace the papers' operators, and solutions may have bay bits.
// All random numbers for individual i in generation t are a function of (seed, t, i).
#pragma once

#include "qapfw/kernels/fbs_operators.hpp"
#include "qapfw/kernels/operators/compiled_operators.hpp"
#include "qapfw/kernels/operators/selection.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::kernels {

constexpr uint32_t kGaStartStream = 80;  ///< stream from which an individual is drawn at the start or after a restart
/// Stream of a child's draws. Slot 0 (see draw4) chooses the mate, two cuts, and whether the child mutates. Slot 1
/// chooses the mutated positions, and whether the mutation moves bays instead. Slot 2 chooses the move of bays.
constexpr uint32_t kGaBreedStream = 104;
/// Stream of mutations by position. Word k decides whether position k is swapped. Word k of the next stream chooses the
/// other position.
constexpr uint32_t kGaMutationStream = 106;
constexpr uint32_t kGaBitStream = 108;  ///< word k: whether bay bit k is flipped, if the rate is per position
/// Stream of the two cuts that a whole generation uses: words 0 and 1 of the draw for individual 0.
constexpr uint32_t kGaCutStream = 109;

/// @{
/// Numbers of the crossovers that the papers use.
constexpr auto kGaPmx = static_cast<uint32_t>(Crossover::kPmx), kGaOx = static_cast<uint32_t>(Crossover::kOx);
/// @}
/// The set of the papers' crossovers.
constexpr uint32_t kGaCrossovers = crossover_bit(Crossover::kPmx) | crossover_bit(Crossover::kOx);
/// The papers' operators, for device code of runs that need no others.
using GaPaperOperators = CompiledOperators<kGaCrossovers, mutation_bit(Mutation::kExchange), 0>;
constexpr uint32_t kGaByString = 0, kGaByPosition = 1;  ///< the mutation rate is per string or per position

constexpr uint32_t kGaCutsAny = 0;       ///< cut points of PMX and OX: any two of 0..n-1, which may be equal
constexpr uint32_t kGaCutsDistinct = 1;  ///< two different cut points
/// Two different cut points, the same for a whole generation (CEC 2010, section IV).
constexpr uint32_t kGaCutsShared = 2;

/// The settings of the algorithm. Plain data, the same on host and device.
struct GaRules {
    uint64_t seed;               ///< seed of the run
    uint32_t size;               ///< N: individuals of one subpopulation
    uint32_t first;              ///< number that this place's first individual has in the run
    uint32_t n;                  ///< movable positions
    uint32_t values;             ///< number of elements of a solution; for general segments: bytes of a solution / 2
    uint32_t crossover;          ///< the crossover: a value of Crossover
    uint32_t mutation;           ///< p_m: a child, or each of its positions, mutates if a random word is below this
    uint32_t mutates;            ///< kGaByString or kGaByPosition
    uint32_t move = 0;           ///< with kGaByString: the mutation of a child, a value of Mutation
    SolutionShape shape = {};    ///< size of a solution, offset of its bay bits
    uint32_t bay_moves = 0;      ///< with kGaByString: a mutation is a move of bays if a random word is below this
    uint32_t bit_flips = 0;      ///< with kGaByPosition: each bay bit is flipped if a random word is below this
    uint32_t cuts = kGaCutsAny;  ///< how PMX and OX draw their cut points: kGaCutsAny, ...
};

/// Pools P and W of all subpopulations, one after the other; solutions lie `stride` elements apart.
template <class Cost, class Element = uint16_t>
struct GaPools {
    Element* parents;   ///< pool P: solution k at k * stride
    Element* children;  ///< pool W: child k at k * stride
    Cost* costs;        ///< costs of the parents
    Cost* child_costs;  ///< costs of the children
    uint64_t* found;    ///< per parent: generation in which it was made
    uint64_t stride;    ///< elements from one solution to the next
    QAPFW_HD Element* parent(uint64_t k) const { return parents + k * stride; }  ///< solution of individual k
    QAPFW_HD Element* child(uint64_t k) const { return children + k * stride; }  ///< solution of child k
};

/// Argument that the kernels of a GA take by value. The pointers are addresses in device memory that the host owns.
template <class Cost, class Element = uint16_t>
struct GaPopulation {
    GaRules rules;                 ///< settings
    GaPools<Cost, Element> pools;  ///< individuals and children
    Element* scratch;              ///< `stride` elements per individual, see GaScratch
    const uint16_t* positions;     ///< free positions
    const uint16_t* order;         ///< free positions, then the fixed ones
    const uint16_t* base;          ///< the solution that sdk::base_solution makes, with all fixed elements
    uint32_t individuals;          ///< number of individuals in all subpopulations of this place
    SegmentList segments;          ///< for solutions whose segments are not just a permutation and bays
};

/// Scratch of a crossover. Each crossover uses one of these arrays.
template <class Element = uint16_t>
struct GaScratch {
    uint8_t* taken;  ///< for OX: one byte for each value, 1 if the child has the value already
    Element* where;  ///< for the other crossovers: one element for each value; null: PMX searches the child instead
};

constexpr uint32_t kGaMostInBytes = 256;  ///< up to this many values, an element is a byte in shared memory

/// Stride in bytes of a pool's rows in shared memory: an odd number of 32-bit words.
QAPFW_HD uint32_t ga_shared_row(uint32_t values) {
    const uint32_t bytes = values <= kGaMostInBytes ? values : 2 * values;
    return 4 * ((bytes + 3) / 4 | 1u);
}

/// Returns the bytes of shared memory for one subpopulation. Each individual needs three rows, two costs and an entry
/// of the work list; the subpopulation needs two counts.
QAPFW_HD uint64_t ga_shared_bytes(uint32_t size, uint32_t values) {
    return size * (3 * uint64_t{ga_shared_row(values)} + 16 + 4) + 8;
}

/// Number of threads of a CUDA block that works on a GA, unless another number is given.
constexpr uint32_t kGaThreads = 256;
/// Greatest number of threads of a CUDA block that breeds a subpopulation in shared memory.
constexpr uint32_t kGaMostThreads = 1024;

/// Number of CUDA blocks, of kGaThreads threads each, for a kernel that works on all individuals. A block handles 8 to
/// kGaThreads individuals. Within these limits each multiprocessor gets about two blocks. Breeding uses one thread for
/// each individual, but all warps of the block compute costs.
QAPFW_HD uint32_t ga_blocks_for(uint32_t individuals, uint32_t multiprocessors) {
    const uint32_t wanted = individuals / (2 * (multiprocessors == 0 ? 1 : multiprocessors));
    const uint32_t each = wanted < 8 ? 8 : wanted > kGaThreads ? kGaThreads : wanted;
    return (individuals + each - 1) / each;
}

/// Number of individuals whose digests one warp computes, from 1 to 32 (one per lane). Within these limits the number
/// gives each multiprocessor about 64 warps.
QAPFW_HD uint32_t ga_digested_by_warp(uint32_t individuals, uint32_t multiprocessors) {
    const uint32_t wanted = individuals / (64 * (multiprocessors == 0 ? 1 : multiprocessors));
    return wanted < 1 ? 1 : wanted > 32 ? 32 : wanted;
}

/// Number of threads of the CUDA block that breeds one of `blocks` subpopulations. The number is 1024 if a
/// multiprocessor works on one subpopulation at a time, 512 if it works on two, and 256 if it works on more. `fitting`:
/// number of subpopulations that fit a multiprocessor's shared memory.
QAPFW_HD uint32_t ga_threads_of_block(uint32_t blocks, uint32_t multiprocessors, uint64_t fitting) {
    const uint64_t wanted = multiprocessors == 0 ? blocks : (blocks + multiprocessors - 1) / multiprocessors;
    const uint64_t together = wanted < fitting ? wanted : fitting;
    return together <= 1 ? kGaMostThreads : together == 2 ? kGaMostThreads / 2 : kGaThreads;
}

/// True if the first `length` elements are equal.
template <class Element>
QAPFW_HD bool ga_equal(const Element* a, const Element* b, uint32_t length) {
    for (uint32_t v = 0; v < length; ++v) {
        if (a[v] != b[v]) return false;
    }
    return true;
}

/// Copies `length` elements and converts between different types; the rows must not overlap.
template <class To, class From>
QAPFW_HD void ga_copy(To* to, const From* from, uint32_t length) {
    for (uint32_t v = 0; v < length; ++v) to[v] = static_cast<To>(from[v]);
}

/// Sets where[child[k]] to k.
template <class Element, class Child>
QAPFW_HD void ga_invert(Element* where, Child child, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) where[child[k]] = static_cast<Element>(k);
}

/// @{ ga_equal, ga_copy and ga_invert for rows of bytes. They read whole 32-bit words: a row is aligned to a word and
/// padded to whole words, and equal rows have equal padding. ga_copy loads four words before it stores them, so that
/// loads do not wait for stores.

QAPFW_HD bool ga_equal(const uint8_t* a, const uint8_t* b, uint32_t length) {
    const auto *x = reinterpret_cast<const uint32_t*>(a), *y = reinterpret_cast<const uint32_t*>(b);
    for (uint32_t w = 0; 4 * w < length; ++w) {
        if (x[w] != y[w]) return false;
    }
    return true;
}

QAPFW_HD void ga_copy(uint8_t* to, const uint8_t* from, uint32_t length) {
    auto* const out = reinterpret_cast<uint32_t*>(to);
    const auto* const in = reinterpret_cast<const uint32_t*>(from);
    const uint32_t words = (length + 3) / 4;
    uint32_t w = 0;
    for (; w + 4 <= words; w += 4) {
        const uint32_t four[4] = {in[w], in[w + 1], in[w + 2], in[w + 3]};
        for (uint32_t k = 0; k < 4; ++k) out[w + k] = four[k];
    }
    for (; w < words; ++w) out[w] = in[w];
}

QAPFW_HD void ga_invert(uint8_t* where, const uint8_t* child, uint32_t n) {
    const auto* const in = reinterpret_cast<const uint32_t*>(child);
    for (uint32_t first = 0; first < n; first += 4) {
        const uint32_t four = in[first / 4];
        for (uint32_t k = 0; k < 4; ++k) {
            if (first + k < n) where[(four >> (8 * k)) & 0xFFu] = static_cast<uint8_t>(first + k);
        }
    }
}

/// @}
/// Draws a random individual, which keeps the fixed values of `base`. `generation`: 0, or the generation of a restart.
template <class Operators, class Element>
QAPFW_HD void ga_draw(const GaRules& rules, const uint16_t* positions, const uint16_t* base, Element* solution,
                      uint32_t k, uint64_t generation) {
    ga_copy(solution, base, row_elements<Operators>(rules.shape, rules.values));
    const uint16_t* const movable = rules.n == rules.values ? nullptr : positions;
    shuffle(solution, movable, rules.n, rules.seed, generation, rules.first + k, kGaStartStream);
    if constexpr (Operators::kBits) {
        if (!has_bits<Operators>(rules.shape)) return;
        fbs_randomize_bits(bits_of<Operators>(rules.shape, solution), rules.values, 0, rules.seed, generation,
                           rules.first + k, kGaStartStream);
    }
}

/// Swaps each position with a random other one, with the mutation rate as probability. Does nothing for n < 2.
template <class Child>
QAPFW_HD void ga_mutate_positions(const GaRules& rules, Child child, uint32_t individual, uint64_t generation) {
    exchange_positions(child, rules.n, rules.mutation, rules.seed, generation, individual, kGaMutationStream);
}

/// Crossover of solutions without bay bits. On entry `child` is a copy of `parent`.
template <class Operators, class Child, class Parent, class Element>
QAPFW_HD void ga_cross(const GaRules& rules, Child child, Parent parent, Parent mate, GaScratch<Element> scratch,
                       const Philox4& words, uint32_t individual, uint64_t generation) {
    constexpr uint32_t kOthers = Operators::kCrossovers & ~kGaCrossovers;
    if constexpr (kOthers != 0) {
        if (kOthers == Operators::kCrossovers || (rules.crossover != kGaPmx && rules.crossover != kGaOx)) {
            const CrossoverDraws draws{
                rules.seed, generation, individual, kUniformCrossoverStream, {words.word[1], words.word[2]}};
            cross<kOthers>(static_cast<Crossover>(rules.crossover), solution_view(child), solution_view(parent),
                           solution_view(mate), scratch.where, {rules.n, rules.values}, draws);
            return;
        }
    }
    if constexpr (kOthers != Operators::kCrossovers) {
        const Cuts cuts = draw_cuts(words.word[1], words.word[2], rules.n);
        if (rules.crossover == kGaOx) {
            order_crossover(child, parent, mate, scratch.taken, cuts, rules.n, rules.values);
        } else if (scratch.where != nullptr) {
            ga_invert(scratch.where, child, rules.n);
            pmx_with_inverse(child, mate, scratch.where, cuts);
        } else {
            pmx(child, mate, cuts, rules.n);
        }
    }
}

/// Crossover and mutation. On entry `child` is a copy of `parent`.
template <class Operators, class Child, class Parent, class Element>
QAPFW_HD void ga_vary(const GaRules& rules, Child child, Parent parent, Parent mate, GaScratch<Element> scratch,
                      Philox4 words, uint32_t individual, uint64_t generation) {
    ga_cross<Operators>(rules, child, parent, mate, scratch, words, individual, generation);
    if (rules.mutates == kGaByPosition) {
        ga_mutate_positions(rules, child, individual, generation);
    } else if (words.word[3] < rules.mutation) {
        const Philox4 places = draw4(rules.seed, generation, individual, kGaBreedStream, 1);
        if constexpr (Operators::kMutations == mutation_bit(Mutation::kExchange)) {
            exchange_mutation(child, places.word[0], places.word[1], rules.n);
        } else {
            mutate<Operators::kMutations>(static_cast<Mutation>(rules.move), solution_view(child), rules.n,
                                          places.word[0], places.word[1]);
        }
    }
}

/// Mutates a child with bay bits. kGaByString: makes the move rules.move in the permutation, or a move of bays.
/// kGaByPosition: swaps positions and flips bits.
template <class Operators, class Layout>
QAPFW_HD void ga_mutate_layout(const GaRules& rules, Layout child, const Philox4& words, uint32_t individual,
                               uint64_t generation) {
    const uint32_t n = rules.values;
    if (rules.mutates == kGaByPosition) {
        exchange_positions(child.perm, n, rules.mutation, rules.seed, generation, individual, kGaMutationStream);
        for (uint32_t k = 0; k + 1 < n; ++k) {
            if (draw(rules.seed, generation, individual, kGaBitStream, k) < rules.bit_flips) {
                child.bits[k] = child.bits[k] != 0 ? 0 : 1;
            }
        }
    } else if (words.word[3] < rules.mutation) {
        const Philox4 places = draw4(rules.seed, generation, individual, kGaBreedStream, 1);
        if (places.word[2] < rules.bay_moves) {
            mutate_bays(child, n, draw4(rules.seed, generation, individual, kGaBreedStream, 2));
        } else {
            mutate<Operators::kMutations>(static_cast<Mutation>(rules.move), child, n, places.word[0], places.word[1]);
        }
    }
}

/// Crossover and mutation of solutions with bay bits. Operators work on all positions. Afterwards the fixed elements
/// are moved back to their positions, which are the same in both parents.
template <class Operators, class Element>
QAPFW_HD void ga_vary_layout(const GaRules& rules, const uint16_t* order, Element* child, const Element* parent,
                             const Element* mate, GaScratch<Element> scratch, const Philox4& words, uint32_t individual,
                             uint64_t generation) {
    const CrossoverDraws draws{
        rules.seed, generation, individual, kUniformCrossoverStream, {words.word[1], words.word[2]}};
    const auto layout = layout_view<Operators>(rules.shape, child);
    cross<Operators::kCrossovers>(
        static_cast<Crossover>(rules.crossover), layout, layout_view<Operators>(rules.shape, parent),
        layout_view<Operators>(rules.shape, mate), scratch.where, {rules.values, rules.values}, draws);
    ga_mutate_layout<Operators>(rules, layout, words, individual, generation);
    restore_fixed({rules.values - rules.n, order + rules.n, parent}, layout, scratch.where, rules.values);
}

/// The random words of a child (slot 0 of kGaBreedStream). Words 1 and 2 give the cut points of its crossover. `n`:
/// number of positions that the crossover works on.
QAPFW_HD Philox4 ga_breed_words(const GaRules& rules, uint32_t individual, uint64_t generation, uint32_t n) {
    Philox4 words = draw4(rules.seed, generation, individual, kGaBreedStream, 0);
    if (rules.cuts == kGaCutsAny || n < 2) return words;
    if (rules.cuts == kGaCutsShared) {
        const Philox4 shared = draw4(rules.seed, generation, 0, kGaCutStream, 0);
        words.word[1] = shared.word[0];
        words.word[2] = shared.word[1];
    }
    words.word[2] = word_of_other_cut(words.word[1], words.word[2], n);
    return words;
}

/// Makes child k of `generation`. If the child equals its parent or its mate, copies the cost and returns false. (In a
/// converged population most children are such copies.) Otherwise returns true. `Operators`: the compiled operators,
/// which must include those of the rules. `order`: free positions, then the fixed ones.
template <class Operators, class Cost, class Element>
QAPFW_HD bool ga_breed(const GaRules& rules, const uint16_t* order, const GaPools<Cost, Element>& pools, uint32_t k,
                       uint64_t generation, GaScratch<Element> scratch) {
    const uint32_t member = k % rules.size, individual = rules.first + k;
    const uint32_t row = row_elements<Operators>(rules.shape, rules.values);
    const Philox4 words =
        ga_breed_words(rules, individual, generation, has_bits<Operators>(rules.shape) ? rules.values : rules.n);
    const uint32_t m = k - member + other_member(words.word[0], member, rules.size);
    Element* const child = pools.child(k);
    const Element *const parent = pools.parent(k), *const mate = pools.parent(m);
    ga_copy(child, parent, row);
    if (has_bits<Operators>(rules.shape)) {
        if constexpr (Operators::kBits && sizeof(Element) == sizeof(uint16_t)) {
            ga_vary_layout<Operators>(rules, order, child, parent, mate, scratch, words, individual, generation);
        }
    } else if (rules.n == rules.values) {
        ga_vary<Operators>(rules, child, parent, mate, scratch, words, individual, generation);
    } else {
        using Fixed = FreeGenome<const Element>;
        ga_vary<Operators>(rules, FreeGenome<Element>{child, order}, Fixed{parent, order}, Fixed{mate, order}, scratch,
                           words, individual, generation);
    }
    const bool is_parent = ga_equal(child, parent, row);
    if (!is_parent && !ga_equal(child, mate, row)) return true;
    pools.child_costs[k] = pools.costs[is_parent ? k : m];
    return false;
}

/// Draws a random individual, for solutions of any segments.
QAPFW_HD void ga_draw_segments(const GaRules& rules, const SegmentList& list, const uint16_t* base, uint16_t* solution,
                               uint32_t k, uint64_t generation) {
    ga_copy(solution, base, rules.values);
    draw_segments(list, reinterpret_cast<uint8_t*>(solution), rules.seed, generation, rules.first + k);
}

/// Number of moves that mutate a child. If the rate is per string, this is 1 if `word` is below the rate, else 0. If
/// the rate is per position, this is the number of free elements whose own random word is below the rate.
QAPFW_HD uint32_t ga_count_moves(const GaRules& rules, const SegmentList& list, uint32_t word, uint32_t individual,
                                 uint64_t generation) {
    if (rules.mutates == kGaByString) return word < rules.mutation ? 1 : 0;
    uint32_t moves = 0;
    for (uint32_t g = 0; g < list.count; ++g) {
        for (uint32_t k = 0; k < list.segments[g].free_count; ++k) {
            const uint32_t e = list.segments[g].first + k;
            moves += element_word(rules.seed, generation, individual, kGaMutationStream, e) < rules.mutation ? 1u : 0u;
        }
    }
    return moves;
}

/// Does the same as ga_breed, for solutions of any segments. `scratch` has room for one solution.
template <uint32_t kCrossoverSet, class Cost>
QAPFW_HD bool ga_breed_segments(const GaRules& rules, const SegmentList& list, const GaPools<Cost>& pools, uint32_t k,
                                uint64_t generation, uint8_t* scratch) {
    const uint32_t member = k % rules.size, individual = rules.first + k;
    const Philox4 words = draw4(rules.seed, generation, individual, kGaBreedStream, 0);
    const uint32_t m = k - member + other_member(words.word[0], member, rules.size);
    uint16_t *const child = pools.child(k), *const parent = pools.parent(k), *const mate = pools.parent(m);
    const auto bytes = [](uint16_t* solution) { return reinterpret_cast<uint8_t*>(solution); };
    ga_copy(child, parent, rules.values);
    cross_segments<kCrossoverSet>(list, bytes(child), bytes(parent), bytes(mate), scratch, rules.seed, generation,
                                  individual);
    const uint32_t moves = ga_count_moves(rules, list, words.word[3], individual, generation);
    mutate_segments(list, bytes(child), moves, rules.seed, generation, individual);
    const bool is_parent = ga_equal(child, parent, rules.values);
    if (!is_parent && !ga_equal(child, mate, rules.values)) return true;
    pools.child_costs[k] = pools.costs[is_parent ? k : m];
    return false;
}

/// Selection on the host: the child replaces its parent if the child costs less.
template <class Cost, class Less>
QAPFW_HD void ga_select(const GaRules& rules, const GaPools<Cost>& pools, const Less& less, uint32_t k,
                        uint64_t generation) {
    if (!less(pools.child_costs[k], pools.costs[k])) return;
    ga_copy(pools.parent(k), pools.child(k), row_elements<AllOperators>(rules.shape, rules.values));
    pools.costs[k] = pools.child_costs[k];
    pools.found[k] = generation;
}

/// Returns the number of the best of the `count` individuals from `first` on. Among individuals of equal cost, the one
/// found in the earliest generation is best; among those, the one with the lowest number.
template <class Cost, class Less>
QAPFW_HD uint32_t ga_best(const Cost* costs, const uint64_t* found, const Less& less, uint32_t first, uint32_t count) {
    uint32_t best = first;
    for (uint32_t k = first + 1; k < first + count; ++k) {
        const bool equal = !less(costs[k], costs[best]) && !less(costs[best], costs[k]);
        if (equal ? found[k] < found[best] : less(costs[k], costs[best])) best = k;
    }
    return best;
}

/// Returns how many of the `count` costs equal the least cost: B_count of the restart rule (CEC 2010, section III.B.3).
template <class Cost, class Less>
QAPFW_HD uint32_t ga_count_best(const Cost* costs, const Less& less, uint32_t count) {
    uint32_t at_best = 1;
    Cost best = costs[0];
    for (uint32_t k = 1; k < count; ++k) {
        if (less(costs[k], best)) {
            best = costs[k];
            at_best = 1;
        } else if (!less(best, costs[k])) {
            ++at_best;
        }
    }
    return at_best;
}

}  // namespace qapfw::kernels
