// SPDX-License-Identifier: Apache-2.0
// Moves on one FBS solution: on the sequence (swap, insert, reverse), on the bay bits (flip a bit, shift a border) and
// on whole bays (swap two, reverse one). Called by a group of threads, in place, O(n) work; every loop ends. The caller
// passes the random words. Each move returns whether it changed anything.
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::kernels {

/// Swaps two departments; the bays keep their lengths.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_swap(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    if (n < 2) return false;
    uint32_t i, j;
    draw_two(word0, word1, n, i, j);
    if (group.rank() == 0) fbs_exchange(s, i, j);
    group.sync();
    return true;
}

/// Sets values[k] to values[k + distance] for first <= k < last, in ascending order of k.
template <class Values, class Group>
QAPFW_HD void fbs_shift_down(Values values, uint32_t first, uint32_t last, uint32_t distance, Group group) {
    step_together(group, first, last, [&](uint32_t k, bool inside) {
        const auto value = values[inside ? k + distance : first];
        group.sync();
        if (inside) values[k] = value;
        group.sync();
    });
}

/// Sets values[k] to values[k - distance] for first <= k < last, in descending order of k.
template <class Values, class Group>
QAPFW_HD void fbs_shift_up(Values values, uint32_t first, uint32_t last, uint32_t distance, Group group) {
    step_together(group, 0, last - first, [&](uint32_t step, bool inside) {
        const uint32_t k = inside ? last - 1 - step : first;
        const auto value = values[k - distance];
        group.sync();
        if (inside) values[k] = value;
        group.sync();
    });
}

/// Moves a department to another position. The departments in between move by one position; the bay bits do not change.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_insert(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    if (n < 2) return false;
    uint32_t i, j;
    draw_two(word0, word1, n, i, j);
    const auto department = s.perm[i];
    if (i < j) {
        fbs_shift_down(s.perm, i, j, 1, group);
    } else {
        fbs_shift_up(s.perm, j + 1, i + 1, 1, group);
    }
    if (group.rank() == 0) s.perm[j] = department;
    group.sync();
    return true;
}

/// Splits a bay in two, or joins two bays.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_flip_bit(Solution s, uint32_t n, uint32_t word0, Group group = {}) {
    if (n < 2) return false;
    const uint32_t k = below(word0, n - 1);
    if (group.rank() == 0) s.bits[k] = s.bits[k] ? 0 : 1;
    group.sync();
    return true;
}

/// The number of bays of a solution, at least one.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD uint32_t fbs_count_bays(const Solution& s, uint32_t n, Group group = {}) {
    uint32_t bays = 1;
    step_together(group, 0, n - 1, [&](uint32_t k, bool inside) {
        uint32_t ends;
        group.count_before(inside && s.bits[k] != 0, ends);
        bays += ends;
    });
    return bays;
}

/// Returns the positions of bay number `index`, counted from 0. A bay with this number must exist.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD FbsSegment fbs_bay(const Solution& s, uint32_t n, uint32_t index, Group group = {}) {
    FbsSegment bay{0, n};
    uint32_t passed = 0;  // number of bays that end before position `base`
    for (uint32_t base = 0; base < n && passed <= index; base += static_cast<uint32_t>(group.size())) {
        const uint32_t k = base + static_cast<uint32_t>(group.rank());
        const bool ends = k < n && fbs_ends_bay(s.bits, k, n);
        uint32_t all;
        const uint32_t number = passed + group.count_before(ends, all);
        if (ends && number + 1 == index) bay.begin = k + 1;
        if (ends && number == index) bay.end = k + 1;
        passed += all;
    }
    return {group.most(bay.begin), group.least(bay.end)};
}

/// Moves one border between two bays by one position, unless a bay of one department would vanish.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_shift_border(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    const uint32_t bays = fbs_count_bays(s, n, group);
    if (bays < 2) return false;
    const uint32_t border = fbs_bay(s, n, below(word0, bays - 1), group).end - 1;
    const bool right = below(word1, 2) != 0;
    if (right ? border + 2 >= n : border == 0) return false;
    const uint32_t to = right ? border + 1 : border - 1;
    const bool single = s.bits[to] != 0;
    group.sync();  // after this, no thread reads the old bits
    if (single) return false;
    if (group.rank() == 0) {
        s.bits[border] = 0;
        s.bits[to] = 1;
    }
    group.sync();
    return true;
}

/// Reverses the departments of [begin, end); the bay bits stay.
template <class Solution, class Group>
QAPFW_HD void fbs_reverse(Solution& s, FbsSegment segment, Group group) {
    const uint32_t half = (segment.end - segment.begin) / 2;
    share_out(group, 0, half, [&](uint32_t k) { fbs_exchange(s, segment.begin + k, segment.end - 1 - k); });
    group.sync();
}

/// Reverses the order of departments over a random stretch; the bay bits stay.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_reverse_segment(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    if (n < 2) return false;
    uint32_t i, j;
    draw_two(word0, word1, n, i, j);
    fbs_reverse(s, i < j ? FbsSegment{i, j + 1} : FbsSegment{j, i + 1}, group);
    return true;
}

/// Reverses the order of departments in a random bay. Returns false if the bay has only one department.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_reverse_bay(Solution s, uint32_t n, uint32_t word0, Group group = {}) {
    const FbsSegment bay = fbs_bay(s, n, below(word0, fbs_count_bays(s, n, group)), group);
    fbs_reverse(s, bay, group);
    return bay.end - bay.begin > 1;
}

/// Sets the bay bits of the positions bay.begin to bay.end - 1: only the last of these positions ends a bay.
template <class Solution, class Group>
QAPFW_HD void fbs_make_bay(Solution& s, uint32_t n, FbsSegment bay, Group group) {
    share_out(group, bay.begin, bay.end, [&](uint32_t k) { fbs_set_end(s.bits, k, n, k + 1 == bay.end); });
    group.sync();
}

/// Swaps two bays with their departments, in place; `left` comes before `right`. Let A and B be these bays, and M the
/// positions between them. Reversing A M B as a whole and then each part gives B M A. The bits of M move by the
/// difference of the lengths of A and B.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD void fbs_swap_bays(Solution& s, uint32_t n, FbsSegment left, FbsSegment right, Group group = {}) {
    const FbsSegment new_left{left.begin, left.begin + (right.end - right.begin)};
    const FbsSegment new_right{right.end - (left.end - left.begin), right.end};
    const FbsSegment whole{left.begin, right.end}, middle{new_left.end, new_right.begin};
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // called rarely: it suffices to compile one copy
#endif
    for (uint32_t k = 0; k < 4; ++k) {
        fbs_reverse(s, k == 0 ? whole : k == 1 ? new_left : k == 2 ? middle : new_right, group);
    }
    if (new_left.end < left.end) {
        fbs_shift_down(s.bits, new_left.end, new_right.begin, left.end - new_left.end, group);
    } else {
        fbs_shift_up(s.bits, new_left.end, new_right.begin, new_left.end - left.end, group);
    }
    fbs_make_bay(s, n, new_left, group);
    fbs_make_bay(s, n, new_right, group);
}

/// Swaps two random bays.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate_swap_bays(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    const uint32_t bays = fbs_count_bays(s, n, group);
    if (bays < 2) return false;
    uint32_t i, j;
    draw_two(word0, word1, bays, i, j);
    const FbsSegment left = fbs_bay(s, n, i < j ? i : j, group), right = fbs_bay(s, n, i < j ? j : i, group);
    fbs_swap_bays(s, n, left, right, group);
    return true;
}

/// The weights with which moves are drawn. The defaults are those of a plain simulated annealing that reaches most of
/// the best known values of the published instances.
struct FbsMutationWeights {
    uint32_t swap = 35;
    uint32_t insert = 25;
    uint32_t flip_bit = 12;
    uint32_t shift_border = 13;
    uint32_t reverse_segment = 8;
    uint32_t swap_bays = 7;
    uint32_t reverse_bay = 0;
};

/// Makes move number `move` in the order of FbsMutationWeights. The words draw the positions or bays.
template <class Solution, class Group>
QAPFW_HD bool fbs_make_move(int move, Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group) {
    switch (move) {
        case 0:
            return fbs_mutate_swap(s, n, word0, word1, group);
        case 1:
            return fbs_mutate_insert(s, n, word0, word1, group);
        case 2:
            return fbs_mutate_flip_bit(s, n, word0, group);
        case 3:
            return fbs_mutate_shift_border(s, n, word0, word1, group);
        case 4:
            return fbs_mutate_reverse_segment(s, n, word0, word1, group);
        case 5:
            return fbs_mutate_swap_bays(s, n, word0, word1, group);
        default:
            return fbs_mutate_reverse_bay(s, n, word0, group);
    }
}

/// Makes one random move. Word 0 draws the kind of move by the weights; words 1 and 2 draw the positions or bays. The
/// sum of the weights must be at least 1 and below 2^32.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool fbs_mutate(Solution s, uint32_t n, const FbsMutationWeights& weights, const Philox4& words,
                         Group group = {}) {
    const uint32_t weight[7] = {weights.swap,         weights.insert,          weights.flip_bit,
                                weights.shift_border, weights.reverse_segment, weights.swap_bays,
                                weights.reverse_bay};
    uint32_t total = 0;
    for (int move = 0; move < 7; ++move) total += weight[move];
    uint32_t ticket = below(words.word[0], total);
    int move = 0;
    while (move < 6 && ticket >= weight[move]) ticket -= weight[move++];
    return fbs_make_move(move, s, n, words.word[1], words.word[2], group);
}

}  // namespace qapfw::kernels
