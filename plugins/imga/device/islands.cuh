// SPDX-License-Identifier: Apache-2.0
// Islands of the island model GA on the device: what their kernels share. Numbers and choices are those of
// qapfw/kernels/island_ga.hpp. Each file of kernels that includes this one is a compilation of its own. The problem's
// text comes before. The host says:
//   IMGA_HAS_BITS    1: solutions have bay bits, 0: they are permutations alone
#pragma once

#include "plugins/imga/device/islands.hpp"
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

constexpr uint32_t kCostUnits = kernels::cost_units<Problem, 40'000 / kWarps>();  ///< of a warp

/// By a warp, to all its lanes.
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

/// The island's best among `solutions`, the population from now on. By a warp.
QAPFW_DEVICE void keep_best(const Arrays& all, const uint8_t* solutions, const Cost* costs, uint32_t island,
                            uint64_t generation) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint64_t best = uint64_t{island} * size + next_by_warp<false>(costs + uint64_t{island} * size, size, kNobody);
    const Cost cost = costs[best];
    const bool improves = cost < all.present_best[island], is_record = cost < all.best_costs[island];
    __syncwarp();
    if (lane == 0 && improves) {
        all.present_best[island] = cost;
        all.improved[island] = generation;
    }
    if (!is_record) return;
    copy_units(all.best_solutions + island * all.bytes, solutions + best * all.bytes, all.bytes, lane, 32);
    if (lane == 0) {
        all.best_costs[island] = cost;
        all.best_found[island] = generation;
    }
}

}  // namespace qapfw::imga
