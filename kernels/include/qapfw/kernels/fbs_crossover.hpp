// SPDX-License-Identifier: Apache-2.0
// Crossover of FBS solutions: PMX (Goldberg and Lingle 1985, in the swap form of the CEC 2010 paper's Fig. 7) and OX
// (Davis 1985) on the sequence. The child is parent a with b's segment [begin, end); the bay bits are exchanged over
// the same positions or carried along with the departments. Element functions: one thread, one child, O(n).
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/philox.hpp"

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

template <class Child, class Parent>
QAPFW_HD void fbs_copy(Child child, const Parent& parent, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) child.perm[k] = parent.perm[k];
    for (uint32_t k = 0; k + 1 < n; ++k) child.bits[k] = parent.bits[k];
}

/// Exchanges the departments at positions i and j; their bits go along where `carry` is set.
template <class Solution>
QAPFW_HD void fbs_exchange(Solution& s, uint32_t i, uint32_t j, uint32_t n, bool carry) {
    const uint16_t department = s.perm[i];
    s.perm[i] = s.perm[j];
    s.perm[j] = department;
    if (!carry) return;
    const bool end = fbs_ends_bay(s.bits, i, n);
    fbs_set_end(s.bits, i, n, fbs_ends_bay(s.bits, j, n));
    fbs_set_end(s.bits, j, n, end);
}

/// Partially mapped crossover. `position` is scratch of n uint16_t. The child must not overlap a parent.
template <class Child, class ParentA, class ParentB, class Scratch>
QAPFW_HD void fbs_pmx(Child child, const ParentA& a, const ParentB& b, Scratch position, uint32_t n, FbsSegment segment,
                      FbsBitInheritance inheritance) {
    fbs_copy(child, a, n);
    for (uint32_t k = 0; k < n; ++k) position[child.perm[k]] = static_cast<uint16_t>(k);
    const bool carry = inheritance == kFbsBitsByDepartment;
    for (uint32_t k = segment.begin; k < segment.end; ++k) {
        const uint32_t wanted = b.perm[k];
        const uint32_t at = position[wanted];
        if (at != k) {
            position[child.perm[k]] = static_cast<uint16_t>(at);
            position[wanted] = static_cast<uint16_t>(k);
            fbs_exchange(child, k, at, n, carry);
        }
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
    }
}

/// Order crossover: b's segment stays in place, the other positions take the rest in a's order, both cyclic from the
/// segment's end. `used` is scratch of n uint16_t. The child must not overlap a parent.
template <class Child, class ParentA, class ParentB, class Scratch>
QAPFW_HD void fbs_ox(Child child, const ParentA& a, const ParentB& b, Scratch used, uint32_t n, FbsSegment segment,
                     FbsBitInheritance inheritance) {
    for (uint32_t d = 0; d < n; ++d) used[d] = 0;
    for (uint32_t k = segment.begin; k < segment.end; ++k) {
        child.perm[k] = b.perm[k];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(b.bits, k, n));
        used[b.perm[k]] = 1;
    }
    uint32_t to = segment.end % n;
    uint32_t from = to;
    for (uint32_t left = n - (segment.end - segment.begin); left > 0; from = from + 1 == n ? 0 : from + 1) {
        const uint32_t department = a.perm[from];
        if (used[department]) continue;
        child.perm[to] = static_cast<uint16_t>(department);
        const uint32_t bit_from = inheritance == kFbsBitsByDepartment ? from : to;
        fbs_set_end(child.bits, to, n, fbs_ends_bay(a.bits, bit_from, n));
        to = to + 1 == n ? 0 : to + 1;
        --left;
    }
}

}  // namespace qapfw::kernels
