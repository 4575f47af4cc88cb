// SPDX-License-Identifier: Apache-2.0
// Kernels for the children of every island, before and after the improvers work on them.
#pragma once

#include "plugins/memetic/device/children.cuh"

/// Makes a brood for every island of the queue whose work in the run is below `work`. Each child gets a seat in the
/// scratch memory. One warp per child.
extern "C" __global__ void qapfw_memetic_breed(const __grid_constant__ qapfw::memetic::Arrays all,
                                               const __grid_constant__ qapfw::memetic::Problem::View problem,
                                               qapfw::memetic::IslandQueue queue, uint64_t work) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x / all.seats_each, c = blockIdx.x % all.seats_each, lane = kernels::lane_number();
    const memetic::OnDevice own(all, island, {});
    if (!own.is_in(queue)) return;
    if (all.work[island] >= work || c >= own.brood()) {
        own.leave_out(c);
        return;
    }
    uint32_t seat = 0;
    if (lane == 0) seat = queue.first_seat + atomicAdd(all.seated.taken + queue.number, 1u);
    seat = __shfl_sync(kernels::kAllLanes, seat, 0);
    memetic::make_child(all, problem, own, c, seat);
}

/// Takes the improved children of the queue into their islands.
extern "C" __global__ void qapfw_memetic_take_in(const __grid_constant__ qapfw::memetic::Arrays all,
                                                 const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                 qapfw::memetic::IslandQueue queue, uint64_t round) {
    using namespace qapfw;
    const memetic::OnDevice own(all, blockIdx.x, {});
    if (!own.is_in(queue) || own.seat(0) == kernels::kNobody) return;
    uint64_t evaluations = 0;
    for (uint32_t c = 0; c < all.seats_each && own.seat(c) != kernels::kNobody; ++c) {
        evaluations += all.seated.evaluations[own.seat(c)];
    }
    if (kernels::lane_number() == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluations));
    memetic::take_in(all, problem, own, round);
}
