// SPDX-License-Identifier: Apache-2.0
// Report to the framework at the end of a round: the best solution of all islands, and the digest of all elites.
#pragma once

#include "plugins/memetic/device/islands.cuh"

/// Writes the best solution of this place's islands into the report, with its cost and the number of its island. Called
/// with one CUDA block.
extern "C" __global__ void qapfw_memetic_report(const __grid_constant__ qapfw::memetic::Arrays all,
                                                qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    kernels::report_best(report, all.best_solutions, all.bytes, all.best_costs, all.best_found, all.islands_here,
                         all.first_island);
}

/// Computes the digest; one warp per elite.
extern "C" __global__ void qapfw_memetic_digest(const __grid_constant__ qapfw::memetic::Arrays all,
                                                qapfw::kernels::PopulationReport* report, uint64_t round) {
    using namespace qapfw;
    const auto solution = [&](uint32_t k) {
        return kernels::solution_digest<memetic::Problem>(reinterpret_cast<const uint16_t*>(all.elite(k)));
    };
    const auto best = [&](uint32_t k) { return all.best_costs[k / all.size]; };
    kernels::digest_by_warps(report, solution, all.costs, best, all.islands_here * all.size, all.individual(0), round,
                             1);
}
