// SPDX-License-Identifier: Apache-2.0
// The rules of tabu search over the moves of any segments, the same for host and device.
#pragma once

#include "plugins/tabu/device/tabu_rules.hpp"

namespace qapfw::tabu {

/// Divisor of the tenure of a move that sets one value, since such a move has fewer alternatives than a swap. The
/// quotient is rounded up.
constexpr int32_t kSetTenure = 16;

/// Returns the tenure of an element's old value after a move: for how many iterations the element may not get this
/// value back. `word`: a random word. `sets`: true if the move sets one value and is no swap.
QAPFW_HD int32_t segment_tenure(const kernels::TabuOptions& options, uint32_t word, bool sets) {
    const int32_t part = sets ? kSetTenure : 1;
    return (kernels::tabu_tenure(word, options.min_tenure, options.tenure_range) + part - 1) / part;
}

/// True if a move must be made before moves that are only admissible. Without long-term aspiration no move is forced.
/// With it, a move is forced if it would give a new best cost (`aspired`) or if `expiry` is long past. `expiry`: the
/// least expiry of the values that the move's elements would get.
QAPFW_HD bool is_forced(const kernels::TabuOptions& options, int32_t expiry, int32_t now, bool aspired) {
    return options.long_term > 0 && (aspired || expiry < now - options.long_term);
}
/// True if a move may be made.
QAPFW_HD bool is_admissible(int32_t expiry, int32_t now, bool aspired, bool forced) {
    return expiry <= now || aspired || forced;
}

}  // namespace qapfw::tabu
