// SPDX-License-Identifier: Apache-2.0
// XORWOW (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003) with the seeding of NVIDIA's
// cuRAND. XORWOW is cuRAND's default generator on devices. A state is made from a seed, then skipped ahead to an offset
// in its sequence. cuRAND skips by powers of the transition matrix. Here the steps are made one by one, which gives the
// same numbers. Only the tournaments of imga can draw from XORWOW.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// The state of one generator. Plain data, the same on host and device.
struct Xorwow {
    uint32_t v[5];  ///< the shift register, newest last
    uint32_t d;     ///< the Weyl sequence

    /// Advances by one number.
    QAPFW_HD void step() {
        const uint32_t t = v[0] ^ (v[0] >> 2);
        for (int k = 0; k < 4; ++k) v[k] = v[k + 1];
        v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
        d += 362437u;
    }
    /// The next number, of 32 bits.
    QAPFW_HD uint32_t next() {
        step();
        return v[4] + d;
    }
};

/// The state that curand_init(seed, 0, offset, state) gives: the next number is number `offset` of the seed's sequence.
QAPFW_HD Xorwow xorwow(uint64_t seed, uint32_t offset) {
    const uint32_t low = 1099087573u * (static_cast<uint32_t>(seed) ^ 0xaad26b49u);
    const uint32_t high = 2591861531u * (static_cast<uint32_t>(seed >> 32) ^ 0xf7dcefddu);
    Xorwow state{{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
                 6615241u + high + low};
    for (uint32_t k = 0; k < offset; ++k) state.step();
    return state;
}

}  // namespace qapfw::kernels
