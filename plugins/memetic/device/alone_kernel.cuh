// SPDX-License-Identifier: Apache-2.0
// The kernel that makes broods and takes them into their islands in one launch, for arms without an improver.
#pragma once

#include "plugins/memetic/device/children.cuh"

/// Every island of the queue makes at most `most` broods. An island stops earlier if its work since the run began
/// reaches `work`. The kernel then adds to the queue's Seats::taken the number of islands whose work is below `work`.
extern "C" __global__ void qapfw_memetic_breed_alone(const __grid_constant__ qapfw::memetic::Arrays all,
                                                     const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                     qapfw::memetic::IslandQueue queue, uint64_t work, uint32_t most,
                                                     uint64_t round) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x;
    const memetic::OnDevice own(all, island, {});
    if (!own.is_in(queue)) return;
    for (uint32_t k = 0; k < most && all.work[island] < work; ++k) {
        const uint32_t brood = own.brood(), first_seat = queue.first_seat + island / queue.parts * all.seats_each;
        for (uint32_t c = 0; c < brood; ++c) memetic::make_child(all, problem, own, c, first_seat + c);
        for (uint32_t c = brood; c < all.seats_each; ++c) own.leave_out(c);
        memetic::take_in(all, problem, own, round);
    }
    if (kernels::lane_number() == 0 && all.work[island] < work) atomicAdd(all.seated.taken + queue.number, 1u);
}
