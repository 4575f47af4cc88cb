// SPDX-License-Identifier: Apache-2.0
// Work of kernels on a population in device memory: find the best, the worst, or the next by cost; find a solution;
// copy solutions; report at the end of a round.
#pragma once

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/population_report.hpp"

namespace qapfw::kernels {

/// @{
/// Returns a cost as the integer that is stored in reports and digests. A binary64 cost becomes its bit pattern.
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
/// Number of warps of the CUDA block. The block must have a multiple of 32 threads.
QAPFW_DEVICE uint32_t warp_count() {
    return blockDim.x / 32;
}

/// Returns the number of the best among the individuals first..first+count-1: the one with the least cost. If several
/// have the least cost, the one found earliest is the best. If several of these were found at the same time, the one
/// with the lowest number is the best. Called by a warp.
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

/// Returns the number of the best of `count` individuals, as best_by_warp orders them. Called by all threads of a CUDA
/// block.
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

/// Looks at `count` individuals, from number `first` on. Returns the number of one whose cost is extreme: no other cost
/// is `better`. If several have this cost, returns the lowest number. `better` decides whether the extreme is the least
/// or the greatest cost. Called by a whole warp.
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

/// Returns the number of the individual that follows `last` in an order of `size` individuals. If `last` is kNobody,
/// returns the number of the first individual. Returns kNobody if none follows. The order is by cost, and by number if
/// costs are equal; kFromWorst reverses the order. A warp calls this function.
template <bool kFromWorst, class Cost>
QAPFW_DEVICE uint32_t next_by_warp(const Cost* costs, uint32_t size, uint32_t last) {
    const auto comes_first = [](Cost a, uint32_t number_a, Cost b, uint32_t number_b) {
        return (a < b || (a == b && number_a < number_b)) != kFromWorst;
    };
    const Cost last_cost = costs[last == kNobody ? 0 : last];
    uint32_t next = kNobody;
    Cost next_cost = last_cost;
    for (uint32_t k = lane_number(); k < size; k += 32) {
        const Cost cost = costs[k];
        if (k == last || (last != kNobody && comes_first(cost, k, last_cost, last))) continue;
        if (next != kNobody && !comes_first(cost, k, next_cost, next)) continue;
        next = k;
        next_cost = cost;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kAllLanes, next, distance);
        const Cost other_cost = __shfl_xor_sync(kAllLanes, next_cost, distance);
        if (other == kNobody || other == next) continue;
        if (next != kNobody && !comes_first(other_cost, other, next_cost, next)) continue;
        next = other;
        next_cost = other_cost;
    }
    return next;
}

/// The rank, from 0, of candidate k if `count` candidates are sorted by cost, and equal ones by number. cost(k) returns
/// the cost of candidate k. One thread calls this function.
template <class CostOf>
QAPFW_DEVICE uint32_t rank_of(const CostOf& cost, uint32_t k, uint32_t count) {
    const auto own = cost(k);
    uint32_t rank = 0;
    for (uint32_t other = 0; other < count; ++other) {
        const auto its = cost(other);
        rank += its < own || (its == own && other < k) ? 1u : 0u;
    }
    return rank;
}

/// The unit in which solutions are copied. A solution, and all that is copied with it, fills a whole number of units
/// and is aligned to the unit's size.
struct alignas(16) SolutionUnit {
    uint64_t words[2];  ///< contents of the unit
};

/// Copies `count` bytes, a multiple of sizeof(SolutionUnit). Each of `threads` threads calls it with its own `rank`.
QAPFW_DEVICE void copy_units(uint8_t* to, const uint8_t* from, uint64_t count, uint32_t rank, uint32_t threads) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // keeps the code small: each lane copies few units, and many functions contain this loop
#endif
    for (uint64_t u = rank; u < count / sizeof(SolutionUnit); u += threads) {
        reinterpret_cast<SolutionUnit*>(to)[u] = reinterpret_cast<const SolutionUnit*>(from)[u];
    }
}

/// True if the `count` bytes at `a` equal those at `b`. `count`: a multiple of 4. Called by a warp.
QAPFW_DEVICE bool same_by_warp(const uint8_t* a, const uint8_t* b, uint64_t count) {
    bool differs = false;
    for (uint64_t w = lane_number(); w < count / 4; w += 32) {
        if (reinterpret_cast<const uint32_t*>(a)[w] != reinterpret_cast<const uint32_t*>(b)[w]) differs = true;
    }
    return __ballot_sync(kAllLanes, differs) == 0;
}

/// True if the first `values` elements of `wanted` equal those of one of `count` solutions. The solutions begin at
/// `first` and are `stride` elements apart. Called by all threads of a CUDA block.
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

/// A solution in memory, in the form that a problem's cost function reads. Members of this struct say at run time
/// whether positions are fixed and whether there are bits.
struct SolutionOfRun {
    const uint16_t* solution;  ///< elements in the order of the original positions
    const uint16_t* order;     ///< original position of each position of the device code; null: both orders are equal
    const uint8_t* bits;       ///< bits of the solution; null: none
    /// Returns the element at `position`, which is numbered as in the device code.
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        if (order != nullptr) return solution[order[position]];
#endif
        return solution[position];
    }
    /// Bit k; 0 if solutions have no bits.
    QAPFW_DEVICE int bit(int k) const {
        return bits == nullptr ? 0 : bits[k];
    }
};

/// Shared memory that a warp needs to compute a cost, in SolutionUnits. 0: the problem needs none, or more than `kMost`
/// bytes.
template <class Problem, uint64_t kMost>
constexpr uint32_t cost_units() {
    if constexpr (requires { Problem::kScratchBytes; }) {
        constexpr uint64_t kUnits = (Problem::kScratchBytes + sizeof(SolutionUnit) - 1) / sizeof(SolutionUnit);
        return kUnits * sizeof(SolutionUnit) <= kMost ? static_cast<uint32_t>(kUnits) : 0;
    } else {
        return 0;
    }
}

/// Computes the cost of a solution with a warp; all lanes get it. `scratch`: kUnits elements of shared memory.
template <class Problem, uint32_t kUnits, class Solution>
QAPFW_DEVICE auto cost_by_warp(const typename Problem::View& view, const Solution& solution, SolutionUnit* scratch) {
    if constexpr (kUnits > 0) {
        return Problem::cost_in(WarpGroup{}, view, solution, static_cast<void*>(scratch));
    } else {
        return Problem::cost(WarpGroup{}, view, solution);
    }
}

/// Returns the digest of a solution: a permutation of `values` elements, and `bit_count` bits. Called by a warp.
QAPFW_DEVICE uint64_t digest_by_warp(const uint16_t* solution, uint32_t values, const uint8_t* bits,
                                     uint32_t bit_count) {
    uint64_t sum = 0;
    for (uint32_t v = lane_number(); v < values; v += 32) sum += digest_element(v, solution[v]);
    for (uint32_t k = lane_number(); k < bit_count; k += 32) sum += digest_element(values + k, bits[k]);
    return WarpGroup{}.sum(sum);
}

/// Reports the best of `count` individuals or groups. If several have the least cost, the one found earliest is the
/// best. If several of these were found at the same time, the one with the lowest number is the best. Entry k of the
/// arrays belongs to individual or group first + k of the run. `bytes`: size of a solution, an even number. Called by
/// all threads of a CUDA block.
template <class Cost>
QAPFW_DEVICE void report_best(PopulationReport* report, const void* solutions, uint64_t bytes, const Cost* costs,
                              const uint64_t* found, uint32_t count, uint32_t first) {
    const uint32_t best = best_by_block(costs, found, count);
    const auto* const solution = static_cast<const uint16_t*>(solutions) + best * (bytes / 2);
    for (uint64_t v = threadIdx.x; v < bytes / 2; v += blockDim.x) {
        reinterpret_cast<uint16_t*>(report + 1)[v] = solution[v];
    }
    if (threadIdx.x != 0) return;
    report->cost = cost_bits(costs[best]);
    report->found = found[best];
    report->number = first + best;
}

/// Adds `count` individuals to the report's digest. Each warp takes `of_warp` of them, at most 32: the whole warp
/// computes the digest of one solution after the other, then each lane finishes the digest of one individual.
/// solution(k): returns the digest of individual k's solution; called by a whole warp. best(k): the best cost that
/// enters the digest of individual k. `first`: number of individual 0 in the run.
template <class Cost, class Solution, class Best>
QAPFW_DEVICE void digest_by_warps(PopulationReport* report, const Solution& solution, const Cost* costs,
                                  const Best& best, uint32_t count, uint32_t first, uint64_t generation,
                                  uint32_t of_warp) {
    const uint32_t begin = (blockIdx.x * warp_count() + warp_number()) * of_warp, lane = lane_number();
    if (begin >= count) return;
    const uint32_t here = count - begin < of_warp ? count - begin : of_warp;
    uint64_t own = 0;
    for (uint32_t i = 0; i < here; ++i) {
        const uint64_t digest = solution(begin + i);
        if (i == lane) own = digest;
    }
    if (lane < here) {
        const uint32_t k = begin + lane;
        own = digest_in_round(first + k, digest_search(own, cost_bits(costs[k]), cost_bits(best(k)), generation));
    }
    own = WarpGroup{}.sum(own);
    if (lane == 0) atomicAdd(&report->digest, static_cast<unsigned long long>(own));
}

}  // namespace qapfw::kernels
