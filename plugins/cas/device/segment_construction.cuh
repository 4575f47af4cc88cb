// SPDX-License-Identifier: Apache-2.0
// Makes ants on the device if the framework defines QAPFW_SEGMENTS, since solutions are then lists of segments. A CUDA
// block either draws a first ant or constructs an ant from a donor. In a construction, all threads copy the donor and
// sample elements, then the first warp draws the values. In both cases, the first warp computes the cost.
#pragma once

#include "plugins/cas/device/cas_assignment.cuh"
#include "plugins/cas/device/cas_colonies.cuh"

#ifdef QAPFW_SEGMENTS
#include "qapfw/kernels/population_steps.hpp"

namespace qapfw::cas {

/// The scratch memory of this CUDA block. It lies in `shared`, the block's dynamic shared memory, or in device memory.
QAPFW_DEVICE SegmentScratch segment_scratch(const Colonies& c, uint64_t* shared) {
    uint64_t* const memory =
        c.scratch_in_shared != 0 ? shared : c.scratch + blockIdx.x * (c.scratch_bytes / sizeof *c.scratch);
    auto* const pool = reinterpret_cast<uint32_t*>(memory);
    uint32_t* const left = pool + c.tables.free_count;
    auto* const order = reinterpret_cast<uint16_t*>(left + c.trails.list.count);
    return {order, order + c.tables.free_count, pool, left};
}

/// The child (the cunning ant) of a donor.
QAPFW_DEVICE uint8_t* child_of(const Colonies& c, uint32_t ant) {
    return reinterpret_cast<uint8_t*>(c.children + static_cast<uint64_t>(ant) * c.stride);
}

/// Evaluates a cunning ant, by the first warp of a CUDA block.
QAPFW_DEVICE void evaluate_child(const Colonies& c, const Problem::View& view, uint32_t ant) {
    constexpr uint32_t kUnits = kernels::cost_units<Problem, kMostCostScratch>();
    __shared__ kernels::SolutionUnit scratch[kUnits + 1];
    __syncthreads();
    if (kernels::warp_number() != 0) return;
    const kernels::SolutionInMemory<Problem> solution{c.children + static_cast<uint64_t>(ant) * c.stride};
    const int64_t cost = kernels::cost_bits(kernels::cost_by_warp<Problem, kUnits>(view, solution, scratch));
    if (threadIdx.x == 0) c.child_costs[ant] = cost;
}

/// Makes one of the run's first ants: draws a solution into the ant's memory and evaluates it. `given`: the memory
/// already holds a warm start, so nothing is drawn.
QAPFW_DEVICE void sample_segments(const Colonies& c, const Problem::View& view, uint32_t ant, bool given) {
    if (threadIdx.x == 0 && !given) {
        kernels::draw_segments(c.trails.list, child_of(c, ant), c.seed, 0, c.first_ant + ant);
    }
    evaluate_child(c, view, ant);
}

/// Chooses the rows that an ant samples, and writes them to the first entries of scratch.order, in the order in which
/// they get values. Returns the number of these rows. All threads of a CUDA block call this function together.
QAPFW_DEVICE uint32_t sample_rows(const Colonies& c, const SegmentScratch& scratch, const kernels::AntDraws& at) {
    const uint32_t word = kernels::draw(at.seed, at.iteration, at.ant, kernels::kCunningStream, 0);
    uint64_t reached = 0;
    for (uint32_t k = threadIdx.x; k < c.tables.free_count; k += kBlockThreads) {
        reached += c.tables.thresholds[k] <= word ? 1u : 0u;
    }
    const auto count = static_cast<uint32_t>(BlockGroup{}.sum(reached));
    kernels::draw_exchanges(BlockGroup{}, scratch.with, count, c.tables.free_count, at);
    for (uint32_t k = threadIdx.x; k < count; k += kBlockThreads) {
        scratch.order[k] = entry_after_exchanges(scratch.with, k);
    }
    return count;
}

/// Constructs a cunning ant from its donor. `shared`: scratch_bytes of dynamic shared memory; not used if the scratch
/// lies in device memory.
QAPFW_DEVICE void construct_segments(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration,
                                     uint64_t* shared) {
    const SegmentScratch scratch = segment_scratch(c, shared);
    const kernels::AntDraws at{c.seed, iteration, c.first_ant + ant};
    uint8_t* const child = child_of(c, ant);
    const auto* const donor = reinterpret_cast<const uint8_t*>(c.ants + static_cast<uint64_t>(ant) * c.stride);
    kernels::copy_units(child, donor, uint64_t{2} * c.stride, threadIdx.x, kBlockThreads);
    const uint32_t count = sample_rows(c, scratch, at);
    __syncthreads();
    if (kernels::warp_number() == 0) {
        const uint64_t* const trail = c.trail + ant / c.rules.ants * c.trails.size;
        assign_segment_values(WarpPrefix{}, c.trails, trail, child, scratch, count, at);
    }
    evaluate_child(c, view, ant);
}

}  // namespace qapfw::cas
#endif
