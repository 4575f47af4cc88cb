// SPDX-License-Identifier: Apache-2.0
// Islands of the island model GA on the device: what their kernels share. Numbers and choices are those of
// qapfw/kernels/island_ga.hpp. Each file of kernels that includes this one is a compilation of its own. The problem's
// text comes before. The host says:
//   IMGA_HAS_BITS    1: solutions have bay bits, 0: they are permutations alone
#pragma once

#include "plugins/imga/device/islands.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::imga {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Arrays = Islands<Cost>;

constexpr uint32_t kWarps = kThreads / 32;

/// A solution in memory as a problem's cost reads it.
struct SolutionInMemory {
    const uint16_t *perm, *order;  ///< order null: positions are numbered as they are
    const uint8_t* bits;           ///< null: none
    QAPFW_DEVICE int operator()(int position) const { return perm[order == nullptr ? position : order[position]]; }
    QAPFW_DEVICE int bit(int k) const { return bits == nullptr ? 0 : bits[k]; }
};

QAPFW_DEVICE SolutionInMemory solution_at(const Arrays& all, const uint8_t* at) {
#ifdef QAPFW_MOVABLE_FIRST
    const uint16_t* const order = all.rules.fixed_count == 0 ? nullptr : all.order;
#else
    const uint16_t* const order = nullptr;
#endif
    return {reinterpret_cast<const uint16_t*>(at), order, all.bits_offset == 0 ? nullptr : at + all.bits_offset};
}

/// Solutions, and all that is copied with them, are multiples of this and aligned to it.
struct alignas(16) Unit {
    uint64_t words[2];
};

/// Shared memory that a warp has for a cost, in units. None where the problem does without, or wants more than a CUDA
/// block may have.
template <class Problem>
constexpr uint32_t scratch_units() {
    if constexpr (requires { Problem::kScratchBytes; }) {
        return Problem::kScratchBytes * kWarps <= 40'000 ? static_cast<uint32_t>(Problem::kScratchBytes / 16) : 0;
    } else {
        return 0;
    }
}

/// By a warp, to all its lanes.
template <class Problem>
QAPFW_DEVICE Cost cost_of(const typename Problem::View& view, const SolutionInMemory& solution, Unit* scratch) {
    if constexpr (scratch_units<Problem>() > 0) {
        return Problem::cost_in(kernels::WarpGroup{}, view, solution, static_cast<void*>(scratch));
    } else {
        return Problem::cost(kernels::WarpGroup{}, view, solution);
    }
}

/// Calls body(view): view(address) is the solution there, with bay bits or without.
template <class Body>
QAPFW_DEVICE void with_solutions(const Arrays& all, const Body& body) {
    if (!IMGA_HAS_BITS) {
        body([](uint8_t* at) { return kernels::fbs_solution(reinterpret_cast<uint16_t*>(at), kernels::FbsNoBits{}); });
    } else {
        const uint32_t offset = all.bits_offset;
        body([offset](uint8_t* at) { return kernels::fbs_solution(reinterpret_cast<uint16_t*>(at), at + offset); });
    }
}

QAPFW_DEVICE void copy_bytes(uint8_t* to, const uint8_t* from, uint64_t count, uint32_t rank, uint32_t threads) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // few units for a lane, and copies at many places
#endif
    for (uint64_t u = rank; u < count / sizeof(Unit); u += threads) {
        reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
    }
}

constexpr uint32_t kNobody = 0xFFFFFFFFu;

/// By a warp: the member of an island that comes after `last` by cost and number, or from the worst on by both; the
/// first where `last` is nobody.
template <bool kFromWorst>
QAPFW_DEVICE uint32_t next_in_rank(const Cost* costs, uint32_t size, uint32_t last) {
    const auto comes_first = [](Cost a, uint32_t number_a, Cost b, uint32_t number_b) {
        return (a < b || (a == b && number_a < number_b)) != kFromWorst;
    };
    const Cost last_cost = costs[last == kNobody ? 0 : last];
    uint32_t next = kNobody;
    Cost next_cost = last_cost;
    for (uint32_t k = threadIdx.x & 31u; k < size; k += 32) {
        const Cost cost = costs[k];
        if (k == last || (last != kNobody && comes_first(cost, k, last_cost, last))) continue;
        if (next != kNobody && !comes_first(cost, k, next_cost, next)) continue;
        next = k;
        next_cost = cost;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kernels::kAllLanes, next, distance);
        const Cost other_cost = __shfl_xor_sync(kernels::kAllLanes, next_cost, distance);
        if (other == kNobody || other == next) continue;
        if (next != kNobody && !comes_first(other_cost, other, next_cost, next)) continue;
        next = other;
        next_cost = other_cost;
    }
    return next;
}

/// The island's best among `solutions`, the population from now on. By a warp.
QAPFW_DEVICE void keep_best(const Arrays& all, const uint8_t* solutions, const Cost* costs, uint32_t island,
                            uint64_t generation) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint64_t best = uint64_t{island} * size + next_in_rank<false>(costs + uint64_t{island} * size, size, kNobody);
    const Cost cost = costs[best];
    const bool improves = cost < all.present_best[island], is_record = cost < all.best_costs[island];
    __syncwarp();
    if (lane == 0 && improves) {
        all.present_best[island] = cost;
        all.improved[island] = generation;
    }
    if (!is_record) return;
    copy_bytes(all.best_solutions + island * all.bytes, solutions + best * all.bytes, all.bytes, lane, 32);
    if (lane == 0) {
        all.best_costs[island] = cost;
        all.best_found[island] = generation;
    }
}

}  // namespace qapfw::imga
