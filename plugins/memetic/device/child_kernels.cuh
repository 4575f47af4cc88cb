// SPDX-License-Identifier: Apache-2.0
// A child of every island, before and after the improvers have worked on them.
#pragma once

#include "plugins/memetic/device/islands.cuh"

/// Every island that has done less than `work` in the run makes a child and gives it a seat of its arm.
extern "C" __global__ void qapfw_memetic_breed(const __grid_constant__ qapfw::memetic::Arrays all,
                                               const __grid_constant__ qapfw::memetic::Problem::View problem,
                                               uint64_t work) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x, lane = kernels::lane_number(), arm = all.arms[island];
    if (all.work[island] >= work) {
        if (lane == 0) all.seats[island] = memetic::kNobody;
        return;
    }
    uint32_t seat = 0;
    if (lane == 0) seat = arm * all.islands_here + atomicAdd(all.seated.taken + arm, 1u);
    seat = __shfl_sync(kernels::kAllLanes, seat, 0);
    const memetic::OnDevice own(all, island, {});
    if (own.make_child(seat)) {
        memetic::evaluate(all, problem, own.child(), own.child_cost());
        own.count(1);
    }
}

/// The children, as the improvers have left them, take their places.
extern "C" __global__ void qapfw_memetic_take_in(const __grid_constant__ qapfw::memetic::Arrays all,
                                                 const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                 uint64_t round) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x, seat = all.seats[island];
    if (seat == memetic::kNobody) return;
    const memetic::OnDevice own(all, island, {});
    const uint64_t evaluations = all.seated.evaluations[seat];
    if (kernels::lane_number() == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluations));
    own.count(evaluations);
    own.take_in(round);
    memetic::evaluate_from(all, problem, own, own.renew_if_idle());
}
