// SPDX-License-Identifier: Apache-2.0
// Steps of populations on a GPU that suit any algorithm: costs of solutions in device memory, and the report at the end
// of a round. A solver's kernels call them. The problem's device code must come before this file.
#pragma once

#include "qapfw/kernels/generic_swap_neighbourhood.hpp"
#include "qapfw/kernels/population.hpp"
#include "qapfw/kernels/segmented_solution.hpp"

namespace qapfw::kernels {

/// The order of costs on the device. Steps that are compiled for host and device take the order as an argument: this
/// one on the device, sdk::CostLess on the host.
struct LowerCost {
    /// True if `a` is less than `b`.
    template <class Cost>
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const {
        return a < b;
    }
};

/// A whole solution in memory, in the form that the problem's cost function reads: a permutation and bits, or segments.
template <class Problem>
struct SolutionInMemory {
    const uint16_t* solution;  ///< start of the solution; elements are in the order of the original positions
#ifdef QAPFW_SEGMENTS
    /// The element at a position of segment 0.
    QAPFW_DEVICE int operator()(int position) const {
        return static_cast<int>(element(0, position));
    }
    /// The element at a position of a segment.
    QAPFW_DEVICE uint32_t element(int segment, int position) const {
        return segmented_element(reinterpret_cast<const uint8_t*>(solution), segment, position);
    }
#else
    /// The element at a position, in the device code's numbering of positions.
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        return solution[PositionOrder<Problem::kPositions>::original(position)];
#else
        return solution[position];
#endif
    }
#endif
    /// Bit k of the solution; 0 if solutions have no bits.
    QAPFW_DEVICE int bit(int k) const {
        if constexpr (bits_of<Problem>() > 0) {
            return reinterpret_cast<const uint8_t*>(solution)[Problem::kBitsOffset + k];
        } else {
            return 0;
        }
    }
};

/// Computes the costs of `count` solutions, `stride` elements apart, with all warps of the launch; a warp per solution.
template <class Problem>
QAPFW_DEVICE void evaluate_by_warps(const typename Problem::View& view, const uint16_t* solutions, uint64_t stride,
                                    typename Problem::Cost* costs, uint32_t count) {
    for (uint32_t k = blockIdx.x * warp_count() + warp_number(); k < count; k += gridDim.x * warp_count()) {
        const auto cost = Problem::cost(WarpGroup{}, view, SolutionInMemory<Problem>{solutions + k * stride});
        if (lane_number() == 0) costs[k] = cost;
    }
}

/// The digest of a solution, computed by a warp. PopulationSettings::digest_of gives the same on the host.
template <class Problem>
QAPFW_DEVICE uint64_t solution_digest(const uint16_t* solution) {
#ifdef QAPFW_SEGMENTS
    return segments_digest_by_warp(reinterpret_cast<const uint8_t*>(solution));
#else
    const uint8_t* bits = nullptr;
    if constexpr (bits_of<Problem>() > 0) bits = reinterpret_cast<const uint8_t*>(solution) + Problem::kBitsOffset;
    return digest_by_warp(solution, Problem::kPositions, bits, bits_of<Problem>());
#endif
}

/// Individuals in device memory, `stride` elements apart; the first one has number `first` in the run.
template <class Cost>
struct Individuals {
    const uint16_t* solutions;  ///< the solutions, each with its bay bits, if there are any
    uint64_t stride;            ///< distance from one solution to the next, in elements of 16 bits
    const Cost* costs;          ///< cost of each individual
    const uint64_t* found;      ///< generation in which each individual was found
    uint32_t count, first;      ///< number of individuals, and the first one's number in the run
};

/// Writes the best individual (the leader) to the report. If `digests` is true, also adds each individual's digest
/// after `generation` to the report's digest. An individual's digest is that of a search whose present cost and best
/// cost are both the individual's cost.
/// HostSteps::leader and HostSteps::digest do the same on the host. Called by all threads of one CUDA block.
template <class Problem>
QAPFW_DEVICE void report_individuals(PopulationReport* report, const Individuals<typename Problem::Cost>& all,
                                     uint64_t generation, bool digests) {
    if (all.count == 0) return;
    report_best(report, all.solutions, 2 * all.stride, all.costs, all.found, all.count, all.first);
    if (!digests) return;
    for (uint32_t k = warp_number(); k < all.count; k += warp_count()) {
        const uint64_t solution = solution_digest<Problem>(all.solutions + k * all.stride);
        const int64_t cost = cost_bits(all.costs[k]);
        const uint64_t own = digest_in_round(all.first + k, digest_search(solution, cost, cost, generation));
        if (lane_number() == 0) atomicAdd(&report->digest, static_cast<unsigned long long>(own));
    }
}

}  // namespace qapfw::kernels
