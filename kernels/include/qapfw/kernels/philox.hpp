// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2,
// 3", SC 2011). A draw is a pure function of its coordinates, so the order of execution never matters. A host thread
// and a device thread draw the same numbers.
#pragma once

#include "qapfw/kernels/platform.hpp"

#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <stdexcept>
#include <string>
#endif

namespace qapfw::kernels {

/// The version of the scheme that maps (seed, iteration, individual, stream, slot) to numbers. The run record names it.
constexpr int kRandomSchemeVersion = 1;

/// A counter of Philox, or the four random words for it.
struct Philox4 {
    uint32_t word[4];  ///< uniform, 32 bits each
};

/// The upper 32 bits of a * b.
QAPFW_HD uint32_t multiply_high(uint32_t a, uint32_t b) {
    return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32);
}

/// Ten rounds of Philox4x32 on `counter` with a 64-bit key.
QAPFW_HD Philox4 philox4x32_10(Philox4 counter, uint32_t key0, uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        const uint32_t high0 = multiply_high(0xD2511F53u, counter.word[0]);
        const uint32_t low0 = 0xD2511F53u * counter.word[0];
        const uint32_t high1 = multiply_high(0xCD9E8D57u, counter.word[2]);
        const uint32_t low1 = 0xCD9E8D57u * counter.word[2];
        counter = Philox4{{high1 ^ counter.word[1] ^ key0, low1, high0 ^ counter.word[3] ^ key1, low0}};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
/// Throws std::out_of_range with a text that names stream and slot. Only for the host.
[[noreturn]] inline void refuse_draw(uint32_t stream, uint64_t slot) {
    throw std::out_of_range(
        "a random draw has stream " + std::to_string(stream) + " and slot " + std::to_string(slot) +
        "; both must be below 65536. A slot has four words, so the index of a word must be below 262144");
}
#endif

/// The draw for these coordinates: the 64-bit iteration, the individual (or search, ant, island), a stream for each
/// purpose, and the slot within the stream. A slot has four 32-bit words. Streams and slots are below 2^16. Larger ones
/// throw std::out_of_range on the host; on a GPU they repeat other draws.
QAPFW_HD Philox4 draw4(uint64_t seed, uint64_t iteration, uint32_t individual, uint32_t stream, uint32_t slot) {
#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
    if ((stream | slot) > 0xFFFFu) [[unlikely]]
        refuse_draw(stream, slot);
#endif
    const Philox4 counter{{static_cast<uint32_t>(iteration), static_cast<uint32_t>(iteration >> 32), individual,
                           (stream << 16) | (slot & 0xFFFFu)}};
    return philox4x32_10(counter, static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32));
}

/// Uniform integer in [0, range) by multiply-shift: no rejection, bias below range / 2^32.
QAPFW_HD uint32_t below(uint32_t word, uint32_t range) {
    return multiply_high(word, range);
}

/// Word `index` of a stream: word index % 4 of slot index / 4. `index` must be below 2^18.
QAPFW_HD uint32_t draw(uint64_t seed, uint64_t iteration, uint32_t individual, uint32_t stream, uint32_t index) {
    return draw4(seed, iteration, individual, stream, index >> 2).word[index & 3u];
}

}  // namespace qapfw::kernels
