// SPDX-License-Identifier: Apache-2.0
// Islands of the island model GA on the device: common parts of its kernels. Random numbers and decisions are those
// of qapfw/kernels/island_ga.hpp. Each file of kernels that includes this one is compiled separately. The problem's
// device code must come before this file. The host defines:
//   IMGA_HAS_BITS    1: solutions have bay bits, 0: they are permutations alone
#pragma once

#include "plugins/imga/device/island_steps.hpp"
#include "qapfw/kernels/population.hpp"
#ifdef QAPFW_SEGMENTS
#include "qapfw/kernels/population_steps.hpp"
#endif

namespace qapfw::imga {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Arrays = Islands<Cost>;
using kernels::copy_units;
using kernels::kNobody;
using kernels::next_by_warp;

constexpr uint32_t kWarps = kThreads / 32;
constexpr kernels::WithBits kWithBits = kernels::with_bits(IMGA_HAS_BITS);

/// Shared memory that a warp needs to compute a cost, in SolutionUnits. 0: the problem needs none, or too much.
constexpr uint32_t kCostUnits = kernels::cost_units<Problem, 40'000 / kWarps>();

/// The cost of a solution, computed by one warp; all lanes get it.
QAPFW_DEVICE Cost cost_of(const Arrays& all, const Problem::View& view, const uint8_t* at,
                          kernels::SolutionUnit* scratch) {
#ifdef QAPFW_SEGMENTS
    const kernels::SolutionInMemory<Problem> solution{reinterpret_cast<const uint16_t*>(at)};
#else
    const kernels::SolutionOfRun solution{reinterpret_cast<const uint16_t*>(at),
                                          all.rules.fixed_count == 0 ? nullptr : all.order,
                                          all.bits_offset == 0 ? nullptr : at + all.bits_offset};
#endif
    return kernels::cost_by_warp<Problem, kCostUnits>(view, solution, scratch);
}

/// A warp that works on an island.
struct Warp {
    static constexpr uint32_t kThreadCount = 32, kParts = 1;  ///< number of threads; number of parts, which are warps
    QAPFW_DEVICE static uint32_t rank() { return threadIdx.x & 31u; }
    QAPFW_DEVICE static uint32_t part() { return 0; }
    QAPFW_DEVICE static void sync() { __syncwarp(); }
};

/// All threads of a CUDA block, which together work on one island.
struct Block {
    static constexpr uint32_t kThreadCount = kThreads, kParts = kWarps;
    QAPFW_DEVICE static uint32_t rank() { return threadIdx.x; }
    QAPFW_DEVICE static uint32_t part() { return threadIdx.x / 32; }
    QAPFW_DEVICE static void sync() { __syncthreads(); }
};

/// A team for IslandSteps: the threads of a Warp or a Block.
template <class Threads>
struct TeamOf : Threads {
    using Threads::sync;
    QAPFW_DEVICE static bool less(Cost a, Cost b) { return a < b; }
    QAPFW_DEVICE static bool equal(Cost a, Cost b) { return kernels::island_equal_costs(a, b); }
    QAPFW_DEVICE static bool leads_part() { return (threadIdx.x & 31u) == 0; }
    /// Calls body in one thread, after all threads have read what they need. Afterwards all see what `body` wrote.
    template <class Body>
    QAPFW_DEVICE static void once(const Body& body) {
        sync();
        if (Threads::rank() == 0) body();
        sync();
    }
    /// Calls body(k) for every k < count. The calls are dealt to the parts (warps) of the team: a part makes
    /// every kParts-th call.
    template <class Body>
    QAPFW_DEVICE static void parts(uint32_t count, const Body& body) {
        for (uint32_t k = Threads::part(); k < count; k += Threads::kParts) body(k);
        sync();
    }
    /// Copies a solution, by the threads of one warp.
    QAPFW_DEVICE static void copy(uint8_t* to, const uint8_t* from, uint64_t bytes) {
        copy_units(to, from, bytes, threadIdx.x & 31u, 32);
    }
    /// Number of the cheapest of `size` individuals, the first one if several are equal. Computed by a warp.
    QAPFW_DEVICE static uint32_t best(const Cost* costs, uint32_t size) {
        return next_by_warp<false>(costs, size, kNobody);
    }
    /// Orders `size` individuals by cost, and by number if costs are equal; kFromWorst reverses this order. Writes the
    /// numbers of the first `count` individuals in this order to `to`. A warp calls this function.
    template <bool kFromWorst>
    QAPFW_DEVICE static void first_by_cost(const Cost* costs, uint32_t size, uint32_t* to, uint32_t count) {
        uint32_t member = kNobody;
        for (uint32_t k = 0; k < count; ++k) {
            member = next_by_warp<kFromWorst>(costs, size, member);
            if (leads_part()) to[k] = member;
        }
        __syncwarp();
    }
    /// Sorts the candidates 0..count-1 by cost and number.
    template <class CostOf>
    QAPFW_DEVICE static void sort(const CostOf& cost, uint32_t* sorted, uint32_t count) {
        for (uint32_t c = Threads::rank(); c < count; c += Threads::kThreadCount) {
            sorted[kernels::rank_of(cost, c, count)] = c;
        }
        sync();
    }
    /// True if body(k) returns true for some k < count. All threads of a warp call this function together.
    template <class Body>
    QAPFW_DEVICE static bool any(uint32_t count, const Body& body) {
        uint32_t found = 0;
        for (uint32_t k = threadIdx.x & 31u; k < count; k += 32) found |= body(k) ? 1u : 0u;
        return kernels::WarpGroup{}.most(found) != 0;
    }
};

using IslandOfWarp = IslandSteps<Cost, TeamOf<Warp>>;
using IslandOfBlock = IslandSteps<Cost, TeamOf<Block>>;

}  // namespace qapfw::imga
