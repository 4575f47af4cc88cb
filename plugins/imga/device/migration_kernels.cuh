// SPDX-License-Identifier: Apache-2.0
// Migration on the device, a warp for each island: emigrants are copied aside, then every island takes in those that
// its sources send. Between GPUs the copies travel through the host.
#pragma once

#include "plugins/imga/device/islands.cuh"
#include "qapfw/kernels/island_report.hpp"

namespace qapfw::imga {

using Travel = kernels::IslandTravel<Cost>;

/// Copies of the `count` best of an island, the best first.
QAPFW_DEVICE void send_best(const Arrays& all, uint32_t island, uint32_t count, uint8_t* solutions, Cost* costs) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size;
    uint32_t member = kNobody;
    for (uint32_t rank = 0; rank < count; ++rank) {
        member = next_in_rank<false>(all.costs + first, size, member);
        copy_bytes(solutions + rank * all.bytes, all.parents + (first + member) * all.bytes, all.bytes, lane, 32);
        if (lane == 0) costs[rank] = all.costs[first + member];
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

/// Newcomers, of whom seat(m) is the m-th one's place among the emigrants, take the places of the worst.
template <class Seat>
QAPFW_DEVICE void settle(const Arrays& all, uint32_t island, uint32_t count, const uint8_t* solutions,
                         const Cost* newcomers, uint64_t generation, const Seat& seat) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size;
    Cost* const costs = all.costs + first;
    uint32_t* const places = all.sorted + 2 * first;
    uint32_t member = kNobody, taken = 0;
    for (uint32_t m = 0; m < count; ++m) {
        member = next_in_rank<true>(costs, size, member);
        if (lane == 0) places[m] = member;
    }
    __syncwarp();
    for (uint32_t m = 0; m < count; ++m) {
        const uint64_t from = seat(m);
        const uint32_t to = places[taken];
        if (all.distinct != 0 && !is_welcome(costs, size, newcomers[from], costs[to])) continue;
        __syncwarp();
        copy_bytes(all.parents + (first + to) * all.bytes, solutions + from * all.bytes, all.bytes, lane, 32);
        if (lane == 0) costs[to] = newcomers[from];
        __syncwarp();
        ++taken;
    }
    keep_best(all, all.parents, all.costs, island, generation);
}

}  // namespace qapfw::imga

/// The emigrants of this GPU's islands.
extern "C" __global__ void qapfw_imga_emigrate(const __grid_constant__ qapfw::imga::Arrays all,
                                               const __grid_constant__ qapfw::imga::Travel travel) {
    using namespace qapfw;
    const uint64_t seat = uint64_t{travel.first + blockIdx.x} * travel.of_each;
    imga::send_best(all, blockIdx.x, travel.of_each, travel.emigrants + seat * all.bytes, travel.costs + seat);
}

/// When the emigrants of all islands are there.
extern "C" __global__ void qapfw_imga_immigrate(const __grid_constant__ qapfw::imga::Arrays all,
                                                const __grid_constant__ qapfw::imga::Travel travel) {
    using namespace qapfw;
    const kernels::IslandSources sources = kernels::island_sources(
        travel.topology, travel.islands, travel.first + blockIdx.x, all.rules.tournament.seed, travel.generation);
    imga::settle(all, blockIdx.x, travel.places, travel.emigrants, travel.costs, travel.generation, [&](uint32_t m) {
        const kernels::IslandImmigrant one = kernels::island_immigrant(sources, travel.places, travel.number, m);
        return uint64_t{one.source} * travel.of_each + one.rank;
    });
}

/// The best of one island, for another process.
extern "C" __global__ void qapfw_imga_send(const __grid_constant__ qapfw::imga::Arrays all, uint32_t island,
                                           uint32_t count, uint8_t* solutions, qapfw::imga::Cost* costs) {
    qapfw::imga::send_best(all, island, count, solutions, costs);
}

/// Those of another process arrive at one island.
extern "C" __global__ void qapfw_imga_receive(const __grid_constant__ qapfw::imga::Arrays all, uint32_t island,
                                              uint32_t count, const uint8_t* solutions, const qapfw::imga::Cost* costs,
                                              uint64_t generation) {
    qapfw::imga::settle(all, island, count, solutions, costs, generation, [](uint32_t m) { return uint64_t{m}; });
}
