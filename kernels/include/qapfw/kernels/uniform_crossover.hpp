// SPDX-License-Identifier: Apache-2.0
// Uniform crossover of permutations: the child keeps what both parents agree on and takes every other position from
// either parent where that value is still free (Tate and Smith, "A genetic approach to the QAP", 1995).
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// child[0..n-1] from `mother` and `father`. `taken` is scratch for n bytes. Position i draws word i of the stream at
/// (seed, iteration, individual, stream): bit 0 chooses the parent. Values that neither parent could place fill the
/// gaps in a random cyclic order. O(n).
QAPFW_HD void uniform_crossover(const uint16_t* mother, const uint16_t* father, uint16_t* child, uint8_t* taken,
                                uint32_t n, uint64_t seed, uint64_t iteration, uint32_t individual, uint32_t stream) {
    constexpr uint16_t kGap = 0xFFFF;
    for (uint32_t i = 0; i < n; ++i) taken[i] = 0;
    for (uint32_t i = 0; i < n; ++i) {
        child[i] = mother[i] == father[i] ? mother[i] : kGap;
        if (child[i] != kGap) taken[child[i]] = 1;
    }
    Philox4 words{};
    for (uint32_t i = 0; i < n; ++i) {
        if ((i & 3u) == 0) words = draw4(seed, iteration, individual, stream, i >> 2);
        if (child[i] != kGap) continue;
        const bool from_mother = (words.word[i & 3u] & 1u) != 0;
        const uint16_t first = from_mother ? mother[i] : father[i];
        const uint16_t second = from_mother ? father[i] : mother[i];
        if (taken[first] == 0)
            child[i] = first;
        else if (taken[second] == 0)
            child[i] = second;
        if (child[i] != kGap) taken[child[i]] = 1;
    }
    uint32_t value = below(draw(seed, iteration, individual, stream, n), n);
    for (uint32_t i = 0; i < n; ++i) {
        if (child[i] != kGap) continue;
        while (taken[value] != 0) value = value + 1 == n ? 0 : value + 1;
        child[i] = static_cast<uint16_t>(value);
        taken[value] = 1;
    }
}

}  // namespace qapfw::kernels
