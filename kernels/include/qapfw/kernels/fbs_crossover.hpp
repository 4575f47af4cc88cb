// SPDX-License-Identifier: Apache-2.0
// Crossover of FBS solutions: PMX (Goldberg and Lingle 1985, in the swap form of the CEC 2010 paper's Fig. 7) and OX
// (Davis 1985) on the sequence. The child is parent a with b's segment [begin, end); the bay bits are exchanged over
// the same positions or carried along with the departments. By a group of threads, O(n) work.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// Where a child's bay bits come from.
enum FbsBitInheritance : uint32_t {
    kFbsBitsByPosition = 0,   ///< b's bits inside the segment, a's outside
    kFbsBitsByDepartment = 1  ///< each department brings the bit it has in the parent that placed it
};

/// Positions [begin, end).
struct FbsSegment {
    uint32_t begin;
    uint32_t end;
};

/// Two cuts, uniform in 0..n-1, in ascending order; the segment may be empty. Uses words 0 and 1.
QAPFW_HD FbsSegment fbs_draw_segment(const Philox4& words, uint32_t n) {
    const uint32_t first = below(words.word[0], n);
    const uint32_t second = below(words.word[1], n);
    return first < second ? FbsSegment{first, second} : FbsSegment{second, first};
}

/// Exchanges the departments at positions i and j; the bay bits stay.
template <class Solution>
QAPFW_HD void fbs_exchange(Solution& s, uint32_t i, uint32_t j) {
    const uint16_t department = s.perm[i];
    s.perm[i] = s.perm[j];
    s.perm[j] = department;
}

QAPFW_HD bool fbs_contains(FbsSegment segment, uint32_t k) {
    return k - segment.begin < segment.end - segment.begin;
}

/// The child as a copy of the parent.
template <class Child, class Parent>
QAPFW_HD void fbs_copy(Child child, const Parent& parent, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) child.perm[k] = parent.perm[k];
    for (uint32_t k = 0; k + 1 < n; ++k) child.bits[k] = parent.bits[k];
}

/// PMX by one thread: each value of b's segment is brought to its place by an exchange.
template <class Child, class ParentA, class ParentB, class Scratch>
QAPFW_HD void fbs_pmx_by_exchanges(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n,
                                   FbsSegment segment, FbsBitInheritance inheritance) {
    fbs_copy(child, a, n);
    for (uint32_t k = 0; k < n; ++k) position[child.perm[k]] = static_cast<uint16_t>(k);
    for (uint32_t k = segment.begin; k < segment.end; ++k) {
        const uint32_t wanted = b.perm[k];
        const uint32_t at = position[wanted];
        position[child.perm[k]] = static_cast<uint16_t>(at);
        position[wanted] = static_cast<uint16_t>(k);
        fbs_exchange(child, k, at);
        if (inheritance == kFbsBitsByDepartment) fbs_set_end(child.bits, at, n, fbs_ends_bay(child.bits, k, n));
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
    }
}

/// Where PMX takes the department for position k, outside b's segment, from in parent a: what the exchanges come to. A
/// department of a leads to the place in the segment where b has it, and on, until one that b's segment lacks.
/// `position`: where b has each department.
template <class Parent, class Inverse>
QAPFW_HD uint32_t fbs_pmx_source(const Parent& a, const Inverse& position, FbsSegment segment, uint32_t k) {
    uint32_t from = k;
    for (uint32_t next = position[a.perm[k]]; fbs_contains(segment, next); next = position[a.perm[from]]) from = next;
    return from;
}

/// PMX by many threads, position by position.
template <class Child, class ParentA, class ParentB, class Scratch, class Group>
QAPFW_HD void fbs_pmx_by_positions(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n,
                                   FbsSegment segment, FbsBitInheritance inheritance, Group group) {
    share_out(group, 0, n, [&](uint32_t k) { position[b.perm[k]] = static_cast<uint16_t>(k); });
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

/// Partially mapped crossover. `position` is scratch of n uint16_t. The child must not overlap a parent. A thread alone
/// takes half the time by exchanges; the children are the same.
template <class Child, class ParentA, class ParentB, class Scratch, class Group = ThreadGroup>
QAPFW_HD void fbs_pmx(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n, FbsSegment segment,
                      FbsBitInheritance inheritance, Group group = {}) {
    if constexpr (Group::size() == 1) {
        fbs_pmx_by_exchanges(child, a, b, position, n, segment, inheritance);
    } else {
        fbs_pmx_by_positions(child, a, b, position, n, segment, inheritance, group);
    }
}

/// Order crossover: b's segment stays in place, the other positions take the rest in a's order, both cyclic from the
/// segment's end. `used` is scratch of n uint16_t. The child must not overlap a parent.
template <class Child, class ParentA, class ParentB, class Scratch, class Group = ThreadGroup>
QAPFW_HD void fbs_ox(Child child, const ParentA& a, const ParentB& b, Scratch used, uint32_t n, FbsSegment segment,
                     FbsBitInheritance inheritance, Group group = {}) {
    share_out(group, 0, n, [&](uint32_t k) { used[b.perm[k]] = fbs_contains(segment, k) ? 1 : 0; });
    share_out(group, segment.begin, segment.end, [&](uint32_t k) {
        child.perm[k] = b.perm[k];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
    });
    group.sync();
    uint32_t taken = 0;
    step_together(group, 0, n, [&](uint32_t step, bool inside) {
        const uint32_t from = segment.end + step < n ? segment.end + step : segment.end + step - n;
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

}  // namespace qapfw::kernels
