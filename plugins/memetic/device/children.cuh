// SPDX-License-Identifier: Apache-2.0
// Functions by which a warp makes an island's children and takes these children into the island.
#pragma once

#include "plugins/memetic/device/islands.cuh"

namespace qapfw::memetic {

/// Makes child c of the next brood in seat `seat`, with its cost.
QAPFW_DEVICE void make_child(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint32_t c,
                             uint32_t seat) {
    if (own.make_child(c, seat)) evaluate(all, problem, own.child(c), own.child_cost(c));
}

/// Takes the brood's children, which are those with a seat, into the island and ends the brood. A converged island then
/// grows or restarts.
QAPFW_DEVICE void take_in(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint64_t round) {
    uint32_t c = 0;
    for (; c < all.seats_each && own.seat(c) != kNobody; ++c) own.take_in(c, round);
    own.end_brood(c);
    evaluate_from(all, problem, own, own.renew_if_idle());
}

}  // namespace qapfw::memetic
