// SPDX-License-Identifier: Apache-2.0
// Rules of a round: which positions propose, with which draws and priorities, and which swaps are accepted. Host
// and device compile the same text.
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// Number of random bits that choose an entry of the table of -ln(u).
constexpr uint32_t kLogarithmBits = 12;

/// Returns the seed of one of the searches of a run. The first search has the seed of the run.
QAPFW_HD uint64_t seed_of_search(uint64_t seed, uint32_t search) {
    return seed + search * 0xd1342543de82ef95ull;
}

/// Returns a key on which all draws of the round depend.
QAPFW_HD uint64_t round_key(uint64_t seed, uint64_t number) {
    return kernels::mix64(seed + kernels::mix64(number + 0x9e3779b97f4a7c15ull));
}

/// Returns the position of proposal `k`: one of the positions 4k to 4k + 3, chosen at random. So a quarter of the
/// positions propose in a round. The returned position may be beyond the last position.
QAPFW_HD uint32_t proposing_position(uint64_t key, uint32_t k) {
    return 4 * k + static_cast<uint32_t>(kernels::mix64(key ^ (uint64_t{k} << 32)) & 3);
}

/// Returns 64 random bits for a position in the round that has this key.
QAPFW_HD uint64_t draw_of(uint64_t key, uint32_t position) {
    return kernels::mix64(key + position * 0x9e3779b97f4a7c15ull);
}

/// Returns the priority of a position. No two positions have the same priority in a round.
QAPFW_HD uint32_t priority_in_round(uint64_t key, uint32_t position) {
    uint32_t x = position ^ static_cast<uint32_t>(key);
    x *= 0x9e3779b1u;  // the factor is odd, so this is a bijection, as are the other steps
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    return x;
}

/// Returns the claim with this priority in round `round`. Claims of later rounds are larger, so old claims need not be
/// removed.
QAPFW_HD uint64_t claim_of(uint64_t round, uint32_t priority) {
    return ((round + 1) << 32) | priority;
}
/// Returns the claim that a proposal of `position` makes in round `round`, on both positions of the proposed swap.
QAPFW_HD uint64_t priority_of(uint64_t round, uint64_t key, uint32_t position) {
    return claim_of(round, priority_in_round(key, position));
}

/// Returns whether a swap is accepted. `logarithms` is the table of -ln(u), `scale` the temperature times 2^-16.
template <class Table>
QAPFW_HD bool is_accepted(int64_t delta, uint64_t draw, double scale, const Table& logarithms) {
    if (delta <= 0) return true;
    const auto entry = static_cast<uint32_t>((draw * 0xd1342543de82ef95ull) >> (64 - kLogarithmBits));
    return !(static_cast<double>(delta) > scale * logarithms[entry]);
}

}  // namespace qapfw::mapping
