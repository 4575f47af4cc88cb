// SPDX-License-Identifier: Apache-2.0
// All operators of the FBS encoding: crossover, mutation, repair and random solutions.
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"
#include "qapfw/kernels/fbs_mutation.hpp"
#include "qapfw/kernels/fbs_repair.hpp"

namespace qapfw::kernels {

/// Random bay bits: a bay ends at each position with probability `bays` / n; `bays` = 0 means ceil(sqrt n). Draws words
/// n to 2n - 2 of `stream`.
template <class Bits>
QAPFW_HD void fbs_randomize_bits(Bits bits, uint32_t n, uint32_t bays, uint64_t seed, uint64_t iteration,
                                 uint32_t individual, uint32_t stream) {
    if (bays == 0) {
        while (bays * bays < n) ++bays;
    }
    for (uint32_t k = 0; k + 1 < n; ++k) {
        bits[k] = below(draw(seed, iteration, individual, stream, n + k), n) < bays ? 1 : 0;
    }
}

/// Draws a random solution: a Fisher-Yates shuffle, then fbs_randomize_bits, which makes about `bays` bays. The shuffle
/// uses words 1 to n - 1 of `stream`, the bits the n - 1 words after them.
template <class Solution>
QAPFW_HD void fbs_randomize(Solution s, uint32_t n, uint32_t bays, uint64_t seed, uint64_t iteration,
                            uint32_t individual, uint32_t stream) {
    for (uint32_t k = 0; k < n; ++k) s.perm[k] = static_cast<uint16_t>(k);
    for (uint32_t k = n; k > 1; --k) {
        const uint32_t j = below(draw(seed, iteration, individual, stream, k - 1), k);
        const uint16_t department = s.perm[k - 1];
        s.perm[k - 1] = s.perm[j];
        s.perm[j] = department;
    }
    fbs_randomize_bits(s.bits, n, bays, seed, iteration, individual, stream);
}

}  // namespace qapfw::kernels
