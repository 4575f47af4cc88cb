// SPDX-License-Identifier: Apache-2.0
// Moves on one FBS solution: on the sequence (swap, insert, reverse), on the bay bits (flip, shift a border) and on
// whole bays (swap two, reverse one). Element functions: one thread, in place, O(n), no loop that may not end. Each
// takes its random words from the caller and says whether it changed anything.
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::kernels {

/// Two different indices below `range` (>= 2), uniform, in drawn order.
QAPFW_HD void fbs_draw_two(uint32_t word0, uint32_t word1, uint32_t range, uint32_t& i, uint32_t& j) {
    i = below(word0, range);
    j = below(word1, range - 1);
    if (j >= i) ++j;
}

/// Exchanges two departments; the bays keep their lengths.
template <class Solution>
QAPFW_HD bool fbs_mutate_swap(Solution s, uint32_t n, uint32_t word0, uint32_t word1) {
    if (n < 2) return false;
    uint32_t i, j;
    fbs_draw_two(word0, word1, n, i, j);
    fbs_exchange(s, i, j, n, false);
    return true;
}

/// Moves the department at i to j; those between move up by one, the bay bits stay.
template <class Solution>
QAPFW_HD bool fbs_mutate_insert(Solution s, uint32_t n, uint32_t word0, uint32_t word1) {
    if (n < 2) return false;
    uint32_t i, j;
    fbs_draw_two(word0, word1, n, i, j);
    const uint16_t department = s.perm[i];
    for (; i < j; ++i) s.perm[i] = s.perm[i + 1];
    for (; i > j; --i) s.perm[i] = s.perm[i - 1];
    s.perm[j] = department;
    return true;
}

/// Splits a bay, or joins two.
template <class Solution>
QAPFW_HD bool fbs_mutate_flip_bit(Solution s, uint32_t n, uint32_t word0) {
    if (n < 2) return false;
    const uint32_t k = below(word0, n - 1);
    s.bits[k] = s.bits[k] ? 0 : 1;
    return true;
}

/// Bays of a solution, at least one.
template <class Solution>
QAPFW_HD uint32_t fbs_count_bays(const Solution& s, uint32_t n) {
    uint32_t bays = 1;
    for (uint32_t k = 0; k + 1 < n; ++k) bays += s.bits[k] ? 1u : 0u;
    return bays;
}

/// Positions of bay number `index` (below the number of bays).
template <class Solution>
QAPFW_HD FbsSegment fbs_bay(const Solution& s, uint32_t n, uint32_t index) {
    FbsSegment bay{0, n};
    for (uint32_t k = 0; k < n; ++k) {
        if (!fbs_ends_bay(s.bits, k, n)) continue;
        bay.end = k + 1;
        if (index == 0) break;
        --index;
        bay.begin = k + 1;
    }
    return bay;
}

/// Moves one border between two bays by one position, unless a bay of one department would vanish.
template <class Solution>
QAPFW_HD bool fbs_mutate_shift_border(Solution s, uint32_t n, uint32_t word0, uint32_t word1) {
    const uint32_t bays = fbs_count_bays(s, n);
    if (bays < 2) return false;
    const uint32_t border = fbs_bay(s, n, below(word0, bays - 1)).end - 1;
    const bool right = below(word1, 2) != 0;
    if (right ? border + 2 >= n : border == 0) return false;
    const uint32_t to = right ? border + 1 : border - 1;
    if (s.bits[to]) return false;
    s.bits[border] = 0;
    s.bits[to] = 1;
    return true;
}

/// Reverses the departments of [begin, end); the bay bits stay.
template <class Solution>
QAPFW_HD void fbs_reverse(Solution& s, uint32_t n, FbsSegment segment) {
    for (uint32_t i = segment.begin, j = segment.end; i + 1 < j; ++i) fbs_exchange(s, i, --j, n, false);
}

/// Reverses the order of departments over a random stretch; the bay bits stay.
template <class Solution>
QAPFW_HD bool fbs_mutate_reverse_segment(Solution s, uint32_t n, uint32_t word0, uint32_t word1) {
    if (n < 2) return false;
    uint32_t i, j;
    fbs_draw_two(word0, word1, n, i, j);
    fbs_reverse(s, n, i < j ? FbsSegment{i, j + 1} : FbsSegment{j, i + 1});
    return true;
}

/// Turns one bay upside down.
template <class Solution>
QAPFW_HD bool fbs_mutate_reverse_bay(Solution s, uint32_t n, uint32_t word0) {
    const FbsSegment bay = fbs_bay(s, n, below(word0, fbs_count_bays(s, n)));
    fbs_reverse(s, n, bay);
    return bay.end - bay.begin > 1;
}

/// Bay bits of [begin, end): one bay.
template <class Solution>
QAPFW_HD void fbs_make_bay(Solution& s, uint32_t n, FbsSegment bay) {
    for (uint32_t k = bay.begin; k < bay.end; ++k) fbs_set_end(s.bits, k, n, k + 1 == bay.end);
}

/// Exchanges the bays `left` and `right`, in this order, with their departments, in place: reversing A M B as a whole
/// and then each part gives B M A; the bits of M move by the difference of the lengths.
template <class Solution>
QAPFW_HD void fbs_swap_bays(Solution& s, uint32_t n, FbsSegment left, FbsSegment right) {
    const FbsSegment new_left{left.begin, left.begin + (right.end - right.begin)};
    const FbsSegment new_right{right.end - (left.end - left.begin), right.end};
    fbs_reverse(s, n, FbsSegment{left.begin, right.end});
    fbs_reverse(s, n, new_left);
    fbs_reverse(s, n, FbsSegment{new_left.end, new_right.begin});
    fbs_reverse(s, n, new_right);
    const uint32_t between = right.begin - left.end;
    for (uint32_t step = 0; step < between; ++step) {
        const uint32_t k = new_left.end > left.end ? between - 1 - step : step;  // never over bits still to be read
        s.bits[new_left.end + k] = s.bits[left.end + k];
    }
    fbs_make_bay(s, n, new_left);
    fbs_make_bay(s, n, new_right);
}

/// Exchanges two random bays.
template <class Solution>
QAPFW_HD bool fbs_mutate_swap_bays(Solution s, uint32_t n, uint32_t word0, uint32_t word1) {
    const uint32_t bays = fbs_count_bays(s, n);
    if (bays < 2) return false;
    uint32_t i, j;
    fbs_draw_two(word0, word1, bays, i, j);
    fbs_swap_bays(s, n, fbs_bay(s, n, i < j ? i : j), fbs_bay(s, n, i < j ? j : i));
    return true;
}

/// How often each move is drawn, relative to the sum. The defaults are those of a plain simulated annealing that
/// reaches most best-known values of the published instances.
struct FbsMutationWeights {
    uint32_t swap = 35;
    uint32_t insert = 25;
    uint32_t flip_bit = 12;
    uint32_t shift_border = 13;
    uint32_t reverse_segment = 8;
    uint32_t swap_bays = 7;
    uint32_t reverse_bay = 0;
};

/// One move, drawn by weight with word 0; words 1 and 2 say where. The weights' sum is at least 1 and below 2^32.
template <class Solution>
QAPFW_HD bool fbs_mutate(Solution s, uint32_t n, const FbsMutationWeights& weights, const Philox4& words) {
    const uint32_t weight[7] = {weights.swap,         weights.insert,          weights.flip_bit,
                                weights.shift_border, weights.reverse_segment, weights.swap_bays,
                                weights.reverse_bay};
    uint32_t total = 0;
    for (int move = 0; move < 7; ++move) total += weight[move];
    uint32_t ticket = below(words.word[0], total);
    int move = 0;
    while (move < 6 && ticket >= weight[move]) ticket -= weight[move++];
    switch (move) {
        case 0:
            return fbs_mutate_swap(s, n, words.word[1], words.word[2]);
        case 1:
            return fbs_mutate_insert(s, n, words.word[1], words.word[2]);
        case 2:
            return fbs_mutate_flip_bit(s, n, words.word[1]);
        case 3:
            return fbs_mutate_shift_border(s, n, words.word[1], words.word[2]);
        case 4:
            return fbs_mutate_reverse_segment(s, n, words.word[1], words.word[2]);
        case 5:
            return fbs_mutate_swap_bays(s, n, words.word[1], words.word[2]);
        default:
            return fbs_mutate_reverse_bay(s, n, words.word[1]);
    }
}

}  // namespace qapfw::kernels
