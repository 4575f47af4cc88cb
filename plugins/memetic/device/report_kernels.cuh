// SPDX-License-Identifier: Apache-2.0
// What the framework hears of at the end of a round: the island that leads, and the digest of all elites.
#pragma once

#include "plugins/memetic/device/islands.cuh"

/// One CUDA block.
extern "C" __global__ void qapfw_memetic_report(const __grid_constant__ qapfw::memetic::Arrays all,
                                                qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    const uint32_t best = kernels::best_by_block(all.best_costs, all.best_found, all.islands_here);
    auto* const solution = reinterpret_cast<uint8_t*>(report + 1);
    for (uint64_t b = threadIdx.x; b < all.bytes; b += blockDim.x) {
        solution[b] = all.best_solutions[best * all.bytes + b];
    }
    if (threadIdx.x != 0) return;
    report->cost = kernels::cost_bits(all.best_costs[best]);
    report->found = all.best_found[best];
    report->number = all.first_island + best;
}

/// A warp for each elite.
extern "C" __global__ void qapfw_memetic_digest(const __grid_constant__ qapfw::memetic::Arrays all,
                                                qapfw::kernels::PopulationReport* report, uint64_t round) {
    using namespace qapfw;
    const uint32_t k = blockIdx.x * kernels::warp_count() + kernels::warp_number();
    if (k >= all.islands_here * all.size) return;
    const uint64_t solution =
        kernels::solution_digest<memetic::Problem>(reinterpret_cast<const uint16_t*>(all.elite(k)));
    const uint64_t own = kernels::digest_in_round(
        all.individual(k), kernels::digest_search(solution, kernels::cost_bits(all.costs[k]),
                                                  kernels::cost_bits(all.best_costs[k / all.size]), round));
    if (kernels::lane_number() == 0) atomicAdd(&report->digest, static_cast<unsigned long long>(own));
}
