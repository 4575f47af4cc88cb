// SPDX-License-Identifier: Apache-2.0
// The moves of tabu search on layouts in bays, for host and device. Solutions have n positions and n - 1 bits. Bit b is
// 1 if a bay ends at position b. A move is named by two numbers (called places) i <= j. Position k is place k, bit b is
// place n + b, the border after position b is place 2n - 1 + b. The moves are
//   (i, j), i < j < n              swaps the elements at two positions
//   (n + b, n + b)                 inverts bit b: a bay is split, or two bays become one
//   (n + b, n + b + 1)             inverts two neighbouring bits that differ: a border moves by one position
//   (2n - 1 + b, 2n - 1 + b)       swaps the two bays at the border after position b
#pragma once

#include "plugins/tabu/device/tabu_rules.hpp"

namespace qapfw::tabu {

/// A move, named by its places i <= j (see above).
struct Move {
    uint32_t i, j;
};

/// The largest number of positions n of a layout. Places are numbers below 3n. They must fit in 16 bits, because a
/// move's code has 16 bits for each place.
constexpr uint32_t kMostLayoutPositions = 65536 / 3;

/// Number of moves other than swaps of elements. Moves that are impossible in a solution count too.
QAPFW_HD constexpr uint32_t bay_moves(uint32_t n) {
    return n < 2 ? 0 : 3 * n - 4;
}
/// The moves other than swaps of elements are numbered from 0, in the order of their i and then of their j. Returns the
/// move with number `index`.
QAPFW_HD constexpr Move bay_move(uint32_t index, uint32_t n) {
    const uint32_t bits = 2 * n - 3;
    if (index < bits) return {n + index / 2, n + (index + 1) / 2};
    return {2 * n - 1 + index - bits, 2 * n - 1 + index - bits};
}
QAPFW_HD constexpr bool moves_bits(Move move, uint32_t n) {
    return move.i >= n && move.i < 2 * n - 1;
}
QAPFW_HD constexpr bool moves_bays(Move move, uint32_t n) {
    return move.i >= 2 * n - 1;
}

/// Two neighbouring bays, at positions [begin, middle) and [middle, end). After the swap the second one is at
/// [begin, joint), and the first one at [joint, end).
struct TwoBays {
    uint32_t begin, middle, end;
    QAPFW_HD constexpr uint32_t joint() const { return begin + end - middle; }
};

/// The bays that a move swaps.
template <class Bits>
QAPFW_HD TwoBays bays_of(Move move, const Bits& bits, uint32_t n) {
    const uint32_t border = move.i - (2 * n - 1);
    TwoBays bays{border, border + 1, border + 2};
    while (bays.begin > 0 && bits[bays.begin - 1] == 0) --bays.begin;
    while (bays.end < n && bits[bays.end - 1] == 0) ++bays.end;
    return bays;
}

/// True if the move is possible in a solution with these bits. The move must not be a swap of elements.
template <class Bits>
QAPFW_HD bool has_move(const Bits& bits, Move move, uint32_t n) {
    if (moves_bays(move, n)) return bits[move.i - (2 * n - 1)] != 0;
    return move.i == move.j || bits[move.i - n] != bits[move.j - n];
}

/// Makes the part of the move that changes bay bits; does not move elements.
template <class Bits>
QAPFW_HD void make_in_bits(Bits& bits, Move move, uint32_t n) {
    if (moves_bays(move, n)) {
        const TwoBays bays = bays_of(move, bits, n);
        bits[bays.middle - 1] = 0;
        bits[bays.joint() - 1] = 1;
    } else if (moves_bits(move, n)) {
        bits[move.i - n] ^= 1;
        if (move.j != move.i) bits[move.j - n] ^= 1;
    }
}

/// Returns the expiry of bit b before the first iteration: the expiry of value b at position n, which is one after the
/// last position.
QAPFW_HD int32_t first_bit_expiry(uint32_t n, uint32_t b) {
    return kernels::tabu_first_expiry(n, n, b);
}

/// Draws the two bits of swap number `index` in the perturbation at the end of `iteration`: two distinct numbers below
/// `bits`, which is at least 2. Uses words that the swaps of elements do not use.
QAPFW_HD Move perturbation_of_bits(const kernels::TabuOptions& options, uint64_t iteration, uint32_t search,
                                   uint32_t index, uint32_t bits) {
    const kernels::Philox4 words =
        kernels::draw4(options.seed, options.random_base + iteration, search, options.stream + 1, index & 0xFFFFu);
    const uint32_t first = kernels::below(words.word[2], bits), second = kernels::below(words.word[3], bits - 1);
    return {first, second >= first ? second + 1 : second};
}

/// Perturbs the `count` bits at the end of `iteration`: swaps drawn pairs of bits.
QAPFW_HD void perturb_bits(const kernels::TabuOptions& options, uint64_t iteration, uint32_t search, uint32_t count,
                           uint8_t* bits) {
    for (uint32_t k = 0; k < options.perturb_swaps && count >= 2; ++k) {
        const Move pair = perturbation_of_bits(options, iteration, search, k, count);
        const uint8_t bit = bits[pair.i];
        bits[pair.i] = bits[pair.j];
        bits[pair.j] = bit;
    }
}

}  // namespace qapfw::tabu
