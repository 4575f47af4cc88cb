// SPDX-License-Identifier: Apache-2.0
// Digests of search states. Two runs follow the same trajectory if the digests of all their searches are equal at the
// end of every round. Digests use integers only, and are sums over elements and over searches, so any number of threads
// may compute them in any order.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// Bijective mixing of 64 bits (the finaliser of SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
QAPFW_HD uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/// The summand that element `value` at `position` adds to a solution's digest. Positions are counted from 0 across all
/// segments of the solution.
QAPFW_HD uint64_t digest_element(uint32_t position, uint32_t value) {
    return mix64(((static_cast<uint64_t>(position) << 32) | value) + 0x9E3779B97F4A7C15ull);
}

/// Sum of digest_element over a permutation of `length` elements.
QAPFW_HD uint64_t digest_solution(const uint16_t* solution, uint32_t length) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < length; ++i) sum += digest_element(i, solution[i]);
    return sum;
}

/// Digest of one search: its current solution (digest_solution), its cost, its best cost and the number of iterations
/// it has done. A binary64 cost enters as its bit pattern.
QAPFW_HD uint64_t digest_search(uint64_t solution_digest, int64_t cost, int64_t best_cost, uint64_t iteration) {
    uint64_t state = mix64(solution_digest + 0x9E3779B97F4A7C15ull);
    state = mix64(state + static_cast<uint64_t>(cost));
    state = mix64(state + static_cast<uint64_t>(best_cost));
    return mix64(state + iteration);
}

/// Returns what search number `search` adds to the digest of a round. A round's digest is the sum over all searches.
/// `digest`: the result of digest_search.
QAPFW_HD uint64_t digest_in_round(uint64_t search, uint64_t digest) {
    return mix64(digest + mix64(search + 1));
}

}  // namespace qapfw::kernels
