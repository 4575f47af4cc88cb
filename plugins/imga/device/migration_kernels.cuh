// SPDX-License-Identifier: Apache-2.0
// Migration on the device, a warp for each island: emigrants are copied aside, then every island takes in those that
// its sources show.
#pragma once

#include "plugins/imga/device/islands.cuh"

namespace qapfw::imga {

/// Copies of the best of an island, the best first.
QAPFW_DEVICE void show_best(const Arrays& all, uint32_t island) {
    const uint32_t size = all.size(), count = all.migration.emigrants, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size, seat = uint64_t{all.first_island + island} * count;
    uint32_t member = kNobody;
    for (uint32_t rank = 0; rank < count; ++rank) {
        member = next_by_warp<false>(all.costs + first, size, member);
        copy_units(all.emigrants.solutions + (seat + rank) * all.bytes, all.parents + (first + member) * all.bytes,
                   all.bytes, lane, 32);
        if (lane == 0) all.emigrants.costs[seat + rank] = all.costs[first + member];
    }
}

/// Only who is better than the one that would go, and whose cost the island does not have.
QAPFW_DEVICE bool is_welcome(const Cost* costs, uint32_t size, Cost newcomer, Cost worst) {
    uint32_t alike = 0;
    for (uint32_t k = threadIdx.x & 31u; k < size; k += 32) {
        alike += kernels::island_equal_costs(costs[k], newcomer) ? 1u : 0u;
    }
    return newcomer < worst && kernels::WarpGroup{}.sum(alike) == 0;
}

/// Immigrants take the places of the worst.
QAPFW_DEVICE void take_immigrants(const Arrays& all, uint32_t island, uint64_t generation) {
    const uint32_t size = all.size(), count = all.migration.migrants, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size;
    const kernels::IslandSources sources = all.sources(island, generation);
    Cost* const costs = all.costs + first;
    uint32_t* const places = all.sorted + 2 * first;
    uint32_t member = kNobody, taken = 0;
    for (uint32_t m = 0; m < count; ++m) {
        member = next_by_warp<true>(costs, size, member);
        if (lane == 0) places[m] = member;
    }
    __syncwarp();
    for (uint32_t m = 0; m < count; ++m) {
        const uint64_t from = all.immigrant(sources, generation, m);
        const uint32_t to = places[taken];
        if (all.distinct != 0 && !is_welcome(costs, size, all.emigrants.costs[from], costs[to])) continue;
        __syncwarp();
        copy_units(all.parents + (first + to) * all.bytes, all.emigrants.solutions + from * all.bytes, all.bytes, lane,
                   32);
        if (lane == 0) costs[to] = all.emigrants.costs[from];
        __syncwarp();
        ++taken;
    }
    keep_best(all, all.parents, all.costs, island, generation);
}

}  // namespace qapfw::imga

/// The emigrants of this place's islands.
extern "C" __global__ void qapfw_imga_emigrate(const __grid_constant__ qapfw::imga::Arrays all) {
    qapfw::imga::show_best(all, blockIdx.x);
}

/// When the emigrants of all islands are there.
extern "C" __global__ void qapfw_imga_immigrate(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    qapfw::imga::take_immigrants(all, blockIdx.x, generation);
}
