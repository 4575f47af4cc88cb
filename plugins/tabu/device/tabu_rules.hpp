// SPDX-License-Identifier: Apache-2.0
// The rules of robust tabu search that must be equal on host and device to the last bit: tenures, swaps of a
// perturbation, first expiries and rebasing. Source: E. Taillard, "Robust taboo search for the QAP" (1991), in the form
// of section 4.2 of Tsutsui and Fujimoto, "ACO with tabu search on a GPU" (MEDAL 2011005). Integer arithmetic only.
#pragma once

#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// The stream of the tenure draws if the caller names no other; perturbations use the next stream.
constexpr uint32_t kTabuStream = 64;

/// The expiries of tabu moves are 32-bit numbers of iterations, relative to a base iteration. When a search is this
/// many iterations beyond its base, the base is moved up.
constexpr int32_t kRebasePeriod = 1 << 30;
/// Least expiry. It lies further back than any long-term aspiration looks, so clamping to it changes no decision.
constexpr int32_t kOldestExpiry = -2147483647;

/// The settings of a tabu search. Plain data, the same on host and device.
struct TabuOptions {
    uint64_t seed;
    uint64_t random_base;  ///< added to the iteration in every draw; an improver uses another value in every generation
    uint64_t perturb_after;  ///< iterations without a new best before a perturbation; 0 = never
    int32_t min_tenure;      ///< least tenure, at least 0
    int32_t tenure_range;    ///< T: tenure = min_tenure + int(r^3 T); min_tenure + T < 2^29
    int32_t long_term;       ///< Taillard's long-term aspiration, in iterations, below 2^30; 0 = off
    uint32_t perturb_swaps;  ///< number of random swaps in one perturbation
    /// 1: a perturbation starts from the best solution of the search, 0: from the current one
    uint32_t restart_at_best;
    uint32_t stream;  ///< tenures draw from `stream`, perturbations from `stream` + 1
};

/// A tenure: min_tenure + int(r^3 T) with T = tenure_range and r = u / 65536, where u is the upper 16 bits of `word`.
QAPFW_HD int32_t tabu_tenure(uint32_t word, int32_t min_tenure, int32_t tenure_range) {
    const uint32_t u = word >> 16;
    const uint32_t cube = static_cast<uint32_t>((static_cast<uint64_t>(u * u) * u) >> 16);  // r^3 as a 32-bit fraction
    return min_tenure + static_cast<int32_t>(multiply_high(cube, static_cast<uint32_t>(tenure_range)));
}

/// The random words of an iteration of a search: word 0 gives the tenure of the move's smaller position, word 1 that of
/// the larger one.
QAPFW_HD Philox4 tabu_tenure_words(const TabuOptions& options, uint64_t iteration, uint32_t search) {
    return draw4(options.seed, options.random_base + iteration, search, options.stream, 0);
}

/// Draws swap number `index` of the perturbation at the end of `iteration`. `first` and `second` become two distinct
/// indices into the ascending list of the `movable` free positions. Needs movable >= 2.
QAPFW_HD void tabu_perturbation_pair(const TabuOptions& options, uint64_t iteration, uint32_t search, uint32_t index,
                                     uint32_t movable, uint32_t& first, uint32_t& second) {
    const Philox4 words =
        draw4(options.seed, options.random_base + iteration, search, options.stream + 1, index & 0xFFFFu);
    first = below(words.word[0], movable);
    second = below(words.word[1], movable - 1);
    if (second >= first) ++second;
}

/// Makes the perturbation at the end of `iteration`: options.perturb_swaps swaps, each at two random free positions.
/// `movable`: number of free positions. at(k): the element at the k-th free position.
template <class At>
QAPFW_HD void tabu_perturb(const TabuOptions& options, uint64_t iteration, uint32_t search, uint32_t movable,
                           const At& at) {
    for (uint32_t k = 0; k < options.perturb_swaps && movable >= 2; ++k) {
        uint32_t i = 0, j = 0;
        tabu_perturbation_pair(options, iteration, search, k, movable, i, j);
        const uint16_t element = at(i);
        at(i) = at(j);
        at(j) = element;
    }
}

/// The expiry of (position, value) before the first iteration. Expiries are staggered as in Taillard's code, so that
/// long-term aspiration asks for one unused assignment after the other and not for all at once.
QAPFW_HD int32_t tabu_first_expiry(uint32_t n, uint32_t position, uint32_t value) {
    return -static_cast<int32_t>(n * position + value);
}

/// Converts `expiry`, an iteration counted from a base, to a base that lies `shift` iterations later. The result is at
/// least kOldestExpiry.
QAPFW_HD int32_t tabu_rebased(int32_t expiry, int64_t shift) {
    const int64_t moved = static_cast<int64_t>(expiry) - shift;
    return moved < kOldestExpiry ? kOldestExpiry : static_cast<int32_t>(moved);
}

}  // namespace qapfw::kernels
