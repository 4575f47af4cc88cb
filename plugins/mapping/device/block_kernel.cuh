// SPDX-License-Identifier: Apache-2.0
// Plays many rounds of annealings in one launch. One CUDA block works on one search and keeps the search's solution and
// claims in shared memory. The problem's device code comes before this file. The host defines MAPPING_THREADS and
// MAPPING_STEPS. The MAPPING_THREADS threads of a CUDA block make the proposals of a round in MAPPING_STEPS steps.
#include "device_order.hpp"
#include "round_rules.hpp"
#include "walk_of.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;
static_assert(!is_ordered<Problem>(), "a problem with fewer than 16384 positions must not have kOrdered == true");

struct BlockLaunch {
    Problem::View view;
    uint32_t* location_of;  ///< the solutions of all searches, one after the other
    const DeviceOrder* orders;
    const int32_t* logarithms;
    uint64_t seed;
    uint32_t order_count, proposals, movers, first_search;
};

/// One search, in the CUDA block that works on it.
struct BlockSearch {
    static constexpr uint32_t kPositions = static_cast<uint32_t>(Problem::kPositions);
    static constexpr uint16_t kNone = 0xffff;
    static constexpr uint32_t kSteps = MAPPING_STEPS;

    const BlockLaunch& launch;
    WalkOf<uint16_t, Problem> walk;
    uint32_t* claims;  ///< claim on each position in the present round; the largest claim wins, 0: no claim
    uint64_t key;

    /// Makes proposal k. If the swap is accepted, claims both positions and returns the partner; otherwise kNone.
    QAPFW_DEVICE uint32_t propose(const DeviceOrder& order, uint32_t k) const {
        if (k >= launch.proposals) return kNone;
        const uint32_t u = proposing_position(key, k);
        if (u >= launch.movers) return kNone;
        const uint64_t draw = draw_of(key, u);
        int64_t change;
        const uint32_t v = proposal_of<Problem>(launch.view, walk, u, draw, change);
        if (v == u) return kNone;
        if (!is_accepted(change, draw, order.scale, launch.logarithms)) return kNone;
        const uint32_t priority = priority_in_round(key, u);
        atomicMax(claims + u, priority);
        atomicMax(claims + v, priority);
        return v;
    }
    QAPFW_DEVICE void exchange(const DeviceOrder& order, uint32_t k, uint32_t v) const {
        const uint32_t u = proposing_position(key, k), priority = priority_in_round(key, u);
        const auto leaves = [&](uint32_t neighbour) { return claims[neighbour] <= priority; };
        const auto holds = [&] {
            if (claims[u] != priority || claims[v] != priority) return false;
            return order.exclusive == 0 ||
                   (Problem::all_neighbours(launch.view, u, leaves) && Problem::all_neighbours(launch.view, v, leaves));
        };
        exchange_if<Problem>(launch.view, walk, u, v, holds);
    }
    QAPFW_DEVICE void play(const DeviceOrder& order, uint64_t seed) {
        uint32_t partners[kSteps];
        key = round_key(seed, order.number);
#pragma unroll
        for (uint32_t step = 0; step < kSteps; ++step)
            partners[step] = propose(order, step * MAPPING_THREADS + threadIdx.x);
        __syncthreads();
#pragma unroll
        for (uint32_t step = 0; step < kSteps; ++step) {
            if (partners[step] != kNone) exchange(order, step * MAPPING_THREADS + threadIdx.x, partners[step]);
        }
        __syncthreads();
#pragma unroll
        for (uint32_t step = 0; step < kSteps; ++step) {
            if (partners[step] == kNone) continue;
            claims[proposing_position(key, step * MAPPING_THREADS + threadIdx.x)] = 0;
            claims[partners[step]] = 0;
        }
        __syncthreads();
    }
};

}  // namespace qapfw::mapping

extern "C" __global__ void __launch_bounds__(MAPPING_THREADS)
    qapfw_mapping_block(const __grid_constant__ qapfw::mapping::BlockLaunch launch) {
    extern __shared__ uint64_t mapping_memory[];
    using qapfw::mapping::BlockSearch;
    using qapfw::mapping::Problem;
    constexpr uint32_t n = BlockSearch::kPositions;
    uint32_t* const claims = reinterpret_cast<uint32_t*>(mapping_memory + n);
    uint16_t* const locations = reinterpret_cast<uint16_t*>(claims + n);
    auto* const codes = reinterpret_cast<qapfw::mapping::CodeOf<Problem>::Type*>(mapping_memory);
    BlockSearch search{launch, {locations, locations + n, codes}, claims, 0};
    uint32_t* const solution = launch.location_of + uint64_t{blockIdx.x} * n;
    for (uint32_t u = threadIdx.x; u < n; u += MAPPING_THREADS) {
        locations[u] = static_cast<uint16_t>(solution[u]);
        claims[u] = 0;
        Problem::place(launch.view, search.walk, u);
    }
    __syncthreads();
    const uint64_t seed = qapfw::mapping::seed_of_search(launch.seed, launch.first_search + blockIdx.x);
    for (uint32_t k = 0; k < launch.order_count; ++k) search.play(launch.orders[k], seed);
    for (uint32_t u = threadIdx.x; u < n; u += MAPPING_THREADS)
        solution[u] = qapfw::mapping::location_in<Problem>(launch.view, search.walk, u);
}
