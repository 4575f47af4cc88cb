// SPDX-License-Identifier: Apache-2.0
// The base genetic algorithm (ga_base.hpp) by the threads of one CUDA block. Each child is made by one thread, since
// crossover is a serial walk along a few cycles. Each cost is computed by one warp, since it is often a long sum.
// Children that equal a parent are not evaluated; a list in shared memory deals the others to the warps. Pools may lie
// in shared or in device memory. The problem's device code must come before this file. That code may define a type
// Problem::ChildCosts like PlainChildCosts below. The host defines QAPFW_BYTES if solutions have at most kGaMostInBytes
// values.
#pragma once

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/kernels/population.hpp"
#include "qapfw/kernels/population_report.hpp"
#include "qapfw/kernels/segmented_solution.hpp"

/// QAPFW_GA_IN_SHARED is 1 if pools may lie in shared memory, that is, if solutions are only a permutation.
#if QAPFW_HAS_BITS || defined(QAPFW_SEGMENTS)
#define QAPFW_GA_IN_SHARED 0
#else
#define QAPFW_GA_IN_SHARED 1
#endif

namespace qapfw::kernels {

/// Gives a problem's cost function access to a solution in memory (see swap_neighbourhood.hpp). The macro
/// QAPFW_UNORDERED says that no position is fixed. Then no element needs a load from `order`.
template <class Element>
struct OrderedSolution {
    const Element* solution;  ///< in the order of the original positions
    const uint16_t* order;    ///< entry p: the original position of the device code's position p, see kernel_order
#ifdef QAPFW_SEGMENTS
    /// Element `position` of segment 0.
    QAPFW_DEVICE int operator()(int position) const {
        return static_cast<int>(element(0, position));
    }
    /// Element `position` of a segment.
    QAPFW_DEVICE uint32_t element(int segment, int position) const {
        return segmented_element(reinterpret_cast<const uint8_t*>(solution), segment, position);
    }
#else
    /// Returns the element at a position. `position` counts in the order of the device code.
    QAPFW_DEVICE int operator()(int position) const {
#if defined(QAPFW_MOVABLE_FIRST) && !defined(QAPFW_UNORDERED)
        return solution[order[position]];
#else
        return solution[position];
#endif
    }
#endif
#if QAPFW_HAS_BITS
    /// Bay bit k.
    QAPFW_DEVICE int bit(int k) const {
        return reinterpret_cast<const uint8_t*>(solution)[QAPFW_BITS_OFFSET + k];
    }
#endif
};

/// The operators that this device code holds.
using GaOperators = OperatorsOfRun<GaPaperOperators>;

/// The order of costs.
struct CostOrder {
    /// True if `a` is less than `b`.
    template <class Cost>
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const {
        return a < b;
    }
};

/// Lists the children on which a warp must still work, in any order: those with an unknown cost, and those that may
/// replace their parents. While the threads of a CUDA block breed, they share only this list.
struct GaWork {
    uint32_t* list;                                    ///< child numbers, marked kUnknown if the cost is not known yet
    uint32_t* count;                                   ///< number of entries in the list; the caller sets it to 0
    static constexpr uint32_t kUnknown = 0x80000000u;  ///< bit that marks a child number whose cost is not known yet
    /// Appends a child to the list. Any thread of the CUDA block may call this function.
    QAPFW_DEVICE void add(uint32_t child) const { list[atomicAdd(count, 1u)] = child; }
};

/// Computes costs by warps. The object lies in the CUDA block's shared memory. All threads call load() before its use.
/// A problem may have a class of its own instead of this one. The after() of such a class may compute a child's cost
/// from the differences between the child and its parent.
template <class Problem>
struct PlainChildCosts {
    using View = typename Problem::View;  ///< the problem's View
    using Cost = typename Problem::Cost;  ///< the problem's Cost
    /// All threads of the CUDA block call load(). A barrier must follow before anything calls of() or after().
    QAPFW_DEVICE void load(const View&) {}
    /// The cost of a solution, computed from scratch by a warp; all lanes get the cost.
    template <class Solution>
    QAPFW_DEVICE Cost of(WarpGroup warp, const View& view, Solution solution) {
        return Problem::cost(warp, view, solution);
    }
    /// The cost of `child`, computed by a warp; all lanes get the cost. The unused arguments are the child's
    /// parent and the cost of this parent.
    template <class Solution>
    QAPFW_DEVICE Cost after(WarpGroup warp, const View& view, Solution, Cost, Solution child) {
        return Problem::cost(warp, view, child);
    }
};

/// The largest number of bytes of shared memory for scratch in a CUDA block.
constexpr uint64_t kGaMostScratch = 40'000;
/// Number of SolutionUnits of scratch that a warp needs. 0: the problem needs no scratch, or more than the warp's part
/// of kGaMostScratch.
template <class Problem>
constexpr uint32_t kGaScratchUnits = cost_units<Problem, kGaMostScratch / (kGaThreads / 32)>();

/// Computes the costs of children for a problem that needs scratch memory. A warp computes one cost; a CUDA block has
/// kGaThreads threads.
template <class Problem>
struct ScratchChildCosts {
    using View = typename Problem::View;                              ///< the problem's View
    using Cost = typename Problem::Cost;                              ///< the problem's Cost
    SolutionUnit scratch[kGaThreads / 32][kGaScratchUnits<Problem>];  ///< per warp
    /// All threads of the CUDA block call load(). A barrier must follow before anything calls of() or after().
    QAPFW_DEVICE void load(const View&) {}
    /// The cost of a solution, computed by a warp with its row of `scratch`; all lanes get the cost.
    template <class Solution>
    QAPFW_DEVICE Cost of(WarpGroup warp, const View& view, Solution solution) {
        return Problem::cost_in(warp, view, solution, static_cast<void*>(scratch[warp_number()]));
    }
    /// The cost of `child`, computed by a warp; all lanes get the cost. The unused arguments are the child's
    /// parent and the cost of this parent.
    template <class Solution>
    QAPFW_DEVICE Cost after(WarpGroup warp, const View& view, Solution, Cost, Solution child) {
        return of(warp, view, child);
    }
};

/// True if all three hold: solutions may have bay bits, the problem needs scratch that fits in shared memory, and the
/// problem has no ChildCosts of its own.
template <class Problem>
concept WantsScratch = GaOperators::kBits &&(kGaScratchUnits<Problem> != 0) && !requires {
    sizeof(typename Problem::ChildCosts);
};

/// Chooses the class that computes the costs of children: plain evaluation, unless a specialisation below applies.
template <class Problem>
struct ChildCostsOf {
    using type = PlainChildCosts<Problem>;  ///< the class that a CUDA block uses
};
/// For problems with WantsScratch: costs are computed with scratch in shared memory.
template <class Problem>
requires WantsScratch<Problem>
struct ChildCostsOf<Problem> {
    using type = ScratchChildCosts<Problem>;  ///< the class that a CUDA block uses
};
/// For problems that have a class ChildCosts: that class computes the costs.
template <class Problem>
requires requires {
    sizeof(typename Problem::ChildCosts);
}
struct ChildCostsOf<Problem> {
    using type = typename Problem::ChildCosts;  ///< the class that a CUDA block uses
};
/// The type that computes costs in a CUDA block.
template <class Problem>
using ChildCosts = typename ChildCostsOf<Problem>::type;

/// The type of an element of a solution in shared memory.
#ifdef QAPFW_BYTES
using SharedElement = uint8_t;
#else
using SharedElement = uint16_t;
#endif

/// Number of elements to copy for a whole solution. Bay bits are bytes behind the permutation; here two of these bytes
/// count as one element.
template <class Rules>
QAPFW_DEVICE uint32_t ga_row(const Rules& rules) {
    return row_elements<GaOperators>(rules.shape, rules.values);
}

/// Returns the digest of a solution. All lanes of a warp call this function together.
template <class Rules>
QAPFW_DEVICE uint64_t ga_solution_digest(const Rules& rules, const uint16_t* solution) {
#ifdef QAPFW_SEGMENTS
    return segments_digest_by_warp(reinterpret_cast<const uint8_t*>(solution));
#else
    const uint8_t* bits = nullptr;
    if constexpr (GaOperators::kBits) bits = bits_of<GaOperators>(rules.shape, solution);
    return digest_by_warp(solution, rules.values, bits, GaOperators::kBits ? rules.values - 1 : 0);
#endif
}

/// Copies a solution of `values` elements. All lanes of a warp call this function together.
template <class To, class From>
QAPFW_DEVICE void ga_copy_by_warp(To* to, const From* from, uint32_t values) {
    for (uint32_t v = lane_number(); v < values; v += 32) to[v] = static_cast<To>(from[v]);
}
/// Copies a solution of `values` bytes as 32-bit words, so up to three bytes behind the solution are copied too. All
/// lanes of a warp call this function together.
QAPFW_DEVICE void ga_copy_by_warp(uint8_t* to, const uint8_t* from, uint32_t values) {
    ga_copy_by_warp(reinterpret_cast<uint32_t*>(to), reinterpret_cast<const uint32_t*>(from), (values + 3) / 4);
}

/// Draws and evaluates individuals first..last-1 in `generation`. Individuals before `given` exist already and are only
/// evaluated. Each individual is drawn by one thread and evaluated by one warp. One lane of this warp then calls
/// evaluated(cost). Called by all threads of a CUDA block; ends with a barrier.
template <class Costs, class View, class Cost, class Element, class Evaluated>
QAPFW_DEVICE void ga_draw_all(const GaPopulation<Cost, Element>& p, Costs& costs, const View& view, uint32_t first,
                              uint32_t last, uint32_t given, uint64_t generation, const Evaluated& evaluated) {
    for (uint32_t k = first + threadIdx.x; k < last; k += blockDim.x) {
#ifdef QAPFW_SEGMENTS
        if (k >= given) ga_draw_segments(p.rules, p.segments, p.base, p.pools.parent(k), k, generation);
#else
        if (k >= given) ga_draw<GaOperators>(p.rules, p.positions, p.base, p.pools.parent(k), k, generation);
#endif
        p.pools.found[k] = generation;
    }
    __syncthreads();
    for (uint32_t k = first + warp_number(); k < last; k += warp_count()) {
        const Cost cost = costs.of(WarpGroup{}, view, OrderedSolution<Element>{p.pools.parent(k), p.order});
        if (lane_number() != 0) continue;
        p.pools.costs[k] = cost;
        evaluated(cost);
    }
    __syncthreads();
}

/// The individuals of the calling CUDA block. The CUDA blocks of the launch split the individuals evenly.
struct GaTile {
    uint32_t first, last;  ///< individuals first to last - 1; none if last <= first

    /// Makes the tile of the calling CUDA block. `individuals`: number of all individuals.
    QAPFW_DEVICE explicit GaTile(uint32_t individuals) {
        const uint32_t each = (individuals + gridDim.x - 1) / gridDim.x;
        first = blockIdx.x * each;
        last = first + each < individuals ? first + each : individuals;
    }
};

/// Makes the initial individuals of one CUDA block. Individuals are numbered through all CUDA blocks; those
/// below `given` exist already and are only evaluated.
template <class Problem, class Cost>
QAPFW_DEVICE void ga_begin_tile(const GaPopulation<Cost>& p, const typename Problem::View& view, uint32_t given) {
    __shared__ ChildCosts<Problem> costs;
    const GaTile tile(p.individuals);
    costs.load(view);
    ga_draw_all(p, costs, view, tile.first, tile.last, given, 0, [](Cost) {});
}

/// Crosses and mutates children first..last-1, one thread for each child. Lists in `work` the children whose cost is
/// unknown, and those that copy a mate whose cost is lower than the parent's.
template <class Cost, class Element>
QAPFW_DEVICE void ga_breed_all(const GaPopulation<Cost, Element>& p, uint32_t first, uint32_t last, uint64_t generation,
                               const GaWork& work) {
    for (uint32_t k = first + threadIdx.x; k < last; k += blockDim.x) {
        Element* const row = p.scratch + k * p.pools.stride;
#ifdef QAPFW_SEGMENTS
        const bool is_new = ga_breed_segments<GaOperators::kCrossovers>(p.rules, p.segments, p.pools, k, generation,
                                                                        reinterpret_cast<uint8_t*>(row));
#else
        const GaScratch<Element> scratch{reinterpret_cast<uint8_t*>(row), row};
        const bool is_new = ga_breed<GaOperators>(p.rules, p.order, p.pools, k, generation, scratch);
#endif
        if (is_new) {
            work.add(k | GaWork::kUnknown);
        } else if (p.pools.child_costs[k] < p.pools.costs[k]) {
            work.add(k);
        }
    }
}

/// Returns the cost of a child to all lanes of the calling warp. `listed`: the child's entry in the work list.
template <class Costs, class View, class Cost, class Element>
QAPFW_DEVICE Cost ga_listed_cost(Costs& costs, const View& view, const GaPopulation<Cost, Element>& p,
                                 uint32_t listed) {
    const uint32_t k = listed & ~GaWork::kUnknown;
    if ((listed & GaWork::kUnknown) == 0) return p.pools.child_costs[k];
    using Solution = OrderedSolution<Element>;
    return costs.after(WarpGroup{}, view, Solution{p.pools.parent(k), p.order}, p.pools.costs[k],
                       Solution{p.pools.child(k), p.order});
}

/// Makes the children of one CUDA block, with their costs.
template <class Problem, class Cost>
QAPFW_DEVICE void ga_breed_tile(const GaPopulation<Cost>& p, const typename Problem::View& view, uint64_t generation) {
    __shared__ ChildCosts<Problem> costs;
    __shared__ uint32_t list[kGaThreads];
    __shared__ uint32_t count;
    const GaTile tile(p.individuals);
    costs.load(view);
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    ga_breed_all(p, tile.first, tile.last, generation, {list, &count});
    __syncthreads();
    for (uint32_t i = warp_number(); i < count; i += warp_count()) {
        const Cost cost = ga_listed_cost(costs, view, p, list[i]);
        if (lane_number() == 0) p.pools.child_costs[list[i] & ~GaWork::kUnknown] = cost;
    }
}

/// The child, whose cost is `after`, replaces its parent if the child costs less. Called by a warp. Returns whether the
/// parent was replaced.
template <class Cost, class Element>
QAPFW_DEVICE bool ga_replace(const GaPopulation<Cost, Element>& p, uint32_t k, Cost after, uint64_t generation) {
    if (!(after < p.pools.costs[k])) return false;
    __syncwarp();
    ga_copy_by_warp(p.pools.parent(k), p.pools.child(k), ga_row(p.rules));
    if (lane_number() == 0) {
        p.pools.costs[k] = after;
        p.pools.found[k] = generation;
    }
    __syncwarp();
    return true;
}

/// A warp counts how many of the `count` costs equal `best`.
template <class Cost>
QAPFW_DEVICE uint32_t ga_count_by_warp(const Cost* costs, uint32_t count, Cost best) {
    uint32_t at_best = 0;
    for (uint32_t k = lane_number(); k < count; k += 32) at_best += costs[k] == best ? 1 : 0;
    return WarpGroup{}.sum(at_best);
}

/// Writes the leader of a population to the report, by a warp. Does not change the report's digest.
template <class Cost>
QAPFW_DEVICE void population_report(PopulationReport* report, Cost cost, uint64_t found, uint64_t number,
                                    const uint16_t* solution, uint32_t values) {
    ga_copy_by_warp(reinterpret_cast<uint16_t*>(report + 1), solution, values);
    if (lane_number() != 0) return;
    report->cost = cost_bits(cost);
    report->found = found;
    report->number = number;
}

/// Adds the individuals to the report's digest, see digest_by_warps. best(k) is the best cost that enters the digest of
/// individual k, such as the best cost of the individual's group.
template <class Cost, class Best, class Report>
QAPFW_DEVICE void ga_digest(const GaPopulation<Cost>& p, const Best& best, uint64_t generation, uint32_t of_warp,
                            Report* report) {
    const auto solution = [&](uint32_t k) { return ga_solution_digest(p.rules, p.pools.parent(k)); };
    digest_by_warps(report, solution, p.pools.costs, best, p.individuals, p.rules.first, generation, of_warp);
}

/// Pools of one subpopulation in shared memory: parents, children, scratch rows, costs, the list of work. Rows are an
/// odd number of 32-bit words apart. So threads that walk along their own rows have no bank conflicts.
template <class Cost>
struct GaSharedPools {
    /// The subpopulation. `own.rules.first` is the number of its first individual in the run; the array
    /// `own.pools.found` is in device memory.
    GaPopulation<Cost, SharedElement> own;
    GaWork work;            ///< the work list, and the number of its entries in even generations
    uint32_t* other_count;  ///< the number of the list's entries in odd generations; see work_of()

    /// `memory`: ga_shared_bytes bytes, in which the counts follow the work list. `to`: the pools that `store` writes.
    QAPFW_DEVICE GaSharedPools(const GaPopulation<Cost>& all, const GaPools<Cost>& to, uint32_t subpopulation,
                               uint64_t* memory) {
        const uint32_t size = all.rules.size, before = subpopulation * size;
        own.rules = all.rules;
        own.rules.first += before;
        own.positions = all.positions;
        own.order = all.order;
        own.base = all.base;
        own.individuals = size;
        own.pools.stride = ga_shared_row(all.rules.values) / sizeof(SharedElement);
        own.pools.costs = reinterpret_cast<Cost*>(memory);
        own.pools.child_costs = own.pools.costs + size;
        own.pools.found = to.found + before;
        work.list = reinterpret_cast<uint32_t*>(memory + 2 * size);
        work.count = work.list + size;
        other_count = work.count + 1;
        own.pools.parents = reinterpret_cast<SharedElement*>(work.count + 2);
        own.pools.children = own.pools.parents + size * own.pools.stride;
        own.scratch = own.pools.children + size * own.pools.stride;
    }

    /// Loads a subpopulation into shared memory. But its entries of `found` are copied to device memory, into the
    /// pools `to` that the constructor got. Called by all threads of the CUDA block; the caller then needs a barrier.
    QAPFW_DEVICE void load(const GaPopulation<Cost>& all, uint32_t subpopulation) const {
        const uint32_t before = subpopulation * all.rules.size, stride = static_cast<uint32_t>(own.pools.stride);
        for (uint32_t k = warp_number(); k < own.rules.size; k += warp_count()) {
            const uint16_t* const there = all.pools.parent(before + k);
            for (uint32_t v = lane_number(); v < stride; v += 32) {
                own.pools.parent(k)[v] = v < own.rules.values ? static_cast<SharedElement>(there[v]) : SharedElement{0};
            }
        }
        for (uint32_t k = threadIdx.x; k < own.rules.size; k += blockDim.x) {
            own.pools.costs[k] = all.pools.costs[before + k];
            own.pools.found[k] = all.pools.found[before + k];
        }
        if (threadIdx.x == 0) *work.count = *other_count = 0;
    }
    /// Returns the work list of a generation, and sets the count of the next generation's list to 0. Called by all
    /// threads of the CUDA block.
    QAPFW_DEVICE GaWork work_of(uint64_t generation) const {
        const bool odd = (generation & 1) != 0;
        if (threadIdx.x == 0) *(odd ? work.count : other_count) = 0;
        return {work.list, odd ? other_count : work.count};
    }
    /// Writes the subpopulation back, except `found`, which is in device memory already. Called by all threads.
    QAPFW_DEVICE void store(const GaPools<Cost>& to, uint32_t subpopulation) const {
        const uint32_t before = subpopulation * own.rules.size;
        for (uint32_t k = warp_number(); k < own.rules.size; k += warp_count()) {
            ga_copy_by_warp(to.parent(before + k), own.pools.parent(k), own.rules.values);
        }
        for (uint32_t k = threadIdx.x; k < own.rules.size; k += blockDim.x) {
            to.costs[before + k] = own.pools.costs[k];
        }
    }
};

}  // namespace qapfw::kernels
