// SPDX-License-Identifier: Apache-2.0
// Copies children for the improver into one array, with their numbers in the run. Random numbers select the children
// among those that equal no parent. A warp copies one child. The order of the copies does not matter.
#pragma once

#include "plugins/imga/device/islands.cuh"

extern "C" __global__ void qapfw_imga_choose(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    using namespace qapfw;
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31u;
    const uint32_t number = all.individual(k);
    if (k >= all.islands * all.size() || all.changed[k] == 0) return;
    const uint32_t word =
        kernels::draw(all.rules.tournament.seed, generation, number, kernels::kIslandImproveStream, 0);
    if (word >= all.improve) return;
    uint32_t seat = 0;
    if (lane == 0) {
        seat = atomicAdd(all.chosen.count, 1u);
        all.chosen.numbers[seat] = number;
        all.chosen.costs[seat] = all.child_costs[k];
    }
    seat = __shfl_sync(kernels::kAllLanes, seat, 0);
    imga::copy_units(all.chosen.solutions + seat * all.bytes, all.children + k * all.bytes, all.bytes, lane, 32);
}

/// Copies the improved children and their costs from `chosen` back to the islands' children.
extern "C" __global__ void qapfw_imga_take_improved(const __grid_constant__ qapfw::imga::Arrays all, uint32_t count) {
    using namespace qapfw;
    const uint32_t seat = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31u;
    if (seat >= count) return;
    const uint64_t k = all.chosen.numbers[seat] - all.individual(0);
    imga::copy_units(all.children + k * all.bytes, all.chosen.solutions + seat * all.bytes, all.bytes, lane, 32);
    if (lane == 0) all.child_costs[k] = all.chosen.costs[seat];
}
