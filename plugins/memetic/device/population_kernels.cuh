// SPDX-License-Identifier: Apache-2.0
// Kernels for the first elites, and for the work between rounds.
#pragma once

#include "plugins/memetic/device/islands.cuh"

/// Makes the first elites (warm starts, then random solutions), computes their costs and begins the run.
extern "C" __global__ void qapfw_memetic_draw(const __grid_constant__ qapfw::memetic::Arrays all,
                                              const __grid_constant__ qapfw::memetic::Problem::View problem,
                                              const uint8_t* warm, uint64_t warm_count) {
    using namespace qapfw;
    const uint32_t lane = kernels::lane_number();
    const memetic::OnDevice own(all, blockIdx.x, {});
    for (uint32_t k = own.first() + lane; k < own.first() + all.drawn; k += 32) {
        const uint64_t w = all.warm_start(k);
        if (w >= warm_count) {
            own.draw(k, 0);
            continue;
        }
        for (uint64_t b = 0; b < all.bytes; ++b) all.elite(k)[b] = warm[w * all.bytes + b];
    }
    __syncwarp();
    for (uint32_t k = own.first(); k < own.first() + all.drawn; ++k) {
        memetic::evaluate(all, problem, all.elite(k), all.costs + k);
    }
    own.begin();
}

extern "C" __global__ void qapfw_memetic_show(const __grid_constant__ qapfw::memetic::Arrays all) {
    qapfw::memetic::OnDevice(all, blockIdx.x, {}).show();
}

extern "C" __global__ void qapfw_memetic_take_immigrants(const __grid_constant__ qapfw::memetic::Arrays all,
                                                         uint64_t round) {
    qapfw::memetic::OnDevice(all, blockIdx.x, {}).take_immigrants(round);
}

extern "C" __global__ void qapfw_memetic_give_arms(const __grid_constant__ qapfw::memetic::Arrays all,
                                                   const __grid_constant__ qapfw::memetic::Problem::View problem) {
    using namespace qapfw;
    const memetic::OnDevice own(all, blockIdx.x, {});
    memetic::evaluate_from(all, problem, own, own.give_arm(all.next_arms[blockIdx.x]));
}
