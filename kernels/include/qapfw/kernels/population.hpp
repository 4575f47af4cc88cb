// SPDX-License-Identifier: Apache-2.0
// Searches in a population in device memory: who is the best or the worst, and whether a solution is already there.
#pragma once

#include "qapfw/kernels/device_team.hpp"

namespace qapfw::kernels {

/// @{
/// A cost as reports and digests have it: a binary64 one as its bit pattern.
QAPFW_DEVICE int64_t cost_bits(int64_t cost) {
    return cost;
}
QAPFW_DEVICE int64_t cost_bits(double cost) {
    return __double_as_longlong(cost);
}
/// @}

/// Number of the calling thread in its warp, 0 to 31.
QAPFW_DEVICE uint32_t lane_number() {
    return threadIdx.x & 31u;
}
/// Number of the calling thread's warp in its CUDA block, from 0.
QAPFW_DEVICE uint32_t warp_number() {
    return threadIdx.x / 32;
}
/// Warps of the CUDA block, whose threads are a multiple of 32.
QAPFW_DEVICE uint32_t warp_count() {
    return blockDim.x / 32;
}

/// The best of individuals first..first+count-1 by a warp: the least cost, then the earliest find, then the first.
template <class Cost>
QAPFW_DEVICE uint32_t best_by_warp(const Cost* costs, const uint64_t* found, uint32_t first, uint32_t count) {
    uint32_t best = first + (lane_number() < count ? lane_number() : 0);
    Cost best_cost = costs[best];
    uint64_t best_at = found[best];
    const auto take_if_better = [&](Cost cost, uint64_t at, uint32_t k) {
        if (cost != best_cost ? !(cost < best_cost) : at != best_at ? at > best_at : k >= best) return;
        best = k;
        best_cost = cost;
        best_at = at;
    };
    for (uint32_t k = best + 32; k < first + count; k += 32) take_if_better(costs[k], found[k], k);
    for (int distance = 16; distance > 0; distance /= 2) {
        const Cost cost = __shfl_xor_sync(kAllLanes, best_cost, distance);
        const uint64_t at = __shfl_xor_sync(kAllLanes, best_at, distance);
        take_if_better(cost, at, __shfl_xor_sync(kAllLanes, best, distance));
    }
    return best;
}

/// The best of `count` individuals, in the same order of preference, by all threads of a CUDA block.
template <class Cost>
QAPFW_DEVICE uint32_t best_by_block(const Cost* costs, const uint64_t* found, uint32_t count) {
    __shared__ uint32_t of_warps[32];
    const uint32_t share = (count + warp_count() - 1) / warp_count();
    const uint32_t first = warp_number() * share < count ? warp_number() * share : count - 1;
    of_warps[warp_number()] = best_by_warp(costs, found, first, share < count - first ? share : count - first);
    __syncthreads();
    uint32_t best = of_warps[0];
    for (uint32_t warp = 1; warp < warp_count(); ++warp) {
        const uint32_t k = of_warps[warp];
        if (costs[k] < costs[best] || (costs[k] == costs[best] && found[k] < found[best])) best = k;
    }
    __syncthreads();
    return best;
}

/// The first of `count` individuals from `first` on whose cost is extreme: no other cost is `better` than it. `better`
/// decides whether that is the least or the greatest cost. By a warp.
template <class Cost, class Better>
QAPFW_DEVICE uint32_t extreme_by_warp(const Cost* costs, uint32_t first, uint32_t count, Better better) {
    uint32_t found = first + (lane_number() < count ? lane_number() : 0);
    for (uint32_t k = found + 32; k < first + count; k += 32) {
        if (better(costs[k], costs[found])) found = k;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kAllLanes, found, distance);
        const bool equal = !better(costs[other], costs[found]) && !better(costs[found], costs[other]);
        if (equal ? other < found : better(costs[other], costs[found])) found = other;
    }
    return found;
}

/// Whether one of `count` solutions from `first` on, `stride` elements apart, equals `wanted`. By all threads of a CUDA
/// block.
QAPFW_DEVICE bool held_by_block(const uint16_t* first, uint64_t stride, uint32_t count, const uint16_t* wanted,
                                uint32_t values) {
    __shared__ uint32_t held;
    if (threadIdx.x == 0) held = 0;
    __syncthreads();
    for (uint32_t k = warp_number(); k < count; k += warp_count()) {
        bool different = false;
        for (uint32_t v = lane_number(); v < values; v += 32) different |= first[k * stride + v] != wanted[v];
        if (__ballot_sync(kAllLanes, different) == 0 && lane_number() == 0) held = 1;
    }
    __syncthreads();
    return held != 0;
}

}  // namespace qapfw::kernels
