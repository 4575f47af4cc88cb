// SPDX-License-Identifier: Apache-2.0
// The neighbours of an FBS solution, numbered. Each kind of move has a fixed number of indices for n departments. The
// index alone determines the move; the solution has no influence. Some solutions do not allow some moves: for example,
// there may be no border to shift; see `fbs_is_move`. A group of threads makes a move in place, in O(n) steps.
#pragma once

#include "qapfw/kernels/fbs_cost.hpp"
#include "qapfw/kernels/fbs_mutation.hpp"

namespace qapfw::kernels {

enum FbsMoveKind : uint32_t {
    kFbsMoveSwap = 0,         ///< swaps the departments at positions first < second
    kFbsMoveInsert = 1,       ///< takes the department at `first` out of its bay and puts it into gap `second`
    kFbsMoveShiftBorder = 2,  ///< moves a border between bays to behind position `first`, where no border was
    kFbsMoveFlipBit = 3,      ///< splits a bay after position `first`, or joins the two bays that meet there
    kFbsMoveSwapBays = 4      ///< swaps the bays with numbers first < second
};
constexpr uint32_t kFbsMoveKinds = 5;

/// Ways to insert a department into a gap between two of the other n - 1 departments, or at an end of the layout. A gap
/// between two bays allows all three ways. At an end, only two ways are possible.
enum FbsInsertVariant : uint32_t {
    /// The department becomes the last of the bay on the left. In a gap inside a bay, only this variant exists: the
    /// department joins that bay.
    kFbsInsertLeft = 0,
    kFbsInsertRight = 1,  ///< the department becomes the first of the bay on the right
    kFbsInsertAlone = 2   ///< the department gets a bay of its own
};

struct FbsMove {
    uint32_t kind;    ///< the kind of the move: a value of FbsMoveKind
    uint32_t first;   ///< a position or bay; FbsMoveKind says which
    uint32_t second;  ///< second position or bay; insert: the gap, as the number of other departments before it
    /// Insert: a value of FbsInsertVariant. Shift: 0 moves the nearest border after position `first`, 1 the nearest
    /// border before this position. Other moves do not use `variant`.
    uint32_t variant;
};

/// The number of move indices of one kind. Some indices may stand for moves that a solution does not have.
QAPFW_HD uint32_t fbs_move_count(uint32_t kind, uint32_t n) {
    switch (kind) {
        case kFbsMoveInsert:
            return n < 2 ? 0 : 3 * n * n;
        case kFbsMoveShiftBorder:
            return 2 * (n - 1);
        case kFbsMoveFlipBit:
            return n - 1;
        default:
            return n * (n - 1) / 2;
    }
}

/// Pair number `index` of (0, 1), (0, 2), (1, 2), (0, 3), ...: second * (second - 1) / 2 + first = index.
QAPFW_HD void fbs_pair_at(uint32_t index, uint32_t& first, uint32_t& second) {
    second = static_cast<uint32_t>((1.0f + fbs_square_root(1.0f + 8.0f * static_cast<float>(index))) * 0.5f);
    while (second * (second - 1) / 2 > index) --second;
    while (second * (second + 1) / 2 <= index) ++second;
    first = index - second * (second - 1) / 2;
}

/// Move number `index` (below fbs_move_count) of a kind.
QAPFW_HD FbsMove fbs_move_at(uint32_t kind, uint32_t index, uint32_t n) {
    FbsMove move{kind, index, 0, 0};
    switch (kind) {
        case kFbsMoveSwap:
        case kFbsMoveSwapBays:
            fbs_pair_at(index, move.first, move.second);
            break;
        case kFbsMoveInsert:
            move.first = index / (3 * n);
            move.second = index / 3 % n;
            move.variant = index % 3;
            break;
        case kFbsMoveShiftBorder:
            move.first = index / 2;
            move.variant = index % 2;
            break;
        default:
            break;
    }
    return move;
}

/// The facts about a solution's bays that fbs_is_move needs: their number, and where two of them end.
struct FbsBorders {
    uint32_t bays;   ///< number of bays
    uint32_t first;  ///< last position of the first bay
    uint32_t last;   ///< last position of the second-to-last bay; 0 if there is only one bay
};

template <class Solution, class Group = ThreadGroup>
QAPFW_HD FbsBorders fbs_borders(const Solution& s, uint32_t n, Group group = {}) {
    FbsBorders borders{1, n - 1, 0};
    step_together(group, 0, n - 1, [&](uint32_t k, bool inside) {
        const bool ends = inside && s.bits[k] != 0;
        uint32_t here;
        group.count_before(ends, here);
        borders.bays += here;
        if (!ends) return;
        if (k < borders.first) borders.first = k;
        borders.last = k;
    });
    borders.first = group.least(borders.first);
    borders.last = group.most(borders.last);
    return borders;
}

/// True if department number `k` would be the last of its bay without the department at position `out`. The numbers
/// count the other departments from 0.
template <class Solution>
QAPFW_HD bool fbs_ends_bay_without(const Solution& s, uint32_t n, uint32_t out, uint32_t k) {
    if (k + 2 >= n) return true;
    if (k >= out) return fbs_ends_bay(s.bits, k + 1, n);
    return fbs_ends_bay(s.bits, k, n) || (k + 1 == out && fbs_ends_bay(s.bits, out, n));
}

/// The effect of an insertion on the ends of bays.
struct FbsInsertEnds {
    bool before;    ///< true if the department before the gap is the last of its bay after the insertion
    bool own;       ///< true if the inserted department is then the last of its bay
    bool possible;  ///< true if the solution allows the insertion
};

template <class Solution>
QAPFW_HD FbsInsertEnds fbs_insert_ends(const Solution& s, uint32_t n, const FbsMove& move) {
    const uint32_t gap = move.second;
    const bool at_end = gap == 0 || gap + 1 == n;
    if (!at_end && !fbs_ends_bay_without(s, n, move.first, gap - 1)) {
        return FbsInsertEnds{false, false, move.variant == kFbsInsertLeft};
    }
    switch (move.variant) {
        case kFbsInsertLeft:
            return FbsInsertEnds{false, true, gap > 0};
        case kFbsInsertRight:
            return FbsInsertEnds{true, false, gap + 1 < n};
        default:
            return FbsInsertEnds{true, true, true};
    }
}

/// True if the solution allows this insertion and the insertion changes the solution.
template <class Solution>
QAPFW_HD bool fbs_insert_changes(const Solution& s, uint32_t n, const FbsMove& move) {
    const FbsInsertEnds ends = fbs_insert_ends(s, n, move);
    if (!ends.possible) return false;
    if (move.first != move.second) return true;
    const bool before = move.first == 0 || fbs_ends_bay(s.bits, move.first - 1, n) == ends.before;
    return !(before && fbs_ends_bay(s.bits, move.first, n) == ends.own);
}

/// True if the move can be made in the solution and changes it. O(1).
template <class Solution>
QAPFW_HD bool fbs_is_move(const Solution& s, uint32_t n, const FbsBorders& borders, const FbsMove& move) {
    switch (move.kind) {
        case kFbsMoveInsert:
            return fbs_insert_changes(s, n, move);
        case kFbsMoveShiftBorder:
            if (borders.bays < 2 || s.bits[move.first]) return false;
            return move.variant == 0 ? move.first < borders.last : move.first > borders.first;
        case kFbsMoveSwapBays:
            return move.second < borders.bays;
        default:
            return true;
    }
}

template <class Solution, class Group>
QAPFW_HD void fbs_apply_insert(Solution& s, uint32_t n, const FbsMove& move, Group group) {
    const FbsInsertEnds ends = fbs_insert_ends(s, n, move);
    const uint32_t from = move.first, to = move.second;
    const uint16_t department = s.perm[from];
    const bool leaves_end = from > 0 && fbs_ends_bay(s.bits, from, n);
    group.sync();
    if (group.rank() == 0 && leaves_end) fbs_set_end(s.bits, from - 1, n, true);
    group.sync();
    // These shifts write neither bit `to` nor bit `to` - 1, which are set below. The last position has no bit.
    if (from < to) {
        fbs_shift_down(s.perm, from, to, 1, group);
        fbs_shift_down(s.bits, from, to - 1, 1, group);
    } else if (from > to) {
        fbs_shift_up(s.perm, to + 1, from + 1, 1, group);
        fbs_shift_up(s.bits, to + 1, from + 1 < n ? from + 1 : n - 1, 1, group);
    }
    if (group.rank() == 0) {
        s.perm[to] = department;
        if (to > 0) fbs_set_end(s.bits, to - 1, n, ends.before);
        fbs_set_end(s.bits, to, n, ends.own);
    }
    group.sync();
}

template <class Solution>
QAPFW_HD void fbs_apply_shift_border(Solution& s, const FbsMove& move) {
    uint32_t border = move.first;
    while (!s.bits[border]) border += move.variant == 0 ? 1u : 0xFFFFFFFFu;
    s.bits[border] = 0;
    s.bits[move.first] = 1;
}

/// Makes a move for which fbs_is_move was true.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD void fbs_apply_move(Solution s, uint32_t n, const FbsMove& move, Group group = {}) {
    if (move.kind == kFbsMoveInsert) {
        fbs_apply_insert(s, n, move, group);
    } else if (move.kind == kFbsMoveSwapBays) {
        const FbsSegment left = fbs_bay(s, n, move.first, group), right = fbs_bay(s, n, move.second, group);
        fbs_swap_bays(s, n, left, right, group);
    } else {
        if (group.rank() == 0) {
            if (move.kind == kFbsMoveSwap) fbs_exchange(s, move.first, move.second);
            if (move.kind == kFbsMoveShiftBorder) fbs_apply_shift_border(s, move);
            if (move.kind == kFbsMoveFlipBit) s.bits[move.first] = s.bits[move.first] ? 0 : 1;
        }
        group.sync();
    }
}

}  // namespace qapfw::kernels
