// SPDX-License-Identifier: Apache-2.0
// New positions of individuals when subpopulations are shuffled (GECCO 2009, section 3.2.2), or when a fraction of the
// individuals is exchanged at random (GA-2, section 4.1). A new position does not depend on the other new positions, so
// the GPUs compute it without the host. A Feistel network with cycle walking is a bijection for any round function
// (Luby and Rackoff 1988; Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

constexpr uint32_t kGaExchangeStream = 105;

/// A random bijection of 0..count-1.
struct RandomBijection {
    uint32_t keys[8];
    uint32_t count;
    uint32_t half;  ///< the Feistel network splits an index into two halves of this many bits; count <= 4^half
};

QAPFW_HD RandomBijection random_bijection(uint64_t seed, uint64_t iteration, uint32_t stream, uint32_t count) {
    RandomBijection bijection{};
    for (uint32_t slot = 0; slot < 2; ++slot) {
        const Philox4 words = draw4(seed, iteration, 0, stream, slot);
        for (uint32_t k = 0; k < 4; ++k) bijection.keys[4 * slot + k] = words.word[k];
    }
    bijection.count = count;
    bijection.half = 1;
    while ((uint64_t{1} << (2 * bijection.half)) < count) ++bijection.half;
    return bijection;
}

/// The image of an index. Expected work: at most four passes of eight rounds.
QAPFW_HD uint32_t image(const RandomBijection& bijection, uint32_t index) {
    const uint32_t mask = (1u << bijection.half) - 1;
    do {
        uint32_t left = index >> bijection.half, right = index & mask;
        for (uint32_t key : bijection.keys) {
            const uint64_t mixed = mix64((static_cast<uint64_t>(key) << 32) | right);
            const uint32_t next = left ^ (static_cast<uint32_t>(mixed >> 32) & mask);
            left = right;
            right = next;
        }
        index = (left << bijection.half) | right;
    } while (index >= bijection.count);
    return index;
}

/// One move of an exchange: the individual that has number `from` in the run becomes number `to`.
struct GaMove {
    uint32_t from, to;
};

/// Returns move k of an exchange that makes `moved` moves. If all individuals move, the moves form a random
/// permutation, in which some individuals may keep their number. If fewer move, they are chosen at random and form one
/// random cycle: each takes the number of the next one.
QAPFW_HD GaMove ga_move(const RandomBijection& bijection, uint32_t k, uint32_t moved) {
    if (moved == bijection.count) return {k, image(bijection, k)};
    return {image(bijection, k), image(bijection, k + 1 == moved ? 0 : k + 1)};
}

}  // namespace qapfw::kernels
