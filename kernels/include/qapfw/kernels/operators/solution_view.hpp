// SPDX-License-Identifier: Apache-2.0
// The view by which operators on host and device access a solution: a permutation, alone or with bay bits. Either all
// its elements may move, or only those at certain positions. With this view an operator has one code for all cases.
#pragma once

#include "qapfw/kernels/platform.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// A solution through any two accessors with operator[]: perm[0..n-1], and bits[0..n-2]. bits[k] = 1 says that position
/// k is the last of its bay.
template <class Perm, class Bits>
struct SolutionView {
    Perm perm;  ///< elements of the permutation
    Bits bits;  ///< ends of bays
};

/// The bits of a solution that is only a permutation. They are read as zeros; writing has no effect.
struct NoBits {
    /// A bit that is always 0.
    struct Bit {
        QAPFW_HD operator uint8_t() const { return 0; }   ///< value of the bit
        QAPFW_HD Bit operator=(int) const { return {}; }  ///< Has no effect.
    };
    QAPFW_HD Bit operator[](uint32_t) const { return {}; }  ///< Bit at any position.
};

/// True if solutions of this type have bay bits.
template <class Solution>
struct HasBits {
    static constexpr bool value = true;  ///< solutions have bay bits
};
/// False if the solution is only a permutation, without bay bits.
template <class Perm>
struct HasBits<SolutionView<Perm, NoBits>> {
    static constexpr bool value = false;  ///< solutions have no bay bits
};

/// The movable part of a permutation: its element k is the element at positions[k].
template <class Element>
struct FreeGenome {
    Element* p;                                                                 ///< the whole permutation
    const uint16_t* positions;                                                  ///< positions that may move, ascending
    QAPFW_HD Element& operator[](uint32_t k) const { return p[positions[k]]; }  ///< k: index into positions
};

/// Returns the view of a permutation that has no bay bits.
template <class Perm>
QAPFW_HD SolutionView<Perm, NoBits> solution_view(Perm perm) {
    return {perm, {}};
}

/// Returns the view of a permutation and its bay bits.
template <class Perm, class Bits>
QAPFW_HD SolutionView<Perm, Bits> solution_view(Perm perm, Bits bits) {
    return {perm, bits};
}

/// Returns a view of the free positions of a permutation; the elements at its other positions are fixed. Position k of
/// the view is positions[k], so operators never touch the fixed elements. Solutions with bits have no such view, since
/// the positions of a bay are consecutive. After operators on such solutions, call restore_fixed.
template <class Element>
QAPFW_HD SolutionView<FreeGenome<Element>, NoBits> movable_view(Element* perm, const uint16_t* positions) {
    return {{perm, positions}, {}};
}

/// Elements that must stay at certain positions.
struct FixedElements {
    uint32_t count;             ///< number of fixed elements; if it is 0, the two pointers are not read
    const uint16_t* positions;  ///< positions whose elements are fixed
    const uint16_t* solution;   ///< a permutation in which the fixed elements are at these positions
};

/// Swaps elements until the fixed ones are at their positions again, after operators that moved them. `where`: scratch
/// of n numbers. Does not change bits. O(n); does nothing without fixed elements. Called by a group of threads.
template <class Solution, class Scratch, class Group = ThreadGroup>
QAPFW_HD void restore_fixed(const FixedElements& fixed, Solution s, Scratch where, uint32_t n, Group group = {}) {
    if (fixed.count == 0) return;
    share_out(group, 0, n, [&](uint32_t k) { where[s.perm[k]] = static_cast<uint16_t>(k); });
    group.sync();
    for (uint32_t f = 0; group.rank() == 0 && f < fixed.count; ++f) {
        const uint16_t to = fixed.positions[f];
        const uint16_t wanted = fixed.solution[to];
        const uint16_t present = s.perm[to];
        const uint16_t at = where[wanted];
        s.perm[at] = present;
        s.perm[to] = wanted;
        where[present] = at;
        where[wanted] = to;
    }
    group.sync();
}

/// Tells whether solutions have bits. If the host knows the answer when it compiles a kernel, it passes kNo or kYes, so
/// that the kernel has no code for the other case.
enum class WithBits {
    kNo,           ///< no solution has bits
    kYes,          ///< all solutions have bits
    kAsOffsetSays  ///< solutions have bits if the offset of the bits is not 0
};

/// The WithBits for `defined`, the value of a macro that the host defines for its kernels. 1 means kYes, 0 means kNo,
/// and any other value means kAsOffsetSays.
constexpr WithBits with_bits(int defined) {
    return defined == 1 ? WithBits::kYes : defined == 0 ? WithBits::kNo : WithBits::kAsOffsetSays;
}

/// Calls `body` with a function that makes views: view(address) returns the view of the solution that begins at the
/// address. A solution is a permutation. If solutions have bits, the bits begin at the solution's byte `bits_offset`.
template <WithBits kBits = WithBits::kAsOffsetSays, class Body>
QAPFW_HD void with_views(uint32_t bits_offset, const Body& body) {
    const auto with = [bits_offset](uint8_t* at) {
        return solution_view(reinterpret_cast<uint16_t*>(at), at + bits_offset);
    };
    const auto without = [](uint8_t* at) { return solution_view(reinterpret_cast<uint16_t*>(at)); };
    if constexpr (kBits == WithBits::kYes) {
        body(with);
    } else if constexpr (kBits == WithBits::kNo) {
        body(without);
    } else {
        if (bits_offset != 0) return body(with);
        body(without);
    }
}

}  // namespace qapfw::kernels
