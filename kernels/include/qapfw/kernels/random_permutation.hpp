// SPDX-License-Identifier: Apache-2.0
// A uniformly random permutation: the shuffle of Fisher and Yates in Durstenfeld's form, with counter-based draws.
// (Algorithm 3 of the thesis on PGAGrid, 2018, makes n random transpositions, which is biased.)
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// Shuffles `count` entries of `p`: those at positions[0..count-1], or entries 0..count-1 if `positions` is null. For k
/// from count - 1 down to 1, step k uses word k of the stream at (seed, iteration, individual, stream).
template <class Element, class Position>
QAPFW_HD void shuffle(Element* p, const Position* positions, uint32_t count, uint64_t seed, uint64_t iteration,
                      uint32_t individual, uint32_t stream) {
    Philox4 words{};
    uint32_t slot = 0xFFFFFFFFu;
    for (uint32_t k = count; k-- > 1;) {
        if ((k >> 2) != slot) {
            slot = k >> 2;
            words = draw4(seed, iteration, individual, stream, slot);
        }
        const uint32_t r = below(words.word[k & 3u], k + 1);
        const uint32_t at = positions == nullptr ? k : static_cast<uint32_t>(positions[k]);
        const uint32_t with = positions == nullptr ? r : static_cast<uint32_t>(positions[r]);
        const Element moved = p[at];
        p[at] = p[with];
        p[with] = moved;
    }
}

}  // namespace qapfw::kernels
