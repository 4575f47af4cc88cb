// SPDX-License-Identifier: Apache-2.0
// The fields of an island GA, and its steps for one individual or one island, by one thread of a CPU or a GPU.
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace island_ga {

struct Numbers {
    uint64_t seed, stride;        ///< stride: number of elements from one solution to the next
    uint32_t size, islands;       ///< individuals per island; islands of the run
    uint32_t free_count, length;  ///< number of free positions; number of all positions
    uint32_t bits, bits_offset;   ///< number of bits of a solution; number of bytes before the bits
    uint32_t mutation;            ///< a child mutates if a random 32-bit number is below this
    uint32_t individuals, first;  ///< number of individuals at this place; the first one's index in the run
};
template <class Cost>
struct Islands : Numbers {
    uint16_t *solutions, *children;
    Cost *costs, *child_costs;
    uint64_t* found;   ///< generation in which each individual came to its island, as a child or as a guest
    uint8_t* marks;    ///< scratch of each child: a byte per item; all are 0 before and after make_child
    uint16_t* guests;  ///< best individual of every island of the run; set at each migration
    Cost* guest_costs;
    uint16_t *free, *base;  ///< free positions; a solution with the fixed elements
};

/// Purposes of random numbers.
constexpr uint32_t kStart = 1, kCross = 2;

template <class Cost>
QAPFW_HD uint8_t* bits_of(const Islands<Cost>& v, uint16_t* solution) {
    return reinterpret_cast<uint8_t*>(solution) + v.bits_offset;
}
QAPFW_HD void exchange(uint16_t& a, uint16_t& b) {
    const uint16_t before = a;
    a = b, b = before;
}

/// A random individual: the free elements shuffled, each bit set with probability 1/4.
template <class Cost>
QAPFW_HD void draw_individual(const Islands<Cost>& v, uint32_t k) {
    uint16_t* const own = v.solutions + k * v.stride;
    const auto word = [&](uint32_t index) { return qapfw::kernels::draw(v.seed, 0, v.first + k, kStart, index); };
    for (uint64_t e = 0; e < v.stride; ++e) own[e] = v.base[e];
    v.found[k] = 0;
    for (uint32_t i = v.free_count; i > 1; --i) {
        exchange(own[v.free[i - 1]], own[v.free[qapfw::kernels::below(word(i), i)]]);
    }
    for (uint32_t b = 0; b < v.bits; ++b) bits_of(v, own)[b] = word(v.length + 1 + b) < 0x40000000u ? 1 : 0;
}

// [ga-operator]
/// The window crossover. A child is a copy of its parent, except in a window of free positions. In the window, the
/// parent's items come in the order that a mate from the same island has, and the bits are the mate's. With probability
/// mutation_rate, a swap and a flipped bit follow.
template <class Cost>
QAPFW_HD void make_child(const Islands<Cost>& v, uint32_t k, uint64_t generation) {
    using qapfw::kernels::below;
    const auto word = [&](uint32_t i) { return qapfw::kernels::draw(v.seed, generation, v.first + k, kCross, i); };
    const uint32_t island = k - k % v.size, free = v.free_count;
    const uint32_t mate = v.size < 2 ? k : island + (k % v.size + 1 + below(word(0), v.size - 1)) % v.size;
    uint16_t *const child = v.children + k * v.stride, *const other = v.solutions + mate * v.stride;
    for (uint64_t e = 0; e < v.stride; ++e) child[e] = v.solutions[k * v.stride + e];
    if (free < 2) return;
    const uint32_t from = below(word(1), free - 1), to = from + 2 + below(word(2), free - 1 - from);
    uint8_t* const marks = v.marks + static_cast<uint64_t>(k) * v.length;
    for (uint32_t i = from; i < to; ++i) marks[child[v.free[i]]] = 1;
    for (uint32_t i = 0, next = from; i < free; ++i) {
        const uint16_t item = other[v.free[i]];
        if (marks[item] == 0) continue;
        marks[item] = 0;
        child[v.free[next++]] = item;
    }
    for (uint32_t b = v.free[from]; b < v.free[to - 1] && b < v.bits; ++b) bits_of(v, child)[b] = bits_of(v, other)[b];
    if (word(3) >= v.mutation) return;
    exchange(child[v.free[below(word(4), free)]], child[v.free[below(word(5), free)]]);
    if (v.bits > 0) bits_of(v, child)[below(word(6), v.bits)] ^= 1;
}
// [ga-operator-end]

template <class Cost>
QAPFW_HD void put(const Islands<Cost>& v, uint32_t k, const uint16_t* solution, Cost cost, uint64_t found) {
    for (uint64_t e = 0; e < v.stride; ++e) v.solutions[k * v.stride + e] = solution[e];
    v.costs[k] = cost, v.found[k] = found;
}

/// A better child replaces its parent.
template <class Cost, class Less>
QAPFW_HD void select(const Islands<Cost>& v, uint32_t k, uint64_t generation, const Less& less) {
    if (less(v.child_costs[k], v.costs[k])) put(v, k, v.children + k * v.stride, v.child_costs[k], generation);
}

/// Index of the best individual of an island, or of the worst individual if `worst` is true. If several individuals
/// are equally good, the lowest index.
template <class Cost, class Less>
QAPFW_HD uint32_t extreme(const Islands<Cost>& v, uint32_t island, bool worst, const Less& less) {
    uint32_t found = island * v.size;
    for (uint32_t k = found + 1; k < (island + 1) * v.size; ++k) {
        if (worst ? less(v.costs[found], v.costs[k]) : less(v.costs[k], v.costs[found])) found = k;
    }
    return found;
}

/// Migration around the ring, in two steps. Each island shows its best individual. Then this individual replaces the
/// worst individual of the next island, if the shown individual is better.
template <class Cost, class Less>
QAPFW_HD void show_best(const Islands<Cost>& v, uint32_t island, const Less& less) {
    const uint32_t best = extreme(v, island, false, less), own = v.first / v.size + island;
    for (uint64_t e = 0; e < v.stride; ++e) v.guests[own * v.stride + e] = v.solutions[best * v.stride + e];
    v.guest_costs[own] = v.costs[best];
}
template <class Cost, class Less>
QAPFW_HD void take_guest(const Islands<Cost>& v, uint32_t island, uint64_t generation, const Less& less) {
    const uint32_t from = (v.first / v.size + island + v.islands - 1) % v.islands;
    const uint32_t worst = extreme(v, island, true, less);
    if (!less(v.guest_costs[from], v.costs[worst])) return;
    put(v, worst, v.guests + from * v.stride, v.guest_costs[from], generation);
}

/// The steps of a generation and of a migration. From kFirstOfIslands on, a call of make_step works on one island. For
/// the steps before, a call works on one individual.
enum Step : uint32_t { kDraw, kBreed, kSelect, kShow, kTake, kFirstOfIslands = kShow };
template <class Cost, class Less>
QAPFW_HD void make_step(const Islands<Cost>& v, Step step, uint32_t k, uint64_t generation, const Less& less) {
    if (step == kDraw) draw_individual(v, k);
    if (step == kBreed) make_child(v, k, generation);
    if (step == kSelect) select(v, k, generation, less);
    if (step == kShow) show_best(v, k, less);
    if (step == kTake) take_guest(v, k, generation, less);
}

}  // namespace island_ga
