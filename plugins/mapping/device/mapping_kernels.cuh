// SPDX-License-Identifier: Apache-2.0
// Plays rounds of annealings on the whole of a GPU. Each round takes two kernels: one makes the proposals with their
// claims, the other makes the swaps that hold both of their claims. The CUDA blocks with the same y work on one
// search. The problem's device code comes before this file. The host defines MAPPING_THREADS, the threads of a CUDA
// block, and MAPPING_BLOCKS, the CUDA blocks that a multiprocessor runs at the same time.
//
// If the problem numbers positions in an order of its own, a CUDA block looks through a range of these numbers for the
// positions that propose. So its threads read memory that is close together.
#include "device_order.hpp"
#include "qapfw/kernels/device_team.hpp"
#include "round_rules.hpp"
#include "walk_of.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;

struct RoundLaunch {
    Problem::View view;
    WalkOf<uint32_t, Problem> walks;  ///< the walks of all searches, one after the other
    unsigned long long* claims;       ///< for each search, the largest claim so far on each position
    AcceptedPair* accepted;           ///< room for `span` pairs for each CUDA block of each search
    uint32_t* counts;                 ///< for each CUDA block of each search, the number of accepted pairs
    const int32_t* logarithms;
    uint64_t seed, number;
    double scale;  ///< the temperature times 2^-16
    uint32_t proposals, movers, exclusive, first_search;
    uint32_t span;  ///< number of movers (see qapfw_sampled_facts) that a CUDA block examines; each of them may propose
    uint32_t unused;
};

/// The part of a launch's data that belongs to one search.
struct SearchPart {
    WalkOf<uint32_t, Problem> walk;
    unsigned long long* claims;
    AcceptedPair* accepted;  ///< the accepted pairs of this CUDA block
    uint32_t* count;         ///< number of accepted pairs of this CUDA block

    explicit QAPFW_DEVICE SearchPart(const RoundLaunch& launch) {
        const uint64_t first = uint64_t{blockIdx.y} * static_cast<uint64_t>(Problem::kPositions);
        const uint64_t block = uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
        walk = {launch.walks.location_of + first, launch.walks.vertex_at + first, launch.walks.code_of + first};
        claims = launch.claims + first;
        accepted = launch.accepted + block * launch.span;
        count = launch.counts + block;
    }
};

/// Lists those movers in a CUDA block's range that propose in this round: their numbers and their positions.
struct Proposing {
    static constexpr uint32_t kWarps = MAPPING_THREADS / 32;
    uint32_t number[4 * MAPPING_THREADS], position[4 * MAPPING_THREADS];
    uint32_t of_warp[kWarps];

    /// Lists the proposing movers and returns how many there are. The CUDA block's range has at most four movers for
    /// each thread. Each warp searches a part of the range.
    QAPFW_DEVICE uint32_t find(const RoundLaunch& launch, uint64_t key) {
        const kernels::WarpGroup warp;
        const uint32_t own_warp = threadIdx.x / 32, begin = blockIdx.x * launch.span + own_warp * 128;
        const uint32_t end_of_block = (blockIdx.x + 1) * launch.span;
        const uint32_t last = end_of_block < launch.movers ? end_of_block : launch.movers;
        const uint32_t end = begin + 128 < last ? begin + 128 : last;
        uint32_t found[4], before[4], count = 0;
#pragma unroll
        for (uint32_t k = 0; k < 4; ++k) {
            const uint32_t candidate = begin + 32 * k + warp.rank();
            found[k] = candidate < end ? position_of<Problem>(launch.view, candidate) : 0;
            const bool own = candidate < end && proposing_position(key, found[k] / 4) == found[k];
            uint32_t all = 0;
            before[k] = count + warp.count_before(own, all);
            if (!own) before[k] = ~0u;
            count += all;
        }
        if (warp.rank() == 0) of_warp[own_warp] = count;
        __syncthreads();
        uint32_t first = 0, total = 0;
        for (uint32_t k = 0; k < kWarps; ++k) {
            if (k == own_warp) first = total;
            total += of_warp[k];
        }
#pragma unroll
        for (uint32_t k = 0; k < 4; ++k) {
            if (before[k] == ~0u) continue;
            number[first + before[k]] = begin + 32 * k + warp.rank();
            position[first + before[k]] = found[k];
        }
        __syncthreads();
        return total;
    }
};

QAPFW_DEVICE void propose(const RoundLaunch& launch, const SearchPart& part, uint64_t key, uint32_t u,
                          uint32_t position, uint32_t& count) {
    const uint64_t draw = draw_of(key, position);
    int64_t change;
    const uint32_t v = proposal_of<Problem>(launch.view, part.walk, u, draw, change);
    if (v == u) return;
    if (!is_accepted(change, draw, launch.scale, launch.logarithms)) return;
    const uint32_t priority = priority_in_round(key, position);
    part.accepted[atomicAdd(&count, 1u)] = {u, v, priority, 0};
    const unsigned long long claim = claim_of(launch.number, priority);
    atomicMax(part.claims + u, claim);
    atomicMax(part.claims + v, claim);
}

QAPFW_DEVICE void propose_all(const RoundLaunch& launch, const SearchPart& part, uint32_t& count) {
    const uint64_t key = round_key(seed_of_search(launch.seed, launch.first_search + blockIdx.y), launch.number);
    if constexpr (is_ordered<Problem>()) {
        __shared__ Proposing proposing;
        const uint32_t found = proposing.find(launch, key);
        for (uint32_t k = threadIdx.x; k < found; k += MAPPING_THREADS)
            propose(launch, part, key, proposing.number[k], proposing.position[k], count);
    } else {
        const uint32_t k = blockIdx.x * MAPPING_THREADS + threadIdx.x, u = proposing_position(key, k);
        if (k < launch.proposals && u < launch.movers) propose(launch, part, key, u, u, count);
    }
}

QAPFW_DEVICE void exchange(const RoundLaunch& launch, const SearchPart& part, const AcceptedPair& pair) {
    const unsigned long long claim = claim_of(launch.number, pair.priority);
    const unsigned long long at_u = part.claims[pair.u],
                             at_v = part.claims[pair.v];  // both loads start before either claim is compared
    const auto leaves = [&](uint32_t neighbour) { return part.claims[neighbour] <= claim; };
    const auto holds = [&] {
        if (at_u != claim || at_v != claim) return false;
        return launch.exclusive == 0 || (Problem::all_neighbours(launch.view, pair.u, leaves) &&
                                         Problem::all_neighbours(launch.view, pair.v, leaves));
    };
    exchange_if<Problem>(launch.view, part.walk, pair.u, pair.v, holds);
}

}  // namespace qapfw::mapping

extern "C" __global__ void __launch_bounds__(MAPPING_THREADS, MAPPING_BLOCKS)
    qapfw_mapping_propose(const __grid_constant__ qapfw::mapping::RoundLaunch launch) {
    __shared__ uint32_t count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const qapfw::mapping::SearchPart part(launch);
    qapfw::mapping::propose_all(launch, part, count);
    __syncthreads();
    if (threadIdx.x == 0) *part.count = count;
}

extern "C" __global__ void __launch_bounds__(MAPPING_THREADS)
    qapfw_mapping_exchange(const __grid_constant__ qapfw::mapping::RoundLaunch launch) {
    const qapfw::mapping::SearchPart part(launch);
    const qapfw::mapping::AcceptedPair first = part.accepted[threadIdx.x];  // this load does not wait for the count
    const uint32_t count = *part.count;
    for (uint32_t k = threadIdx.x; k < count; k += MAPPING_THREADS)
        qapfw::mapping::exchange(launch, part, k == threadIdx.x ? first : part.accepted[k]);
}
