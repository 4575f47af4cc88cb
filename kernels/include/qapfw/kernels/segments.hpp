// SPDX-License-Identifier: Apache-2.0
// Operators on solutions of any segments, for host and device: permutations with elements of 16 or 32 bits, bits, and
// values with a bound for each position. Any segment may have fixed elements. Solvers use these operators unless
// solutions are one permutation of 16-bit elements or a layout of bays; for those see operators/.
//
//   permutation  drawn by a shuffle; crossover and mutation are those that the solver names
//   values       drawn below their bounds; uniform crossover by position; a mutation sets one element to another value,
//                or swaps two if both bounds allow it
//   bits         like values with bounds of 2: a mutation flips one bit
//   with counts  (segments in which each value has a prescribed number of elements) drawn by a shuffle; crossover swaps
//                elements of the mother until at least half of the differences from the father are gone; a mutation
//                swaps two elements that differ
//
// All random numbers for individual i in generation t are a function of (seed, t, i).
#pragma once

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/kernels/operators/mutation.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// Streams 256 to 271 draw random solutions: word s.first + k is for free element k of segment s.
constexpr uint32_t kSegmentStartStream = 256;
/// Streams 272 to 287 decide from which parent an element comes: bit s.first + k is for free element k of segment s.
constexpr uint32_t kSegmentCrossStream = 272;
constexpr uint32_t kSegmentOrderStream = 288;     ///< stream 288 + g % 16: words of the crossover of segment number g
constexpr uint32_t kSegmentMutationStream = 304;  ///< slot j (see draw4): move j of a mutation

/// @{
/// Kinds of segments, as in qapfw/abi/base.h.
constexpr uint32_t kPermutationSegment = 1, kBitsSegment = 2, kValuesSegment = 3;
/// @}

/// One segment as operators see it.
struct SegmentView {
    uint32_t kind;           ///< kPermutationSegment, ...
    uint32_t length;         ///< number of elements
    uint32_t element_bytes;  ///< 1, 2 or 4
    uint32_t offset;         ///< bytes from the solution's start
    uint32_t first;          ///< index of the segment's first element among the elements of all segments
    uint32_t free_first;     ///< index in SegmentList::free at which the segment's positions begin
    uint32_t free_count;     ///< number of the segment's positions in SegmentList::free
    uint32_t is_counted;     ///< 1: it is prescribed how many elements have each value
};

/// A mutation of permutations: a swap, an insertion or a reversal, with equal probability.
constexpr uint32_t kAnyOrderMutation = 0xFFFFFFFFu;

/// Describes all segments of a solution. All arrays lie in the memory of the host, or all in the memory of a GPU.
struct SegmentList {
    uint32_t count;               ///< number of segments; 0: solutions are permutations or layouts, see operators/
    uint32_t elements;            ///< number of elements of all segments together
    uint32_t crossover;           ///< for permutations: the crossover, a value of Crossover
    uint32_t mutation;            ///< for permutations: a Mutation that needs no bay bits, or kAnyOrderMutation
    const SegmentView* segments;  ///< descriptions of the `count` segments
    const uint32_t* bounds;       ///< for each element of all segments: its value is below this bound
    const uint32_t* free;         ///< positions whose elements are not fixed, ascending, segment after segment
};

/// Returns element k of a segment of `solution`.
QAPFW_HD uint32_t segment_element(const SegmentView& s, const uint8_t* solution, uint32_t k) {
    const uint8_t* const at = solution + s.offset;
    if (s.element_bytes == 1) return at[k];
    if (s.element_bytes == 2) return reinterpret_cast<const uint16_t*>(at)[k];
    return reinterpret_cast<const uint32_t*>(at)[k];
}
/// Sets element k of a segment to `value`.
QAPFW_HD void set_segment_element(const SegmentView& s, uint8_t* solution, uint32_t k, uint32_t value) {
    uint8_t* const at = solution + s.offset;
    if (s.element_bytes == 1) {
        at[k] = static_cast<uint8_t>(value);
    } else if (s.element_bytes == 2) {
        reinterpret_cast<uint16_t*>(at)[k] = static_cast<uint16_t>(value);
    } else {
        reinterpret_cast<uint32_t*>(at)[k] = value;
    }
}
/// Swaps two elements.
QAPFW_HD void exchange_segment_elements(const SegmentView& s, uint8_t* solution, uint32_t i, uint32_t j) {
    const uint32_t before = segment_element(s, solution, i);
    set_segment_element(s, solution, i, segment_element(s, solution, j));
    set_segment_element(s, solution, j, before);
}
/// True if moves may only reorder the elements of the segment: a permutation, or a segment with counts.
QAPFW_HD bool is_order(const SegmentView& s) {
    return s.kind == kPermutationSegment || s.is_counted != 0;
}

/// The random word for element `e`. The words come from the 16 streams that begin with `stream`: 2^18 words from each.
QAPFW_HD uint32_t element_word(uint64_t seed, uint64_t generation, uint32_t individual, uint32_t stream, uint32_t e) {
    return draw(seed, generation, individual, stream + (e >> 18), e & 0x3FFFFu);
}

/// A view of a permutation's movable elements, for any element size. Element k of the view stands at positions[k].
template <class Element>
struct MovableElements {
    Element* p;                                                                 ///< the whole permutation
    const uint32_t* positions;                                                  ///< positions that may move
    QAPFW_HD Element& operator[](uint32_t k) const { return p[positions[k]]; }  ///< k below the number of positions
};
/// The movable elements of segment `s`, a permutation, in the form that operators take. `free`: SegmentList::free.
template <class Element>
QAPFW_HD SolutionView<MovableElements<Element>, NoBits> movable_elements(uint8_t* solution, const SegmentView& s,
                                                                         const uint32_t* free) {
    return {{reinterpret_cast<Element*>(solution + s.offset), free + s.free_first}, {}};
}

/// Draws a random solution. Called by one thread. On entry `solution` must be a copy of the base solution; its fixed
/// elements keep their values.
QAPFW_HD void draw_segments(const SegmentList& list, uint8_t* solution, uint64_t seed, uint64_t generation,
                            uint32_t individual) {
    for (uint32_t g = 0; g < list.count; ++g) {
        const SegmentView& s = list.segments[g];
        const uint32_t* const free = list.free + s.free_first;
        const auto word = [&](uint32_t k) {
            return element_word(seed, generation, individual, kSegmentStartStream, s.first + k);
        };
        if (is_order(s)) {
            for (uint32_t k = s.free_count; k-- > 1;) {
                exchange_segment_elements(s, solution, free[k], free[below(word(k), k + 1)]);
            }
        } else {
            for (uint32_t k = 0; k < s.free_count; ++k) {
                set_segment_element(s, solution, free[k], below(word(k), list.bounds[s.first + free[k]]));
            }
        }
    }
}

/// Makes segment `s` of the child, a permutation, by crossover. On entry `child` is a copy of the mother. `scratch` has
/// as many bytes as the segment.
template <class Element, uint32_t kKinds, class Group>
QAPFW_HD void cross_order(const SegmentList& list, const SegmentView& s, uint8_t* child, uint8_t* mother,
                          uint8_t* father, uint8_t* scratch, const CrossoverDraws& draws, Group group) {
    if (s.free_count < 2) return;
    // Uniform crossover draws a word per free element and one more; a stream has 2^18 words. Longer segments use PMX.
    const bool too_long = list.crossover == static_cast<uint32_t>(Crossover::kUniform) && s.free_count >= (1u << 18);
    const auto kind = static_cast<Crossover>(too_long ? static_cast<uint32_t>(Crossover::kPmx) : list.crossover);
    cross<kKinds>(kind, movable_elements<Element>(child, s, list.free), movable_elements<Element>(mother, s, list.free),
                  movable_elements<Element>(father, s, list.free), reinterpret_cast<Element*>(scratch),
                  CrossoverShape{s.free_count, s.length}, draws, group);
}

/// Swaps elements of the child until at least half of its differences from the father are gone. On entry the child is a
/// copy of the mother. `start`: index of the free element at which the swaps begin. One thread calls this function.
QAPFW_HD void cross_counted(const SegmentView& s, const uint32_t* free, uint8_t* child, const uint8_t* father,
                            uint32_t start) {
    uint32_t different = 0;
    for (uint32_t k = 0; k < s.free_count; ++k) {
        different += segment_element(s, child, free[k]) != segment_element(s, father, free[k]) ? 1u : 0u;
    }
    const uint32_t rest = different / 2;
    for (uint32_t step = 0; step < s.free_count && different > rest; ++step) {
        const uint32_t k = (start + step) % s.free_count;
        const uint32_t wanted = segment_element(s, father, free[k]);
        if (segment_element(s, child, free[k]) == wanted) continue;
        for (uint32_t further = 1; further < s.free_count; ++further) {
            const uint32_t j = (k + further) % s.free_count;
            const uint32_t there = segment_element(s, child, free[j]), of_father = segment_element(s, father, free[j]);
            if (there != wanted || of_father == there) continue;
            different -= segment_element(s, child, free[k]) == of_father ? 2u : 1u;
            exchange_segment_elements(s, child, free[k], free[j]);
            break;
        }
    }
}

/// Makes the child of two parents. On entry `child` is a copy of the mother. `scratch` has as many bytes as a solution.
/// For permutations, only the crossovers in kKinds are compiled. All threads of `group` call this function together.
/// The child is the same with any number of threads.
template <uint32_t kKinds = kAllCrossovers, class Group = ThreadGroup>
QAPFW_HD void cross_segments(const SegmentList& list, uint8_t* child, uint8_t* mother, uint8_t* father,
                             uint8_t* scratch, uint64_t seed, uint64_t generation, uint32_t individual,
                             Group group = {}) {
    group.sync();
    for (uint32_t g = 0; g < list.count; ++g) {
        const SegmentView& s = list.segments[g];
        const uint32_t* const free = list.free + s.free_first;
        const CrossoverDraws draws = draw_crossover(seed, generation, individual, kSegmentOrderStream + g % 16);
        if (s.kind == kPermutationSegment && s.element_bytes == 2) {
            cross_order<uint16_t, kKinds>(list, s, child, mother, father, scratch, draws, group);
        } else if (s.kind == kPermutationSegment) {
            cross_order<uint32_t, kKinds>(list, s, child, mother, father, scratch, draws, group);
        } else if (s.is_counted != 0) {
            if (group.rank() == 0 && s.free_count > 0) {
                cross_counted(s, free, child, father, below(draws.words[0], s.free_count));
            }
        } else {
            share_out(group, 0, s.free_count, [&](uint32_t k) {
                const uint32_t e = s.first + k;
                const uint32_t word = element_word(seed, generation, individual, kSegmentCrossStream, e >> 5);
                if ((word >> (e & 31u) & 1u) == 0) return;
                set_segment_element(s, child, free[k], segment_element(s, father, free[k]));
            });
        }
        group.sync();
    }
}

/// Applies the mutation list.mutation to the permutation `s` of `solution`. This mutation must not be one for bays.
template <class Element>
QAPFW_HD void mutate_order(const SegmentList& list, const SegmentView& s, uint8_t* solution, const Philox4& words) {
    constexpr uint32_t kKinds = mutation_bit(Mutation::kExchange) | mutation_bit(Mutation::kInsertion) |
                                mutation_bit(Mutation::kTransposition) | mutation_bit(Mutation::kReversal);
    Mutation kind = static_cast<Mutation>(list.mutation);
    if (list.mutation == kAnyOrderMutation) {
        const uint32_t which = below(words.word[3], 3);
        kind = which == 0 ? Mutation::kExchange : which == 1 ? Mutation::kInsertion : Mutation::kReversal;
    }
    mutate<kKinds>(kind, movable_elements<Element>(solution, s, list.free), s.free_count, words.word[1], words.word[2]);
}

/// Swaps a random free element with a free element of another value. The search for the other element begins at a
/// random position and is cyclic. Does nothing if all free elements are equal.
QAPFW_HD void mutate_counted(const SegmentView& s, const uint32_t* free, uint8_t* solution, const Philox4& words) {
    const uint32_t i = free[below(words.word[1], s.free_count)], start = below(words.word[2], s.free_count);
    for (uint32_t step = 0; step < s.free_count; ++step) {
        const uint32_t j = free[(start + step) % s.free_count];
        if (segment_element(s, solution, i) == segment_element(s, solution, j)) continue;
        exchange_segment_elements(s, solution, i, j);
        return;
    }
}

/// Sets a random free element to another value. If the element has only one possible value, the next free element is
/// tried. In a segment of values, one mutation in four swaps two random free elements instead, if their values differ
/// and both bounds allow the swap.
QAPFW_HD void mutate_values(const SegmentList& list, const SegmentView& s, uint8_t* solution, const Philox4& words) {
    const uint32_t *const free = list.free + s.free_first, *const bounds = list.bounds + s.first;
    const uint32_t start = below(words.word[1], s.free_count);
    if (s.kind == kValuesSegment && (words.word[3] & 3u) == 0) {
        const uint32_t i = free[start], j = free[below(words.word[2], s.free_count)];
        const uint32_t a = segment_element(s, solution, i), b = segment_element(s, solution, j);
        if (a != b && a < bounds[j] && b < bounds[i]) {
            exchange_segment_elements(s, solution, i, j);
            return;
        }
    }
    for (uint32_t step = 0; step < s.free_count; ++step) {
        const uint32_t i = free[(start + step) % s.free_count];
        if (bounds[i] < 2) continue;
        const uint32_t value = below(words.word[2], bounds[i] - 1);
        set_segment_element(s, solution, i, value < segment_element(s, solution, i) ? value : value + 1);
        return;
    }
}

/// Number of the segment's elements that a mutation may choose. 0 if moves may only reorder the elements and fewer than
/// two elements are free.
QAPFW_HD uint32_t mutable_elements(const SegmentView& s) {
    return is_order(s) && s.free_count < 2 ? 0 : s.free_count;
}

/// Makes `moves` random moves, none if no element is mutable. The segment of each move is drawn with a probability
/// proportional to the number of its mutable elements. Called by a group of threads; one thread works.
template <class Group = ThreadGroup>
QAPFW_HD void mutate_segments(const SegmentList& list, uint8_t* solution, uint32_t moves, uint64_t seed,
                              uint64_t generation, uint32_t individual, Group group = {}) {
    group.sync();
    uint32_t all = 0;
    for (uint32_t g = 0; g < list.count; ++g) all += mutable_elements(list.segments[g]);
    for (uint32_t move = 0; group.rank() == 0 && all > 0 && move < moves; ++move) {
        const Philox4 words = draw4(seed, generation, individual, kSegmentMutationStream, move);
        uint32_t chosen = below(words.word[0], all), g = 0;
        for (; chosen >= mutable_elements(list.segments[g]); ++g) chosen -= mutable_elements(list.segments[g]);
        const SegmentView& s = list.segments[g];
        if (s.kind == kPermutationSegment && s.element_bytes == 2) {
            mutate_order<uint16_t>(list, s, solution, words);
        } else if (s.kind == kPermutationSegment) {
            mutate_order<uint32_t>(list, s, solution, words);
        } else if (s.is_counted != 0) {
            mutate_counted(s, list.free + s.free_first, solution, words);
        } else {
            mutate_values(list, s, solution, words);
        }
    }
    group.sync();
}

/// Number of positions at which two solutions differ, over all segments. Called by a group of threads.
template <class Group = ThreadGroup>
QAPFW_HD uint32_t segments_distance(const SegmentList& list, const uint8_t* a, const uint8_t* b, Group group = {}) {
    uint32_t different = 0;
    for (uint32_t g = 0; g < list.count; ++g) {
        const SegmentView& s = list.segments[g];
        share_out(group, 0, s.length,
                  [&](uint32_t k) { different += segment_element(s, a, k) != segment_element(s, b, k) ? 1u : 0u; });
    }
    return group.sum(different);
}

}  // namespace qapfw::kernels
