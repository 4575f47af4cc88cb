// SPDX-License-Identifier: Apache-2.0
// Crossover of FBS solutions on the sequence of departments: PMX (Goldberg and Lingle 1985, in the swap form of Fig. 7
// of Tsutsui and Fujimoto, CEC 2010), OX (Davis 1985) and modified OX. The child of parents a and b gets b's segment
// [begin, end) and the rest from a. The bay bits come from the same positions of the parents, or travel with the
// departments. Called by a group of threads, O(n) work.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// The origin of a child's bay bits. In a crossover of parents a and b, the child takes a segment from b.
enum FbsBitInheritance : uint32_t {
    kFbsBitsByPosition = 0,   ///< positions in the segment have b's bits, the others have a's
    kFbsBitsByDepartment = 1  ///< each department keeps the bit that it has in the parent from which it is taken
};

/// The segment of a crossover: positions [begin, end).
struct FbsSegment {
    uint32_t begin;
    uint32_t end;
};

/// Draws a segment: two cuts in ascending order, each uniform in 0..n-1. The segment may be empty. Uses words 0 and 1.
QAPFW_HD FbsSegment fbs_draw_segment(const Philox4& words, uint32_t n) {
    const Cuts cuts = draw_cuts(words.word[0], words.word[1], n);
    return {cuts.first, cuts.second};
}

/// Swaps the departments at positions i and j; the bay bits stay.
template <class Solution>
QAPFW_HD void fbs_exchange(Solution& s, uint32_t i, uint32_t j) {
    const auto department = s.perm[i];
    s.perm[i] = s.perm[j];
    s.perm[j] = department;
}

QAPFW_HD bool fbs_contains(FbsSegment segment, uint32_t k) {
    return k - segment.begin < segment.end - segment.begin;
}

/// Makes the child a copy of the parent.
template <class Child, class Parent>
QAPFW_HD void fbs_copy(Child child, const Parent& parent, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) child.perm[k] = parent.perm[k];
    for (uint32_t k = 0; k + 1 < n; ++k) child.bits[k] = parent.bits[k];
}

/// PMX by one thread. The child begins as a copy of a. For each position of the segment, a swap brings b's department
/// to this position.
template <class Child, class ParentA, class ParentB, class Scratch>
QAPFW_HD void fbs_pmx_by_exchanges(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n,
                                   FbsSegment segment, FbsBitInheritance inheritance) {
    using Position = decltype(unqualified(position[0]));
    fbs_copy(child, a, n);
    for (uint32_t k = 0; k < n; ++k) position[child.perm[k]] = static_cast<Position>(k);
    pmx_with_inverse(child.perm, b.perm, position, {segment.begin, segment.end}, [&](uint32_t k, uint32_t at) {
        if (inheritance == kFbsBitsByDepartment) fbs_set_end(child.bits, at, n, fbs_ends_bay(child.bits, k, n));
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
    });
}

/// Returns the position in parent a from which PMX takes the department for position k, which is outside the segment.
/// The swaps of fbs_pmx_by_exchanges take the same department. The function follows a chain of positions from k: the
/// department that a has at a position leads to the position where b has this department. The chain ends when the
/// next position would be outside the segment. `position`: for each department, its position in b.
template <class Parent, class Inverse>
QAPFW_HD uint32_t fbs_pmx_source(const Parent& a, const Inverse& position, FbsSegment segment, uint32_t k) {
    uint32_t from = k;
    for (uint32_t next = position[a.perm[k]]; fbs_contains(segment, next); next = position[a.perm[from]]) from = next;
    return from;
}

/// PMX by the threads of a group. Each thread computes its share of the positions; no position depends on another.
template <class Child, class ParentA, class ParentB, class Scratch, class Group>
QAPFW_HD void fbs_pmx_by_positions(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n,
                                   FbsSegment segment, FbsBitInheritance inheritance, Group group) {
    using Position = decltype(unqualified(position[0]));
    share_out(group, 0, n, [&](uint32_t k) { position[b.perm[k]] = static_cast<Position>(k); });
    group.sync();
    share_out(group, 0, n, [&](uint32_t k) {
        if (fbs_contains(segment, k)) {
            child.perm[k] = b.perm[k];
            fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
            return;
        }
        const uint32_t from = fbs_pmx_source(a, position, segment, k);
        child.perm[k] = a.perm[from];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(a.bits, inheritance == kFbsBitsByDepartment ? from : k, n));
    });
    group.sync();
}

/// Partially mapped crossover (PMX). `position` is scratch with an entry for each value. The child must not overlap a
/// parent. A group of one thread uses fbs_pmx_by_exchanges, which gives the same child in half the time.
template <class Child, class ParentA, class ParentB, class Scratch, class Group = ThreadGroup>
QAPFW_HD void fbs_pmx(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n, FbsSegment segment,
                      FbsBitInheritance inheritance, Group group = {}) {
    if constexpr (Group::size() == 1) {
        fbs_pmx_by_exchanges(child, a, b, position, n, segment, inheritance);
    } else {
        fbs_pmx_by_positions(child, a, b, position, n, segment, inheritance, group);
    }
}

/// Copies b's segment to the same positions of the child. Then reads parent a cyclically from position `read_from`,
/// and writes the missing departments in this order to the child, cyclically from the segment's end. `used`: scratch,
/// an entry for each value.
template <class Child, class ParentA, class ParentB, class Scratch, class Group>
QAPFW_HD void fbs_fill_in_order(Child child, const ParentA& a, const ParentB& b, Scratch used, uint32_t n,
                                FbsSegment segment, uint32_t read_from, FbsBitInheritance inheritance, Group group) {
    share_out(group, 0, n, [&](uint32_t k) { used[b.perm[k]] = fbs_contains(segment, k) ? 1 : 0; });
    share_out(group, segment.begin, segment.end, [&](uint32_t k) {
        child.perm[k] = b.perm[k];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
    });
    group.sync();
    uint32_t taken = 0;
    step_together(group, 0, n, [&](uint32_t step, bool inside) {
        const uint32_t from = read_from + step < n ? read_from + step : read_from + step - n;
        const bool takes = inside && used[a.perm[from]] == 0;
        uint32_t all;
        const uint32_t at = segment.end + taken + group.count_before(takes, all);
        taken += all;
        if (!takes) return;
        const uint32_t to = at < n ? at : at - n;
        child.perm[to] = a.perm[from];
        fbs_set_end(child.bits, to, n, fbs_ends_bay(a.bits, inheritance == kFbsBitsByDepartment ? from : to, n));
    });
    group.sync();
}

/// Order crossover: the positions of `segment` get b's departments. The other positions get the missing departments in
/// a's order. Both a and the child's positions are walked cyclically from the segment's end on. `used`: scratch, an
/// entry for each value. The child must not overlap a parent.
template <class Child, class ParentA, class ParentB, class Scratch, class Group = ThreadGroup>
QAPFW_HD void fbs_ox(Child child, const ParentA& a, const ParentB& b, Scratch used, uint32_t n, FbsSegment segment,
                     FbsBitInheritance inheritance, Group group = {}) {
    fbs_fill_in_order(child, a, b, used, n, segment, segment.end, inheritance, group);
}

/// Modified order crossover: positions left of `cut` get b's departments. Positions from `cut` on get the missing
/// departments in a's order.
template <class Child, class ParentA, class ParentB, class Scratch, class Group = ThreadGroup>
QAPFW_HD void fbs_mox(Child child, const ParentA& a, const ParentB& b, Scratch used, uint32_t n, uint32_t cut,
                      FbsBitInheritance inheritance, Group group = {}) {
    fbs_fill_in_order(child, a, b, used, n, {0, cut}, 0, inheritance, group);
}

}  // namespace qapfw::kernels
