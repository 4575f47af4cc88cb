// SPDX-License-Identifier: Apache-2.0
// Rules of a round: who proposes, with which draws and priorities, and what is accepted. One text for host and device.
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// Random bits that choose an entry of the table of -ln(u).
constexpr uint32_t kLogarithmBits = 12;

/// The seed of one of the searches of a run; that of the first one is the run's.
QAPFW_HD uint64_t seed_of_search(uint64_t seed, uint32_t search) {
    return seed + search * 0xd1342543de82ef95ull;
}

/// A number that stands for the round in all of its draws.
QAPFW_HD uint64_t round_key(uint64_t seed, uint64_t number) {
    return kernels::mix64(seed + kernels::mix64(number + 0x9e3779b97f4a7c15ull));
}

/// The position of proposal `k`: one of each four, by draws, so that a quarter of them propose in every round.
QAPFW_HD uint32_t proposing_position(uint64_t key, uint32_t k) {
    return 4 * k + static_cast<uint32_t>(kernels::mix64(key ^ (uint64_t{k} << 32)) & 3);
}

/// 64 random bits of a position in the round with this key.
QAPFW_HD uint64_t draw_of(uint64_t key, uint32_t position) {
    return kernels::mix64(key + position * 0x9e3779b97f4a7c15ull);
}

/// Within a round no two positions have the same.
QAPFW_HD uint32_t priority_in_round(uint64_t key, uint32_t position) {
    uint32_t x = position ^ static_cast<uint32_t>(key);
    x *= 0x9e3779b1u;  // odd: a bijection, as are the other steps
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    return x;
}

/// A claim with a priority in its round: larger in later rounds, so that claims need not be taken back.
QAPFW_HD uint64_t claim_of(uint64_t round, uint32_t priority) {
    return ((round + 1) << 32) | priority;
}
QAPFW_HD uint64_t priority_of(uint64_t round, uint64_t key, uint32_t position) {
    return claim_of(round, priority_in_round(key, position));
}

/// True if an exchange is accepted. `logarithms`: the table of -ln(u); `scale`: the temperature times 2^-16.
template <class Table>
QAPFW_HD bool is_accepted(int64_t delta, uint64_t draw, double scale, const Table& logarithms) {
    if (delta <= 0) return true;
    const auto entry = static_cast<uint32_t>((draw * 0xd1342543de82ef95ull) >> (64 - kLogarithmBits));
    return !(static_cast<double>(delta) > scale * logarithms[entry]);
}

}  // namespace qapfw::mapping
