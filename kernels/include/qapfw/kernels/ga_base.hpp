// SPDX-License-Identifier: Apache-2.0
// The base genetic algorithm on one individual, for host and device: pools P and W, one child per individual from a
// random mate by PMX or OX, exchange mutation, and the child in its parent's place where it is better. Sources: Tsutsui
// and Fujimoto, GECCO 2009, section 3.2.1, and CEC 2010, section III.B (the same GA, with the restart rule). Everything
// random about individual i in generation t is a function of (seed, t, i).
#pragma once

#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"

namespace qapfw::kernels {

constexpr uint32_t kGaStartStream = 80;   ///< a random individual, first or after a restart
constexpr uint32_t kGaBreedStream = 104;  ///< slot 0: mate, two cuts, whether to mutate; slot 1: positions to exchange

constexpr uint32_t kGaMutationStream = 106;  ///< word k: whether position k is exchanged; next stream: with which

constexpr uint32_t kGaPmx = 0, kGaOx = 1;               ///< crossovers
constexpr uint32_t kGaByString = 0, kGaByPosition = 1;  ///< what the mutation rate is of

struct GaRules {
    uint64_t seed;
    uint32_t size;       ///< N: individuals of one subpopulation
    uint32_t first;      ///< number of individual 0 among those of all processes
    uint32_t n;          ///< movable positions
    uint32_t values;     ///< elements of a solution
    uint32_t crossover;  ///< kGaPmx or kGaOx
    uint32_t mutation;   ///< p_m: a child, or each of its positions, mutates where a random word is below this
    uint32_t mutates;    ///< kGaByString or kGaByPosition
};

/// P and W of all subpopulations, one after the other; solutions `stride` elements apart.
template <class Cost, class Element = uint16_t>
struct GaPools {
    Element* parents;
    Element* children;
    Cost* costs;
    Cost* child_costs;
    uint64_t* found;  ///< generation in which the parent was made
    uint64_t stride;
    QAPFW_HD Element* parent(uint64_t k) const { return parents + k * stride; }
    QAPFW_HD Element* child(uint64_t k) const { return children + k * stride; }
};

/// What the kernels of a GA on a device get by value; device pointers, owned by the host.
template <class Cost, class Element = uint16_t>
struct GaPopulation {
    GaRules rules;
    GaPools<Cost, Element> pools;
    Element* scratch;           ///< `stride` elements per individual, see GaScratch
    const uint16_t* positions;  ///< movable ones
    const uint16_t* order;      ///< movable positions, then the fixed ones
    const uint16_t* base;       ///< the fixed solution, or the identity
    uint32_t individuals;
    uint32_t first_here;  ///< number of individual 0 within its process, which digests go by
};

/// What a GPU tells of its individuals at the end of a round. The best solution follows in memory.
template <class Cost>
struct GaReport {
    Cost cost;       ///< of the best solution
    uint64_t found;  ///< generation
    unsigned long long digest;
    uint32_t best;  ///< who has it
    uint32_t unused;
};

/// Scratch of a crossover, which uses one of them.
template <class Element = uint16_t>
struct GaScratch {
    uint8_t* taken;  ///< OX: a byte per value
    Element* where;  ///< PMX: an element per value for the child's inverse, or null to search the child instead
};

constexpr uint32_t kGaMostInBytes = 256;  ///< values of a solution whose elements are bytes in shared memory

/// Bytes between the rows of pools in shared memory: an odd number of 32-bit words.
QAPFW_HD uint32_t ga_shared_row(uint32_t values) {
    const uint32_t bytes = values <= kGaMostInBytes ? values : 2 * values;
    return 4 * ((bytes + 3) / 4 | 1u);
}

/// Bytes of shared memory that one subpopulation needs: three rows, two costs, an entry of a list per individual; two
/// counts.
QAPFW_HD uint64_t ga_shared_bytes(uint32_t size, uint32_t values) {
    return size * (3 * uint64_t{ga_shared_row(values)} + 16 + 4) + 8;
}

constexpr uint32_t kGaThreads = 256;       ///< of a block of a device that works on a GA, unless it is told another
constexpr uint32_t kGaMostThreads = 1024;  ///< of a block that breeds a subpopulation in shared memory

/// CUDA blocks of kGaThreads threads that share out individuals, a thread for each and all warps for their costs: so
/// many that they keep a GPU busy.
QAPFW_HD uint32_t ga_blocks_for(uint32_t individuals, uint32_t multiprocessors) {
    const uint32_t wanted = individuals / (2 * (multiprocessors == 0 ? 1 : multiprocessors));
    const uint32_t each = wanted < 8 ? 8 : wanted > kGaThreads ? kGaThreads : wanted;
    return (individuals + each - 1) / each;
}

/// Individuals that each warp of a digest takes: as few as keep a GPU busy, one to a lane at most.
QAPFW_HD uint32_t ga_digested_by_warp(uint32_t individuals, uint32_t multiprocessors) {
    const uint32_t wanted = individuals / (64 * (multiprocessors == 0 ? 1 : multiprocessors));
    return wanted < 1 ? 1 : wanted > 32 ? 32 : wanted;
}

/// Threads of the block that breeds one of `blocks` subpopulations where `fitting` of them fit a multiprocessor's
/// shared memory: a multiprocessor holds kGaMostThreads of them, which those that it works on at a time share.
QAPFW_HD uint32_t ga_threads_of_block(uint32_t blocks, uint32_t multiprocessors, uint64_t fitting) {
    const uint64_t wanted = multiprocessors == 0 ? blocks : (blocks + multiprocessors - 1) / multiprocessors;
    const uint64_t together = wanted < fitting ? wanted : fitting;
    return together <= 1 ? kGaMostThreads : together == 2 ? kGaMostThreads / 2 : kGaThreads;
}

template <class Element>
QAPFW_HD bool ga_equal(const Element* a, const Element* b, uint32_t length) {
    for (uint32_t v = 0; v < length; ++v) {
        if (a[v] != b[v]) return false;
    }
    return true;
}

template <class To, class From>
QAPFW_HD void ga_copy(To* to, const From* from, uint32_t length) {
    for (uint32_t v = 0; v < length; ++v) to[v] = static_cast<To>(from[v]);
}

/// where[child[k]] becomes k.
template <class Element, class Child>
QAPFW_HD void ga_invert(Element* where, Child child, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) where[child[k]] = static_cast<Element>(k);
}

// The same on rows of bytes, which begin at 32-bit words, are padded to whole ones and agree in the padding: by words,
// four at a time, since loads do not wait for stores to other rows then.

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

/// Step 1: a random individual drawn in `generation` (0, or that of a restart) from `base`, whose fixed values stay.
template <class Element>
QAPFW_HD void ga_draw(const GaRules& rules, const uint16_t* positions, const uint16_t* base, Element* solution,
                      uint32_t k, uint64_t generation) {
    ga_copy(solution, base, rules.values);
    const uint16_t* const movable = rules.n == rules.values ? nullptr : positions;
    shuffle(solution, movable, rules.n, rules.seed, generation, rules.first + k, kGaStartStream);
}

/// A mate among 0..size-1 other than `member` (itself where it is alone).
QAPFW_HD uint32_t ga_mate(uint32_t word, uint32_t member, uint32_t size) {
    if (size < 2) return member;
    const uint32_t other = below(word, size - 1);
    return other < member ? other : other + 1;
}

/// Exchanges each position, with the mutation rate, with a random other one; nothing for n < 2.
template <class Child>
QAPFW_HD void ga_mutate_positions(const GaRules& rules, Child child, uint32_t individual, uint64_t generation) {
    if (rules.n < 2) return;
    Philox4 words{};
    for (uint32_t k = 0; k < rules.n; ++k) {
        if ((k & 3u) == 0) words = draw4(rules.seed, generation, individual, kGaMutationStream, k >> 2);
        if (words.word[k & 3u] >= rules.mutation) continue;
        const uint32_t other = below(draw(rules.seed, generation, individual, kGaMutationStream + 1, k), rules.n - 1);
        const uint32_t with = other < k ? other : other + 1;
        const auto moved = child[k];
        child[k] = child[with];
        child[with] = moved;
    }
}

/// Crossover and mutation (steps 3 and 4); `child` is a copy of `parent` on entry.
template <class Child, class Parent, class Element>
QAPFW_HD void ga_vary(const GaRules& rules, Child child, Parent parent, Parent mate, GaScratch<Element> scratch,
                      Philox4 words, uint32_t individual, uint64_t generation) {
    const Cuts cuts = draw_cuts(words.word[1], words.word[2], rules.n);
    if (rules.crossover == kGaOx) {
        order_crossover(child, parent, mate, scratch.taken, cuts, rules.n, rules.values);
    } else if (scratch.where != nullptr) {
        ga_invert(scratch.where, child, rules.n);
        pmx_with_inverse(child, mate, scratch.where, cuts);
    } else {
        pmx(child, mate, cuts, rules.n);
    }
    if (rules.mutates == kGaByPosition) {
        ga_mutate_positions(rules, child, individual, generation);
    } else if (words.word[3] < rules.mutation) {
        const Philox4 places = draw4(rules.seed, generation, individual, kGaBreedStream, 1);
        exchange_mutation(child, places.word[0], places.word[1], rules.n);
    }
}

/// Makes child k of `generation`. False where the child equals its parent or its mate and so has that one's cost
/// already: the usual case in a population that has converged.
template <class Cost, class Element>
QAPFW_HD bool ga_breed(const GaRules& rules, const uint16_t* positions, const GaPools<Cost, Element>& pools, uint32_t k,
                       uint64_t generation, GaScratch<Element> scratch) {
    const uint32_t member = k % rules.size, individual = rules.first + k;
    const Philox4 words = draw4(rules.seed, generation, individual, kGaBreedStream, 0);
    const uint32_t m = k - member + ga_mate(words.word[0], member, rules.size);
    Element* const child = pools.child(k);
    const Element *const parent = pools.parent(k), *const mate = pools.parent(m);
    ga_copy(child, parent, rules.values);
    if (rules.n == rules.values) {
        ga_vary(rules, child, parent, mate, scratch, words, individual, generation);
    } else {
        using Fixed = FreeGenome<const Element>;
        ga_vary(rules, FreeGenome<Element>{child, positions}, Fixed{parent, positions}, Fixed{mate, positions}, scratch,
                words, individual, generation);
    }
    const bool is_parent = ga_equal(child, parent, rules.values);
    if (!is_parent && !ga_equal(child, mate, rules.values)) return true;
    pools.child_costs[k] = pools.costs[is_parent ? k : m];
    return false;
}

/// Step 6: the child replaces its parent if its cost is less.
template <class Cost, class Less>
QAPFW_HD void ga_select(const GaRules& rules, const GaPools<Cost>& pools, const Less& less, uint32_t k,
                        uint64_t generation) {
    if (!less(pools.child_costs[k], pools.costs[k])) return;
    ga_copy(pools.parent(k), pools.child(k), rules.values);
    pools.costs[k] = pools.child_costs[k];
    pools.found[k] = generation;
}

/// The best of `count` individuals from `first` on; ties: the one made first, then the lowest number.
template <class Cost, class Less>
QAPFW_HD uint32_t ga_best(const Cost* costs, const uint64_t* found, const Less& less, uint32_t first, uint32_t count) {
    uint32_t best = first;
    for (uint32_t k = first + 1; k < first + count; ++k) {
        const bool equal = !less(costs[k], costs[best]) && !less(costs[best], costs[k]);
        if (equal ? found[k] < found[best] : less(costs[k], costs[best])) best = k;
    }
    return best;
}

/// How many of `count` costs equal the least of them: B_count of the restart rule (CEC 2010, section III.B.3).
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
