// SPDX-License-Identifier: Apache-2.0
// Variation operators on permutations, for host and device. A genome is anything with operator[] over `n` elements (a
// pointer, or FreeGenome if some positions are fixed). So the same code works in registers, shared memory and device
// memory. Each operator names its source. If a paper leaves something open, the comment says what was chosen.
#pragma once

#include "qapfw/kernels/operators/solution_view.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// The threshold for an event of this probability: the event happens if a uniform 32-bit word is below the threshold.
/// Probability 1 becomes 2^32 - 1, so one of the 2^32 words does not cause the event.
inline uint32_t probability_threshold(double probability) {
    const double scaled = probability * 4294967296.0;
    return scaled >= 4294967295.0 ? 4294967295u : scaled <= 0 ? 0u : static_cast<uint32_t>(scaled);
}

/// Two cut points in ascending order. The segment between them is [first, second); `second` is at most n.
struct Cuts {
    uint32_t first, second;  ///< first <= second
};
/// Two cuts from two random words; n >= 1.
QAPFW_HD Cuts draw_cuts(uint32_t word0, uint32_t word1, uint32_t n) {
    const uint32_t a = below(word0, n), b = below(word1, n);
    return a < b ? Cuts{a, b} : Cuts{b, a};
}
/// Returns a word to replace `word1` in draw_cuts, so that the two cuts differ. With a random `word1`, the second cut
/// is uniform among the cuts that differ from the first. n >= 2.
QAPFW_HD uint32_t word_of_other_cut(uint32_t word0, uint32_t word1, uint32_t n) {
    const uint32_t first = below(word0, n), drawn = below(word1, n - 1);
    const uint64_t other = drawn >= first ? drawn + 1 : drawn;
    return static_cast<uint32_t>(((other << 32) + n - 1) / n);  // the least word that gives this cut
}

/// Partially mapped crossover (PMX) in the swap form of Fig. 7 of Tsutsui and Fujimoto (CEC 2010). `child` starts as a
/// copy of the first parent. Between the cuts, swaps in the child bring each value of `other` to the position that it
/// has in `other`. O(segment * n), no extra memory.
template <class Child, class Other>
QAPFW_HD void pmx(Child child, Other other, Cuts cuts, uint32_t n) {
    for (uint32_t k = cuts.first; k < cuts.second; ++k) {
        const auto wanted = other[k];
        const auto present = child[k];
        if (wanted == present) continue;
        uint32_t at = 0;
        while (at + 1 < n && child[at] != wanted) ++at;
        child[at] = present;
        child[k] = wanted;
    }
}

/// Used only inside decltype. The return type is the type of `value` without reference and const.
template <class T>
QAPFW_HD T unqualified(const T& value) {
    return value;
}

/// PMX that also updates `where`, the inverse of the child: where[child[k]] == k before and after the call. Takes time
/// O(length of the segment). When position k of the segment has its new element, calls placed(k, at): the element came
/// from position `at`. If position k keeps its element, `at` is k.
template <class Child, class Other, class Inverse, class Placed>
QAPFW_HD void pmx_with_inverse(Child child, Other other, Inverse where, Cuts cuts, const Placed& placed) {
    using Position = decltype(unqualified(where[0]));
    for (uint32_t k = cuts.first; k < cuts.second; ++k) {
        const auto wanted = other[k];
        const auto present = child[k];
        if (wanted == present) {
            placed(k, k);
            continue;
        }
        const Position at = where[wanted];
        child[at] = present;
        child[k] = wanted;
        where[present] = at;
        where[wanted] = static_cast<Position>(k);
        placed(k, at);
    }
}

/// PMX as above, without the function `placed`.
template <class Child, class Other, class Inverse>
QAPFW_HD void pmx_with_inverse(Child child, Other other, Inverse where, Cuts cuts) {
    pmx_with_inverse(child, other, where, cuts, [](uint32_t, uint32_t) {});
}

/// Order crossover (OX; Oliver, Smith, Holland 1987). The child keeps the first parent's values between the cuts. The
/// other positions get the missing values in the order of `other`. Filling the child and reading `other` both begin at
/// the second cut and go on at position 0 after the end. `taken`: scratch of one byte per value below `values`.
/// O(n + values).
template <class Child, class Parent, class Other, class Scratch>
QAPFW_HD void order_crossover(Child child, Parent parent, Other other, Scratch taken, Cuts cuts, uint32_t n,
                              uint32_t values) {
    for (uint32_t v = 0; v < values; ++v) taken[v] = 0;
    for (uint32_t k = cuts.first; k < cuts.second; ++k) {
        child[k] = parent[k];
        taken[parent[k]] = 1;
    }
    uint32_t to = cuts.second == n ? 0 : cuts.second;
    uint32_t from = to;
    for (uint32_t done = cuts.second - cuts.first; done < n; from = from + 1 == n ? 0 : from + 1) {
        if (taken[other[from]] != 0) continue;
        child[to] = other[from];
        to = to + 1 == n ? 0 : to + 1;
        ++done;
    }
}

/// Modified order crossover of the PGAGrid thesis (2018), section 3.4. The child gets the first `cut` values of
/// `parent` at the same positions. Then come the values that are still missing, in the order in which `other` has them.
/// `taken`: scratch of one byte per value below `values`. O(n + values).
template <class Child, class Parent, class Other, class Scratch>
QAPFW_HD void modified_order_crossover(Child child, Parent parent, Other other, Scratch taken, uint32_t cut, uint32_t n,
                                       uint32_t values) {
    for (uint32_t v = 0; v < values; ++v) taken[v] = 0;
    for (uint32_t k = 0; k < cut; ++k) {
        child[k] = parent[k];
        taken[parent[k]] = 1;
    }
    uint32_t to = cut;
    for (uint32_t from = 0; from < n && to < n; ++from) {
        if (taken[other[from]] == 0) child[to++] = other[from];
    }
}

/// Two different indices below `range` (>= 2), uniform, in the order in which they were drawn.
QAPFW_HD void draw_two(uint32_t word0, uint32_t word1, uint32_t range, uint32_t& i, uint32_t& j) {
    i = below(word0, range);
    j = below(word1, range - 1);
    if (j >= i) ++j;
}

/// Exchange mutation: swaps two distinct positions. It does nothing for n < 2.
template <class Genome>
QAPFW_HD void exchange_mutation(Genome p, uint32_t word0, uint32_t word1, uint32_t n) {
    if (n < 2) return;
    uint32_t i, j;
    draw_two(word0, word1, n, i, j);
    const auto moved = p[i];
    p[i] = p[j];
    p[j] = moved;
}

/// Exchange mutation of each position k, from 0 to n - 1: swaps it with a random other position if word k of
/// the stream is below `threshold`. Word k of the next stream draws the other position. Does nothing for n < 2.
template <class Genome>
QAPFW_HD void exchange_positions(Genome p, uint32_t n, uint32_t threshold, uint64_t seed, uint64_t iteration,
                                 uint32_t individual, uint32_t stream) {
    if (n < 2) return;
    Philox4 words{};
    for (uint32_t k = 0; k < n; ++k) {
        if ((k & 3u) == 0) words = draw4(seed, iteration, individual, stream, k >> 2);
        if (words.word[k & 3u] >= threshold) continue;
        const uint32_t other = below(draw(seed, iteration, individual, stream + 1, k), n - 1);
        const uint32_t with = other < k ? other : other + 1;
        const auto moved = p[k];
        p[k] = p[with];
        p[with] = moved;
    }
}

/// The range that a transposition reverses: the positions between two random points, both included.
QAPFW_HD Cuts draw_transposition(uint32_t word0, uint32_t word1, uint32_t n) {
    const Cuts points = draw_cuts(word0, word1, n);
    return {points.first, points.second + 1};
}

/// Transposition of the PGAGrid thesis (2018), section 3.6: reverses the elements between two random points, both
/// included.
template <class Genome>
QAPFW_HD void transposition(Genome p, uint32_t word0, uint32_t word1, uint32_t n) {
    const Cuts between = draw_transposition(word0, word1, n);
    for (uint32_t left = between.first, right = between.second - 1; left < right; ++left, --right) {
        const auto moved = p[left];
        p[left] = p[right];
        p[right] = moved;
    }
}

}  // namespace qapfw::kernels
