// SPDX-License-Identifier: Apache-2.0
// The base genetic algorithm (ga_base.hpp) by the threads of one block: children are made by a thread each, since
// crossover is a serial walk along a few cycles, and their costs found by a warp each, since a cost is a long sum whose
// rows lie side by side. Only children that are no copies of a parent are evaluated; a list in shared memory deals them
// to the warps. Pools lie in shared or in device memory; the text is the same. The problem's text comes before this
// one; it may define, beside `cost`,
//   template <class Group, class Solution>
//   static Cost Problem::cost_after(Group, const View&, Solution parent, Cost of_parent, Solution child);
// which gives the child's cost, from what distinguishes it from its parent where that is cheaper.
#pragma once

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/ga_base.hpp"

namespace qapfw::kernels {

/// A solution in memory as a problem's cost reads it. QAPFW_UNORDERED says that positions have the same numbers in the
/// problem's kernels, which is so where none is fixed, and saves a load for each element.
struct OrderedSolution {
    const uint16_t *solution, *order;
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_UNORDERED
        return solution[position];
#else
        return solution[order[position]];
#endif
    }
};

struct CostOrder {
    template <class Cost>
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const {
        return a < b;
    }
};

/// Children that still need a warp, in any order: all that the threads of a block share while they breed.
struct GaWork {
    uint32_t* list;   ///< child numbers, with kUnknown where the cost is not known yet
    uint32_t* count;  ///< zero before
    static constexpr uint32_t kUnknown = 0x80000000u;
    QAPFW_DEVICE void add(uint32_t child) const { list[atomicAdd(count, 1u)] = child; }
};

QAPFW_DEVICE uint32_t lane_number() {
    return threadIdx.x & 31u;
}
QAPFW_DEVICE uint32_t warp_number() {
    return threadIdx.x / 32;
}
QAPFW_DEVICE uint32_t warp_count() {
    return blockDim.x / 32;
}

template <class Problem>
QAPFW_DEVICE typename Problem::Cost ga_child_cost(const typename Problem::View& view, OrderedSolution parent,
                                                  typename Problem::Cost of_parent, OrderedSolution child) {
    if constexpr (requires { Problem::cost_after(WarpGroup{}, view, parent, of_parent, child); }) {
        return Problem::cost_after(WarpGroup{}, view, parent, of_parent, child);
    } else {
        return Problem::cost(WarpGroup{}, view, child);
    }
}

/// Steps 3 and 4 for children first..last-1, a thread each. Listed afterwards: those without a cost, and those that are
/// copies of a better mate.
template <class Cost>
QAPFW_DEVICE void ga_breed_all(const GaPopulation<Cost>& p, uint32_t first, uint32_t last, uint64_t generation,
                               const GaWork& work) {
    for (uint32_t k = first + threadIdx.x; k < last; k += blockDim.x) {
        uint16_t* const row = p.scratch + k * p.pools.stride;
        const GaScratch scratch{reinterpret_cast<uint8_t*>(row), row};
        if (ga_breed(p.rules, p.positions, p.pools, k, generation, scratch)) {
            work.add(k | GaWork::kUnknown);
        } else if (p.pools.child_costs[k] < p.pools.costs[k]) {
            work.add(k);
        }
    }
}

/// The cost of a listed child, by a warp, to all its lanes.
template <class Problem, class Cost>
QAPFW_DEVICE Cost ga_listed_cost(const GaPopulation<Cost>& p, const typename Problem::View& view, uint32_t listed) {
    const uint32_t k = listed & ~GaWork::kUnknown;
    if ((listed & GaWork::kUnknown) == 0) return p.pools.child_costs[k];
    return ga_child_cost<Problem>(view, OrderedSolution{p.pools.parent(k), p.order}, p.pools.costs[k],
                                  OrderedSolution{p.pools.child(k), p.order});
}

/// Children of one CUDA block, an individual for each of its kGaThreads threads, with their costs.
template <class Problem, class Cost>
QAPFW_DEVICE void ga_breed_tile(const GaPopulation<Cost>& p, const typename Problem::View& view, uint64_t generation) {
    __shared__ uint32_t list[kGaThreads];
    __shared__ uint32_t count;
    const uint32_t first = blockIdx.x * kGaThreads;
    const uint32_t last = p.individuals - first < kGaThreads ? p.individuals : first + kGaThreads;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    ga_breed_all(p, first, last, generation, {list, &count});
    __syncthreads();
    for (uint32_t i = warp_number(); i < count; i += warp_count()) {
        const Cost cost = ga_listed_cost<Problem>(p, view, list[i]);
        if (lane_number() == 0) p.pools.child_costs[list[i] & ~GaWork::kUnknown] = cost;
    }
}

/// Step 6 by a warp: the child, of cost `after`, replaces its parent if that is less. Returns whether it did.
template <class Cost>
QAPFW_DEVICE bool ga_replace(const GaPopulation<Cost>& p, uint32_t k, Cost after, uint64_t generation) {
    if (!(after < p.pools.costs[k])) return false;
    __syncwarp();
    uint16_t* const parent = p.pools.parent(k);
    const uint16_t* const child = p.pools.child(k);
    for (uint32_t v = lane_number(); v < p.rules.values; v += 32) parent[v] = child[v];
    if (lane_number() == 0) {
        p.pools.costs[k] = after;
        p.pools.found[k] = generation;
    }
    __syncwarp();
    return true;
}

/// The best of individuals first..first+count-1 by a warp; ties as in ga_best.
template <class Cost>
QAPFW_DEVICE uint32_t ga_best_by_warp(const Cost* costs, const uint64_t* found, uint32_t first, uint32_t count) {
    uint32_t best = first + (lane_number() < count ? lane_number() : 0);
    const auto better = [&](Cost cost, uint64_t at, uint32_t k, Cost best_cost, uint64_t best_at) {
        if (cost != best_cost) return cost < best_cost;
        return at != best_at ? at < best_at : k < best;
    };
    for (uint32_t k = best + 32; k < first + count; k += 32) {
        if (better(costs[k], found[k], k, costs[best], found[best])) best = k;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kAllLanes, best, distance);
        if (better(costs[other], found[other], other, costs[best], found[best])) best = other;
    }
    return best;
}

/// How many of `count` costs equal `best`, by a warp.
template <class Cost>
QAPFW_DEVICE uint32_t ga_count_by_warp(const Cost* costs, uint32_t count, Cost best) {
    uint32_t at_best = 0;
    for (uint32_t k = lane_number(); k < count; k += 32) at_best += costs[k] == best ? 1 : 0;
    return WarpGroup{}.sum(at_best);
}

QAPFW_DEVICE int64_t cost_bits(int64_t cost) {
    return cost;
}
QAPFW_DEVICE int64_t cost_bits(double cost) {
    return __double_as_longlong(cost);
}

/// What individual k adds to the round's digest, by a warp.
template <class Cost>
QAPFW_DEVICE uint64_t ga_digest(const GaPopulation<Cost>& p, uint32_t k, Cost best, uint64_t generation) {
    uint64_t own = 0;
    for (uint32_t v = lane_number(); v < p.rules.values; v += 32) own += digest_element(v, p.pools.parent(k)[v]);
    own = WarpGroup{}.sum(own);
    const uint64_t search = digest_search(own, cost_bits(p.pools.costs[k]), cost_bits(best), generation);
    return digest_in_round(p.first_here + k, search);
}

/// Pools of one subpopulation in shared memory: parents, children and scratch rows, costs, the list of work. `stride`
/// is an odd number of 32-bit words, so that threads that walk along rows of their own meet in no bank.
template <class Cost>
struct GaSharedPools {
    GaPopulation<Cost> own;  ///< rules.first and first_here are those of its first individual; found is not copied
    GaWork work;

    /// `memory` has ga_shared_bytes; the count of the work follows the list.
    QAPFW_DEVICE GaSharedPools(const GaPopulation<Cost>& all, uint32_t subpopulation, uint64_t* memory) : own(all) {
        const uint32_t size = all.rules.size, before = subpopulation * size;
        own.rules.first += before;
        own.first_here += before;
        own.individuals = size;
        own.pools.stride = ga_shared_stride(all.rules.values);
        own.pools.costs = reinterpret_cast<Cost*>(memory);
        own.pools.child_costs = own.pools.costs + size;
        work.list = reinterpret_cast<uint32_t*>(memory + 2 * size);
        work.count = work.list + size;
        own.pools.parents = reinterpret_cast<uint16_t*>(work.count + 1);
        own.pools.children = own.pools.parents + size * own.pools.stride;
        own.scratch = own.pools.children + size * own.pools.stride;
        own.pools.found += before;
    }

    /// Both by all threads; the caller syncs the block.
    QAPFW_DEVICE void load(const GaPopulation<Cost>& all, uint32_t subpopulation) const {
        copy<true>(all, subpopulation * all.rules.size);
        if (threadIdx.x == 0) *work.count = 0;
    }
    QAPFW_DEVICE void store(const GaPopulation<Cost>& all, uint32_t subpopulation) const {
        copy<false>(all, subpopulation * all.rules.size);
    }

  private:
    template <bool kIn>
    QAPFW_DEVICE void copy(const GaPopulation<Cost>& all, uint32_t before) const {
        for (uint32_t k = warp_number(); k < own.rules.size; k += warp_count()) {
            uint16_t *const here = own.pools.parent(k), *const there = all.pools.parent(before + k);
            for (uint32_t v = lane_number(); v < own.rules.values; v += 32) {
                if constexpr (kIn) {
                    here[v] = there[v];
                } else {
                    there[v] = here[v];
                }
            }
        }
        for (uint32_t k = threadIdx.x; k < own.rules.size; k += blockDim.x) {
            if constexpr (kIn) {
                own.pools.costs[k] = all.pools.costs[before + k];
            } else {
                all.pools.costs[before + k] = own.pools.costs[k];
            }
        }
    }
};

}  // namespace qapfw::kernels
