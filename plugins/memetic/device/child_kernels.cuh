// SPDX-License-Identifier: Apache-2.0
// A child of every island, before and after the improvers have worked on them.
#pragma once

#include "plugins/memetic/device/islands.cuh"

namespace qapfw::memetic {

/// The next child, in this seat, with its cost.
QAPFW_DEVICE void make_child(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint32_t seat) {
    if (!own.make_child(seat)) return;
    evaluate(all, problem, own.child(), own.child_cost());
    own.count(1);
}

}  // namespace qapfw::memetic

/// Every island of the queue that has done less than `work` in the run makes a child and gives it a seat.
extern "C" __global__ void qapfw_memetic_breed(const __grid_constant__ qapfw::memetic::Arrays all,
                                               const __grid_constant__ qapfw::memetic::Problem::View problem,
                                               qapfw::memetic::IslandQueue queue, uint64_t work) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x, lane = kernels::lane_number();
    const memetic::OnDevice own(all, island, {});
    if (!own.is_in(queue)) return;
    if (all.work[island] >= work) {
        if (lane == 0) all.seats[island] = memetic::kNobody;
        return;
    }
    uint32_t seat = 0;
    if (lane == 0) seat = queue.first_seat + atomicAdd(all.seated.taken + queue.number, 1u);
    seat = __shfl_sync(kernels::kAllLanes, seat, 0);
    memetic::make_child(all, problem, own, seat);
}

/// Where there is no improver: every island of the queue makes `most` children, or as many as it has work for. A seat
/// is taken for each that has more.
extern "C" __global__ void qapfw_memetic_breed_alone(const __grid_constant__ qapfw::memetic::Arrays all,
                                                     const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                     qapfw::memetic::IslandQueue queue, uint64_t work, uint32_t most,
                                                     uint64_t round) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x;
    const memetic::OnDevice own(all, island, {});
    if (!own.is_in(queue)) return;
    for (uint32_t k = 0; k < most && all.work[island] < work; ++k) {
        memetic::make_child(all, problem, own, queue.first_seat + island / queue.parts);
        own.take_in(round);
        memetic::evaluate_from(all, problem, own, own.renew_if_idle());
    }
    if (kernels::lane_number() == 0 && all.work[island] < work) atomicAdd(all.seated.taken + queue.number, 1u);
}

/// The queue's children, as the improver has left them, take their places.
extern "C" __global__ void qapfw_memetic_take_in(const __grid_constant__ qapfw::memetic::Arrays all,
                                                 const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                 qapfw::memetic::IslandQueue queue, uint64_t round) {
    using namespace qapfw;
    const uint32_t island = blockIdx.x;
    const memetic::OnDevice own(all, island, {});
    if (!own.is_in(queue)) return;
    const uint32_t seat = all.seats[island];
    if (seat == memetic::kNobody) return;
    const uint64_t evaluations = all.seated.evaluations[seat];
    if (kernels::lane_number() == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluations));
    own.count(evaluations);
    own.take_in(round);
    memetic::evaluate_from(all, problem, own, own.renew_if_idle());
}
