// SPDX-License-Identifier: Apache-2.0
// Variation operators on permutations for host and device. A genome is anything with operator[] over `n` elements (a
// pointer, or FreeGenome where some positions are fixed), so one text serves registers, shared and global memory.
// Sources are named at each operator; where a paper is silent the choice is documented there.
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// A probability as the threshold that a uniform 32-bit word must stay below; 1 becomes 2^32 - 1 (missed once in 2^32).
inline uint32_t probability_threshold(double probability) {
    const double scaled = probability * 4294967296.0;
    return scaled >= 4294967295.0 ? 4294967295u : scaled <= 0 ? 0u : static_cast<uint32_t>(scaled);
}

/// The movable part of a permutation: element k is the one at positions[k].
template <class Element>
struct FreeGenome {
    Element* p;
    const uint16_t* positions;
    QAPFW_HD Element& operator[](uint32_t k) const { return p[positions[k]]; }
};

/// Two cut points in 0..n-1 in ascending order; the segment is [first, second).
struct Cuts {
    uint32_t first, second;
};
QAPFW_HD Cuts draw_cuts(uint32_t word0, uint32_t word1, uint32_t n) {
    const uint32_t a = below(word0, n), b = below(word1, n);
    return a < b ? Cuts{a, b} : Cuts{b, a};
}

/// Partially mapped crossover in the swap form of Fig. 7 of Tsutsui and Fujimoto (CEC 2010): `child` starts as a copy
/// of the first parent; within the segment each value of `other` is brought to its place by an exchange. O(segment * n)
/// with no extra memory.
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

/// Type of an element without reference or const, for decltype.
template <class T>
QAPFW_HD T unqualified(const T& value) {
    return value;
}

/// The same with `where`, the child's inverse (where[child[k]] == k on entry and exit): O(segment).
template <class Child, class Other, class Inverse>
QAPFW_HD void pmx_with_inverse(Child child, Other other, Inverse where, Cuts cuts) {
    for (uint32_t k = cuts.first; k < cuts.second; ++k) {
        const auto wanted = other[k];
        const auto present = child[k];
        if (wanted == present) continue;
        using Position = decltype(unqualified(where[wanted]));
        const Position at = where[wanted];
        child[at] = present;
        child[k] = wanted;
        where[present] = at;
        where[wanted] = static_cast<Position>(k);
    }
}

/// Order crossover (Oliver, Smith, Holland 1987): the child keeps the first parent's segment and takes the other values
/// in the order in which `other` has them from the second cut on, filled in from the second cut on, both cyclically.
/// `taken` is scratch for one byte per value below `values`. O(n + values).
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

/// Modified order crossover of the PGAGrid thesis (2018), section 3.4: the child keeps the first parent left of the
/// cut and takes the missing values in the order of `other`. `taken` as above. O(n + values).
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

/// Exchange (swap) mutation of two distinct positions; nothing for n < 2.
template <class Genome>
QAPFW_HD void exchange_mutation(Genome p, uint32_t word0, uint32_t word1, uint32_t n) {
    if (n < 2) return;
    const uint32_t i = below(word0, n);
    uint32_t j = below(word1, n - 1);
    if (j >= i) ++j;
    const auto moved = p[i];
    p[i] = p[j];
    p[j] = moved;
}

/// Transposition of the PGAGrid thesis (2018), section 3.6: the elements between two random points, both included, in
/// reverse order.
template <class Genome>
QAPFW_HD void transposition(Genome p, uint32_t word0, uint32_t word1, uint32_t n) {
    uint32_t left = below(word0, n), right = below(word1, n);
    if (left > right) {
        const uint32_t moved = left;
        left = right;
        right = moved;
    }
    for (; left < right; ++left, --right) {
        const auto moved = p[left];
        p[left] = p[right];
        p[right] = moved;
    }
}

}  // namespace qapfw::kernels
