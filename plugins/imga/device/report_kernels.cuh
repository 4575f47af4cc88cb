// SPDX-License-Identifier: Apache-2.0
// Report to the framework at the end of a round: the island that leads, and the digest of all individuals.
#pragma once

#include "plugins/imga/device/islands.cuh"

/// Reports the island that leads, the generation of the last improvement, and the restarts; one CUDA block.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kReportThreads)
    qapfw_imga_report(const __grid_constant__ qapfw::imga::Arrays all, qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    __shared__ unsigned long long latest;
    if (threadIdx.x == 0) latest = 0;
    kernels::report_best(report, all.best_solutions, all.bytes, all.best_costs, all.best_found, all.islands,
                         all.first_island);
    __syncthreads();
    for (uint32_t island = threadIdx.x; island < all.islands; island += imga::kReportThreads) {
        atomicMax(&latest, static_cast<unsigned long long>(all.improved[island]));
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    report->told[imga::kToldImproved] = latest;
    report->told[imga::kToldRestarts] = all.restarts[0];
}

/// Computes the digest of all individuals. Each warp handles `of_warp` individuals.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_digest(const __grid_constant__ qapfw::imga::Arrays all, qapfw::kernels::PopulationReport* report,
                      uint64_t generation, uint32_t of_warp) {
    using namespace qapfw;
    const auto solution = [&](uint32_t k) {
        const uint8_t* const at = all.parents + k * all.bytes;
#ifdef QAPFW_SEGMENTS
        return kernels::segments_digest_by_warp(at);
#else
        return kernels::digest_by_warp(reinterpret_cast<const uint16_t*>(at), all.rules.n, at + all.bits_offset,
                                       all.bits_offset > 0 ? all.rules.n - 1 : 0);
#endif
    };
    const auto best = [&](uint32_t k) { return all.best_costs[k / all.size()]; };
    kernels::digest_by_warps(report, solution, all.costs, best, all.islands * all.size(), all.individual(0), generation,
                             of_warp);
}
