// SPDX-License-Identifier: Apache-2.0
// What the framework hears of at the end of a round: the island that leads, and the digest of all individuals.
#pragma once

#include "plugins/imga/device/islands.cuh"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/population_report.hpp"

namespace qapfw::imga {

constexpr uint32_t kReportWarps = kReportThreads / 32;

QAPFW_DEVICE int64_t bits_of(int64_t cost) {
    return cost;
}
QAPFW_DEVICE int64_t bits_of(double cost) {
    return __double_as_longlong(cost);
}

/// Whether island a has the better solution; ties: found first, then the lower number.
QAPFW_DEVICE bool leads(const Arrays& all, uint32_t a, uint32_t b) {
    if (all.best_costs[a] != all.best_costs[b]) return all.best_costs[a] < all.best_costs[b];
    if (all.best_found[a] != all.best_found[b]) return all.best_found[a] < all.best_found[b];
    return a < b;
}

/// Of a warp's lanes, to all of them.
QAPFW_DEVICE void merge(const Arrays& all, uint32_t& leader, uint64_t& improved) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kernels::kAllLanes, leader, distance);
        const uint64_t when = __shfl_xor_sync(kernels::kAllLanes, improved, distance);
        if (leads(all, other, leader)) leader = other;
        if (when > improved) improved = when;
    }
}

/// Digest of a solution, by a warp.
QAPFW_DEVICE uint64_t digest_of(const Arrays& all, const uint8_t* at) {
    const uint32_t n = all.rules.n;
    const uint16_t* const perm = reinterpret_cast<const uint16_t*>(at);
    uint64_t sum = 0;
    for (uint32_t v = threadIdx.x & 31u; v < n; v += 32) {
        sum += kernels::digest_element(v, perm[v]);
        if (all.bits_offset > 0 && v + 1 < n) sum += kernels::digest_element(n + v, at[all.bits_offset + v]);
    }
    return kernels::WarpGroup{}.sum(sum);
}

/// What individual k adds to the round's digest, by a thread.
QAPFW_DEVICE uint64_t in_round(const Arrays& all, uint64_t solution_digest, uint32_t k, uint64_t generation) {
    const uint32_t size = all.rules.tournament.size;
    const uint64_t search =
        kernels::digest_search(solution_digest, bits_of(all.costs[k]), bits_of(all.best_costs[k / size]), generation);
    return kernels::digest_in_round(all.first_island * size + k, search);
}

}  // namespace qapfw::imga

/// One block.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kReportThreads)
    qapfw_imga_report(const __grid_constant__ qapfw::imga::Arrays all, qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    __shared__ uint32_t leaders[imga::kReportWarps];
    __shared__ uint64_t latest[imga::kReportWarps];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x & 31u;
    uint32_t leader = threadIdx.x < all.islands ? threadIdx.x : 0;
    uint64_t improved = all.improved[leader];
    for (uint32_t island = leader + imga::kReportThreads; island < all.islands; island += imga::kReportThreads) {
        if (imga::leads(all, island, leader)) leader = island;
        if (all.improved[island] > improved) improved = all.improved[island];
    }
    imga::merge(all, leader, improved);
    if (lane == 0) {
        leaders[warp] = leader;
        latest[warp] = improved;
    }
    __syncthreads();
    if (warp > 0) return;
    leader = leaders[lane % imga::kReportWarps];
    improved = latest[lane % imga::kReportWarps];
    imga::merge(all, leader, improved);
    imga::copy_bytes(reinterpret_cast<uint8_t*>(report + 1), all.best_solutions + leader * all.bytes, all.bytes, lane,
                     32);
    if (lane != 0) return;
    report->told[imga::kToldImproved] = improved;
    report->told[imga::kToldRestarts] = all.restarts[0];
    report->found = all.best_found[leader];
    report->cost = imga::bits_of(all.best_costs[leader]);
    report->number = all.first_island + leader;
}

/// `of_warp` individuals to a warp, at most 32: each in turn, then one to a lane.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_digest(const __grid_constant__ qapfw::imga::Arrays all, qapfw::kernels::PopulationReport* report,
                      uint64_t generation, uint32_t of_warp) {
    using namespace qapfw;
    const uint32_t individuals = all.islands * all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint32_t first = (blockIdx.x * imga::kWarps + threadIdx.x / 32) * of_warp;
    if (first >= individuals) return;
    const uint32_t count = individuals - first < of_warp ? individuals - first : of_warp;
    uint64_t own = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t digest = imga::digest_of(all, all.parents + uint64_t{first + i} * all.bytes);
        if (i == lane) own = digest;
    }
    own = kernels::WarpGroup{}.sum(lane < count ? imga::in_round(all, own, first + lane, generation) : uint64_t{0});
    if (lane == 0) atomicAdd(&report->digest, static_cast<unsigned long long>(own));
}
