// SPDX-License-Identifier: Apache-2.0
// Who lives of parents and children, an island to a CUDA block.
#pragma once

#include "plugins/imga/device/islands.cuh"

namespace qapfw::imga {

/// The worst children give way to the best parents, then the children are the population. By all threads.
QAPFW_DEVICE void let_elites_live(const Arrays& all, uint32_t island) {
    const uint32_t size = all.rules.tournament.size, warp = threadIdx.x / 32, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size;
    uint32_t* const elites = all.sorted + 2 * first;
    uint32_t* const places = elites + all.elites;
    uint32_t next = kNobody;
    for (uint32_t e = 0; warp < 2 && e < all.elites; ++e) {
        next = warp == 0 ? next_by_warp<false>(all.costs + first, size, next)
                         : next_by_warp<true>(all.child_costs + first, size, next);
        if (lane == 0) (warp == 0 ? elites : places)[e] = next;
    }
    __syncthreads();
    for (uint32_t e = warp; e < all.elites; e += kWarps) {
        copy_units(all.children + (first + places[e]) * all.bytes, all.parents + (first + elites[e]) * all.bytes,
                   all.bytes, lane, 32);
        if (lane == 0) all.child_costs[first + places[e]] = all.costs[first + elites[e]];
    }
}

/// By one thread, with the candidates sorted: for each place the candidate that has it, itself where a parent stays.
/// What is read in `sorted` lies before what is written.
template <class CostOf>
QAPFW_DEVICE void choose_distinct(const CostOf& cost, uint32_t* sorted, uint32_t size) {
    constexpr uint32_t kLives = 0x80000000u;
    uint32_t living = 0;
    for (uint32_t c = 0; c < 2 * size && living < size; ++c) {
        const bool again = c > 0 && kernels::island_equal_costs(cost(sorted[c - 1] & ~kLives), cost(sorted[c]));
        if (again) continue;
        sorted[c] |= kLives;
        ++living;
    }
    for (uint32_t c = 0; living < size; ++c) {
        if ((sorted[c] & kLives) != 0) continue;
        sorted[c] |= kLives;
        ++living;
    }
}

/// The best of parents and children by cost, no two of equal cost where there are enough. By all threads.
QAPFW_DEVICE void take_best_distinct(const Arrays& all, uint32_t island) {
    const uint32_t size = all.rules.tournament.size;
    const uint64_t first = uint64_t{island} * size;
    uint32_t* const sorted = all.sorted + 2 * first;
    uint8_t* const lives = all.mirrors + first * all.bytes;  // the crossover is over; 2 bytes for each member
    const auto cost = [&](uint32_t c) { return c < size ? all.costs[first + c] : all.child_costs[first + c - size]; };
    for (uint32_t c = threadIdx.x; c < 2 * size; c += kThreads) sorted[kernels::rank_of(cost, c, 2 * size)] = c;
    __syncthreads();
    if (threadIdx.x == 0) choose_distinct(cost, sorted, size);
    __syncthreads();
    for (uint32_t c = threadIdx.x; c < 2 * size; c += kThreads) lives[sorted[c] & 0x7FFFFFFFu] = sorted[c] >> 31;
    __syncthreads();
    if (threadIdx.x == 0) {  // the children that live, in order, take the places of parents that do not
        uint32_t next = size;
        for (uint32_t place = 0; place < size; ++place) {
            sorted[place] = place;
            if (lives[place] != 0) continue;
            while (lives[next] == 0) ++next;
            sorted[place] = next++;
        }
    }
    __syncthreads();
    for (uint32_t place = threadIdx.x / 32; place < size; place += kWarps) {
        const uint32_t from = sorted[place];
        if (from == place) continue;
        copy_units(all.parents + (first + place) * all.bytes, all.children + (first + from - size) * all.bytes,
                   all.bytes, threadIdx.x & 31u, 32);
        if ((threadIdx.x & 31u) == 0) all.costs[first + place] = all.child_costs[first + from - size];
    }
}

}  // namespace qapfw::imga

/// Replacement and the island's best: a CUDA block for each island. Where not `distinct`, the children are then the
/// population, and the host exchanges the arrays.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_replace(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    using namespace qapfw;
    const bool distinct = all.distinct != 0;
    if (distinct) {
        imga::take_best_distinct(all, blockIdx.x);
    } else {
        imga::let_elites_live(all, blockIdx.x);
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    imga::keep_best(all, distinct ? all.parents : all.children, distinct ? all.costs : all.child_costs, blockIdx.x,
                    generation);
}
