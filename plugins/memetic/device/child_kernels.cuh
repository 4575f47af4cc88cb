// SPDX-License-Identifier: Apache-2.0
// Children of every island, before and after the improvers have worked on them.
#pragma once

#include "plugins/memetic/device/islands.cuh"

namespace qapfw::memetic {

/// Child c of the next brood, in this seat, with its cost.
QAPFW_DEVICE void make_child(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint32_t c,
                             uint32_t seat) {
    if (own.make_child(c, seat)) evaluate(all, problem, own.child(c), own.child_cost(c));
}

/// The brood's children that have a seat take their places, and so the brood ends.
QAPFW_DEVICE void take_in(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint64_t round) {
    uint32_t c = 0;
    for (; c < all.seats_each && own.seat(c) != kNobody; ++c) own.take_in(c, round);
    own.end_brood(c);
    evaluate_from(all, problem, own, own.renew_if_idle());
}

}  // namespace qapfw::memetic

/// A warp for each child of a brood: every island of the queue that has done less than `work` in the run makes one, and
/// gives each child a seat.
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

/// Where there is no improver: every island of the queue makes `most` broods, or as many as it has work for. A seat
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
        const uint32_t brood = own.brood(), first_seat = queue.first_seat + island / queue.parts * all.seats_each;
        for (uint32_t c = 0; c < brood; ++c) memetic::make_child(all, problem, own, c, first_seat + c);
        for (uint32_t c = brood; c < all.seats_each; ++c) own.leave_out(c);
        memetic::take_in(all, problem, own, round);
    }
    if (kernels::lane_number() == 0 && all.work[island] < work) atomicAdd(all.seated.taken + queue.number, 1u);
}

/// The queue's children, as the improver has left them, take their places.
extern "C" __global__ void qapfw_memetic_take_in(const __grid_constant__ qapfw::memetic::Arrays all,
                                                 const __grid_constant__ qapfw::memetic::Problem::View problem,
                                                 qapfw::memetic::IslandQueue queue, uint64_t round) {
    using namespace qapfw;
    const memetic::OnDevice own(all, blockIdx.x, {});
    if (!own.is_in(queue) || own.seat(0) == memetic::kNobody) return;
    uint64_t evaluations = 0;
    for (uint32_t c = 0; c < all.seats_each && own.seat(c) != memetic::kNobody; ++c) {
        evaluations += all.seated.evaluations[own.seat(c)];
    }
    if (kernels::lane_number() == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluations));
    memetic::take_in(all, problem, own, round);
}
