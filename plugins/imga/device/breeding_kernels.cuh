// SPDX-License-Identifier: Apache-2.0
// A launch makes the children of a generation with their costs. A warp makes and evaluates a child. The child and
// copies of its parents are in shared memory if they fit. The host defines:
//   IMGA_IN_SHARED   1: each warp has work_bytes of dynamic shared memory, 0: none
//   IMGA_CROSSOVERS  the set of crossovers to compile, see crossover_bit
#pragma once

#include "plugins/imga/device/child_steps.hpp"
#include "plugins/imga/device/islands.cuh"

namespace qapfw::imga {

/// True if the cost's scratch memory has at most 16 bytes per position. A layout's cost needs three numbers per
/// position, so the value is true for floats and false for doubles.
template <class P>
constexpr bool kNarrowCosts = kCostUnits > 0 && sizeof(kernels::SolutionUnit) * kCostUnits <= 16 * P::kPositions;

/// CUDA blocks that a multiprocessor should hold: 8 leave 64 registers per thread, 10 leave 48. Measured on an H100. In
/// float, instruction issue is the limit and more warps help: 10 blocks are 4 % faster than 8. In double, shared memory
/// is the limit: 9 or 10 blocks are 3 % slower than 8. Without this number, the compiler takes 48 registers if only
/// PMX is compiled, and spills.
template <class P>
constexpr int kBreedingBlocks = kNarrowCosts<P> ? 10 : 8;

#ifdef QAPFW_SEGMENTS
constexpr Segmented kSegmented = Segmented::kAlways;
#else
constexpr Segmented kSegmented = Segmented::kNever;
#endif

/// The rules of the run. If solutions are permutations or layouts, the number of positions is a constant of the
/// compiled kernel.
QAPFW_DEVICE kernels::IslandRules rules_of(const Arrays& all) {
    kernels::IslandRules rules = all.rules;
    if constexpr (kSegmented == Segmented::kNever) rules.n = static_cast<uint32_t>(Problem::kPositions);
    return rules;
}

QAPFW_DEVICE Workplace workplace_for(const Arrays& all, uint8_t* shared, uint64_t mother, uint64_t father,
                                     uint64_t child) {
    if (IMGA_IN_SHARED) {
        return {shared, shared + all.bytes, shared + 2 * all.bytes, shared + 3 * all.bytes,
                reinterpret_cast<uint16_t*>(shared + 4 * all.bytes)};
    } else {
        return {all.parents + mother * all.bytes, all.parents + father * all.bytes, all.children + child * all.bytes,
                all.mirrors + child * all.bytes, all.positions + child * all.rules.n};
    }
}

/// Copies the mother to the child's memory. If children are made in shared memory, first copies both parents to shared
/// memory.
QAPFW_DEVICE void bring_parents(const Arrays& all, const Workplace& at, uint64_t mother, uint64_t father) {
    const uint32_t lane = threadIdx.x & 31u;
    if (IMGA_IN_SHARED) {
        copy_units(at.mother, all.parents + mother * all.bytes, all.bytes, lane, 32);
        copy_units(at.father, all.parents + father * all.bytes, all.bytes, lane, 32);
    }
    // In shared memory, each lane reads only units of the mother that it has written itself. So no barrier is needed.
    copy_units(at.child, at.mother, all.bytes, lane, 32);
    __syncwarp();
}

/// One warp makes a child and its cost. `other_survivor`: the father's number in the island. Returns true if the child
/// differs from both parents. If the child equals a parent, the child's cost is copied from this parent.
QAPFW_DEVICE bool make_child(const Arrays& all, const Problem::View& view, const ChildPlan& plan, uint32_t island,
                             uint32_t member, uint32_t other_survivor, uint64_t generation, uint8_t* shared,
                             kernels::SolutionUnit* scratch) {
    const uint32_t lane = threadIdx.x & 31u;
    const kernels::IslandRules rules = rules_of(all);
    const uint64_t first = uint64_t{island} * rules.tournament.size, own = first + member;
    const uint32_t number = (all.first_island + island) * rules.tournament.size + member;
    const uint64_t mother = first + plan.mother, father = first + other_survivor;
    const Workplace at = workplace_for(all, shared, mother, father, own);
    bring_parents(all, at, mother, father);
    bool changed = change_child<IMGA_CROSSOVERS, kSegmented, kWithBits>(
        all, rules, at, plan, mother != father, number, number - (member & 1u), generation, kernels::WarpGroup{});
    uint64_t like = mother;  // the parent that an unchanged child equals; the child takes this parent's cost
    if (changed && kernels::same_by_warp(at.child, at.mother, all.bytes)) changed = false;
    if (changed && kernels::same_by_warp(at.child, at.father, all.bytes)) {
        changed = false;
        like = father;
    }
    if (IMGA_IN_SHARED) copy_units(all.children + own * all.bytes, at.child, all.bytes, lane, 32);
    const Cost cost = changed ? cost_of(all, view, at.child, scratch) : all.costs[like];
    if (lane == 0) {
        all.child_costs[own] = cost;
        all.changed[own] = changed ? 1 : 0;
    }
    __syncwarp();  // from here on the memory belongs to the next child
    return changed;
}

}  // namespace qapfw::imga

/// Makes the children of one generation: selection, crossover, mutation and evaluation. The CUDA blocks of an island
/// make the same number of children each. This number is even and at most kThreads. The last blocks may make fewer.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads,
                                             qapfw::imga::kBreedingBlocks<qapfw::device::Problem>)
    qapfw_imga_breed(const __grid_constant__ qapfw::imga::Arrays all,
                     const __grid_constant__ qapfw::imga::Problem::View view, uint64_t generation,
                     uint32_t work_bytes) {
    using namespace qapfw;
    constexpr uint32_t kScratch = imga::kCostUnits;
    extern __shared__ kernels::SolutionUnit imga_memory[];
    __shared__ kernels::SolutionUnit scratch[imga::kWarps * kScratch + 1];
    __shared__ imga::ChildPlan plans[imga::kThreads];
    const uint32_t size = all.rules.tournament.size, blocks = gridDim.x / all.islands;
    const uint32_t part = ((size + blocks - 1) / blocks + 1) / 2 * 2;
    const uint32_t island = blockIdx.x / blocks, first = blockIdx.x % blocks * part;
    const uint32_t count = first >= size ? 0 : size - first < part ? size - first : part;
    if (threadIdx.x < count) {
        plans[threadIdx.x] = imga::plan_child(
            all, imga::rules_of(all), [](imga::Cost a, imga::Cost b) { return a < b; }, island, first + threadIdx.x,
            generation);
    }
    __syncthreads();
    const uint32_t warp = threadIdx.x / 32;
    uint8_t* const shared = reinterpret_cast<uint8_t*>(imga_memory) + warp * work_bytes;
    uint32_t evaluated = 0;
    for (uint32_t k = warp; k < count; k += imga::kWarps) {
        const uint32_t partner = (k ^ 1u) < count ? k ^ 1u : k;
        const bool changed = imga::make_child(all, view, plans[k], island, first + k, plans[partner].mother, generation,
                                              shared, scratch + warp * kScratch);
        evaluated += changed ? 1u : 0u;
    }
    if ((threadIdx.x & 31u) == 0 && evaluated > 0) {
        atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluated));
    }
}
