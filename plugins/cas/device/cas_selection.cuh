// SPDX-License-Identifier: Apache-2.0
// Selection, and the exchange between the colonies of one GPU. Without an exchange each warp selects for one ant.
// Before an exchange a CUDA block selects for a colony, so that the block knows the best and the worst ant.
#pragma once

#include "plugins/cas/device/cas_colonies.cuh"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::cas {

/// The cunning ant replaces its donor if it costs less than the donor. In iteration 0 it always replaces its donor.
QAPFW_DEVICE void select(const Colonies& c, uint32_t ant, uint64_t iteration) {
    if (iteration > 0 && rank(c.child_costs[ant]) >= rank(c.costs[ant])) return;
    const uint64_t first = static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x & 31u; k < row_of(c); k += 32) c.ants[first + k] = c.children[first + k];
    __syncwarp();
    if ((threadIdx.x & 31u) != 0) return;
    c.costs[ant] = c.child_costs[ant];
    c.found[ant] = iteration;
}

/// The best and the worst of several ants. Among ants with the best cost, the one found first is the best. Costs are
/// stored as ranks; rank() converts them back.
struct Extremes {
    int64_t best_cost, worst_cost;
    uint64_t best_found;
    uint32_t best, worst;

    /// Adds an ant. Ants must come in ascending order of their numbers.
    QAPFW_DEVICE void add(int64_t cost, uint64_t found, uint32_t ant) {
        if (cost < best_cost || (cost == best_cost && found < best_found)) {
            best_cost = cost;
            best_found = found;
            best = ant;
        }
        if (cost > worst_cost) {
            worst_cost = cost;
            worst = ant;
        }
    }
};

/// Returns to every lane the best and the worst ant of all lanes. If several ants have the best cost, the one found
/// first is the best. Ties that remain, and ties of the worst ants, go to the ant with the least number.
QAPFW_DEVICE Extremes over_lanes(const Extremes& own) {
    constexpr uint64_t kNone = ~uint64_t{0};
    const uint64_t best = kernels::ordered(own.best_cost), worst = ~kernels::ordered(own.worst_cost);
    const uint64_t least = kernels::warp_min(best), most = kernels::warp_min(worst);
    const uint64_t earliest = kernels::warp_min(best == least ? own.best_found : kNone);
    const bool is_best = best == least && own.best_found == earliest;
    return {static_cast<int64_t>(least ^ (uint64_t{1} << 63)), static_cast<int64_t>(~most ^ (uint64_t{1} << 63)),
            earliest, kernels::warp_min(is_best ? own.best : ~0u), kernels::warp_min(worst == most ? own.worst : ~0u)};
}

/// The part of a solution's first 128 values that one lane of a warp has in its registers.
struct Kept {
    static constexpr uint32_t kValues = 128;
    uint16_t part[kValues / 32];

    /// Calls body(value, position) for each value that this lane has of a solution with `values` positions.
    template <class Body>
    QAPFW_DEVICE void for_each(uint32_t values, const Body& body) {
        for (uint32_t i = 0; i < kValues / 32; ++i) {
            const uint32_t k = 32 * i + kernels::lane_number();
            if (k < values) body(part[i], k);
        }
    }
};

/// Selects among this warp's ants of a colony: each cunning ant replaces its donor if the donor is worse. Iteration 0
/// replaces nothing, since another kernel has already selected. Returns the best and the worst of these ants; `kept`
/// gets the first values of the last ant.
QAPFW_DEVICE Extremes select_share(const Colonies& c, uint32_t first, uint64_t iteration, Kept& kept) {
    const uint32_t values = row_of(c);
    Extremes extremes{};
    for (uint32_t k = kernels::warp_number(); k < c.rules.ants; k += kernels::warp_count()) {
        const uint32_t ant = first + k;
        uint16_t* const place = c.ants + static_cast<uint64_t>(ant) * c.stride;
        const uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
        int64_t cost = rank(c.costs[ant]);
        uint64_t found = c.found[ant];
        const int64_t child_cost = rank(c.child_costs[ant]);
        Kept of_child{};
        of_child.for_each(values, [&](uint16_t& part, uint32_t at) { part = child[at]; });
        kept.for_each(values, [&](uint16_t& part, uint32_t at) { part = place[at]; });
        if (iteration > 0 && child_cost < cost) {
            kept = of_child;
            kept.for_each(values, [&](uint16_t part, uint32_t at) { place[at] = part; });
            for (uint32_t at = Kept::kValues + kernels::lane_number(); at < values; at += 32) place[at] = child[at];
            cost = child_cost;
            found = iteration;
            __syncwarp();
            if (kernels::lane_number() == 0) {
                c.costs[ant] = rank(cost);
                c.found[ant] = found;
            }
        }
        if (k == kernels::warp_number()) extremes = {cost, cost, found, ant, ant};
        extremes.add(cost, found, ant);
    }
    return extremes;
}

/// Selection in a colony, by a CUDA block. The colony's best ant becomes its champion.
QAPFW_DEVICE void select_colony(const Colonies& c, const Exchange& exchange, uint32_t colony, uint64_t iteration) {
    __shared__ Extremes of_warps[32];
    const uint32_t first = colony * c.rules.ants, lane = kernels::lane_number();
    Kept kept{};
    const Extremes own = select_share(c, first, iteration, kept);
    if (lane == 0) of_warps[kernels::warp_number()] = own;
    __syncthreads();
    const Extremes all = over_lanes(of_warps[lane < kernels::warp_count() ? lane : 0]);
    if (own.best != all.best) return;
    const uint64_t seat = c.first_colony + colony;
    uint16_t* const champion = exchange.champions + seat * c.stride;
    const uint16_t* const best = c.ants + static_cast<uint64_t>(all.best) * c.stride;
    const bool is_kept = all.best + kernels::warp_count() >= first + c.rules.ants;
    kept.for_each(row_of(c), [&](uint16_t part, uint32_t at) { champion[at] = is_kept ? part : best[at]; });
    for (uint32_t at = Kept::kValues + lane; at < row_of(c); at += 32) champion[at] = best[at];
    if (lane != 0) return;
    ColonyEnds& ends = exchange.ends[seat];
    ends.best_cost = rank(all.best_cost);
    ends.worst_cost = rank(all.worst_cost);
    ends.best_found = all.best_found;
    ends.worst = all.worst;
}

/// Switches `counter` from 0 to 1 or back and returns the old value: 0 to the first of two CUDA blocks, 1 to the
/// second. The second one sees what the first one wrote before the barrier that preceded the call.
QAPFW_DEVICE uint32_t meet(uint32_t* counter) {
#if defined(__CUDA_ARCH__)
    uint32_t before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
    return before;
#else
    return atomicInc(counter, 1);  // on an emulated GPU
#endif
}

/// True if one of the colony's ants equals `wanted`. `kept`: the first values of `wanted`, in registers. All threads of
/// a CUDA block call the function.
QAPFW_DEVICE bool colony_holds(const Colonies& c, uint32_t colony, const uint16_t* wanted, const Kept& kept) {
    __shared__ bool held;
    if (threadIdx.x == 0) held = false;
    __syncthreads();
    for (uint32_t k = kernels::warp_number(); k < c.rules.ants; k += kernels::warp_count()) {
        const uint16_t* const place = c.ants + static_cast<uint64_t>(colony * c.rules.ants + k) * c.stride;
        Kept present = kept;
        present.for_each(row_of(c), [&](uint16_t& part, uint32_t at) { part = place[at]; });
        bool different = false;
        for (uint32_t i = 0; i < Kept::kValues / 32; ++i) different |= present.part[i] != kept.part[i];
        for (uint32_t at = Kept::kValues + kernels::lane_number(); at < row_of(c); at += 32) {
            different |= place[at] != wanted[at];
        }
        if (__ballot_sync(kernels::kAllLanes, different) == 0 && kernels::lane_number() == 0) held = true;
    }
    __syncthreads();
    return held;
}

/// Replaces the worst ant of colony `colony` on this GPU by the champion of colony `from` of the run, if the champion
/// costs less and the colony does not have it yet. All threads of a CUDA block call this function together.
QAPFW_DEVICE void immigrate(const Colonies& c, const Exchange& exchange, uint32_t from, uint32_t colony) {
    const ColonyEnds here = exchange.ends[c.first_colony + colony], there = exchange.ends[from];
    const uint16_t* const newcomer = exchange.champions + static_cast<uint64_t>(from) * c.stride;
    Kept kept{};
    kept.for_each(row_of(c), [&](uint16_t& part, uint32_t at) { part = newcomer[at]; });
    const bool held = colony_holds(c, colony, newcomer, kept);
    if (held || rank(there.best_cost) >= rank(here.worst_cost) || kernels::warp_number() != 0) return;
    uint16_t* const place = c.ants + static_cast<uint64_t>(here.worst) * c.stride;
    kept.for_each(row_of(c), [&](uint16_t part, uint32_t at) { place[at] = part; });
    for (uint32_t at = Kept::kValues + threadIdx.x; at < row_of(c); at += 32) place[at] = newcomer[at];
    if (threadIdx.x != 0) return;
    c.costs[here.worst] = there.best_cost;
    c.found[here.worst] = there.best_found;
}

/// Selection and the exchange on the ring, by one CUDA block per colony. An immigration must wait until both its
/// colonies have selected. The CUDA block that selects second carries the immigration out.
QAPFW_DEVICE void select_and_exchange(const Colonies& c, const Exchange& exchange, uint64_t iteration) {
    __shared__ uint32_t before[2];
    const uint32_t own = blockIdx.x, last = gridDim.x - 1;
    select_colony(c, exchange, own, iteration);
    __syncthreads();
    if (threadIdx.x < 2)
        before[threadIdx.x] = meet(&exchange.ends[own + threadIdx.x > last ? 0 : own + threadIdx.x].arrived);
    __syncthreads();
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t colony = own + k > last ? 0 : own + k;
        if (before[k] == 1) immigrate(c, exchange, colony > 0 ? colony - 1 : last, colony);
        __syncthreads();
    }
}

}  // namespace qapfw::cas
