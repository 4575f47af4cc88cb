// SPDX-License-Identifier: Apache-2.0
// First individuals of islands, or new ones after a restart. A thread draws an individual, a warp evaluates it; an
// improver may work on the individuals before the islands begin.
#pragma once

#include "plugins/imga/device/islands.cuh"

namespace qapfw::imga {

QAPFW_DEVICE void draw_individual(const Arrays& all, const uint8_t* warm, uint64_t warm_count, uint64_t k,
                                  uint64_t generation) {
    uint8_t* const at = all.parents + k * all.bytes;
    const uint64_t w = all.warm_start(k);
    if (w < warm_count) {
        copy_units(at, warm + w * all.bytes, all.bytes, 0, 1);
        return;
    }
    copy_units(at, reinterpret_cast<const uint8_t*>(all.rules.fixed_solution), all.bytes, 0, 1);
#ifdef QAPFW_SEGMENTS
    kernels::draw_segments(all.segments, at, all.rules.tournament.seed, generation, all.individual(k));
#else
    kernels::with_views<kWithBits>(all.bits_offset, [&](const auto& view) {
        kernels::island_draw(all.rules, view(at), all.positions + k * all.rules.n, generation, all.individual(k));
    });
#endif
}

}  // namespace qapfw::imga

/// A CUDA block draws and evaluates at most kThreads individuals of one island. `warm`: the warm starts. They take the
/// places of random individuals.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_draw(const __grid_constant__ qapfw::imga::Arrays all,
                    const __grid_constant__ qapfw::imga::Problem::View view, const uint8_t* warm, uint64_t warm_count,
                    uint64_t generation) {
    using namespace qapfw;
    constexpr uint32_t kScratch = imga::kCostUnits;
    __shared__ kernels::SolutionUnit scratch[imga::kWarps * kScratch + 1];
    const uint32_t size = all.rules.tournament.size, tiles = (size + imga::kThreads - 1) / imga::kThreads;
    const uint32_t island = blockIdx.x / tiles, first = blockIdx.x % tiles * imga::kThreads;
    const uint32_t count = size - first < imga::kThreads ? size - first : imga::kThreads;
    const uint64_t own = uint64_t{island} * size + first + threadIdx.x;
    if (threadIdx.x < count) imga::draw_individual(all, warm, warm_count, own, generation);
    __syncthreads();
    for (uint32_t i = threadIdx.x / 32; i < count; i += imga::kWarps) {
        const uint64_t k = uint64_t{island} * size + first + i;
        const imga::Cost cost =
            imga::cost_of(all, view, all.parents + k * all.bytes, scratch + threadIdx.x / 32 * kScratch);
        if ((threadIdx.x & 31u) == 0) all.costs[k] = cost;
        __syncwarp();
    }
    if (threadIdx.x == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(count));
}

/// Notes the best individual of each island after new individuals were made. One warp does this for one island. In
/// generation 0 the islands have no earlier bests.
extern "C" __global__ void qapfw_imga_begin(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    qapfw::imga::IslandOfWarp(all, blockIdx.x).begin(generation);
}
