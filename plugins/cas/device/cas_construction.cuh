// SPDX-License-Identifier: Apache-2.0
// Constructs a cunning ant from its donor, by a CUDA block. All threads sample positions, fetch trail rows and evaluate
// the cost; the first warp draws the values (cas_assignment.cuh). Loads from device memory overlap with other work.
#pragma once

#include "plugins/cas/device/async_copy.cuh"
#include "plugins/cas/device/cas_assignment.cuh"
#include "plugins/cas/device/cas_colonies.cuh"
#include "qapfw/kernels/random_permutation.hpp"

#ifndef QAPFW_SEGMENTS  // with QAPFW_SEGMENTS, segment_construction.cuh takes the place of this code
namespace qapfw::cas {

/// A cunning ant as Problem::cost reads it.
struct OrderedSolution {
    const uint16_t* values;  ///< elements in the order of the device code's positions, see kernel_order
    const uint16_t* child;   ///< the ant itself, for its bay bits
    QAPFW_DEVICE int operator()(int position) const { return values[position]; }
    QAPFW_DEVICE int bit(int k) const { return bits_of(child)[k]; }
};

/// Computes a cost with a CUDA block. Thread 0 gets the bits of the cost. Real-valued costs, and costs of solutions
/// with bits, are left to the first warp, which adds in a fixed order.
template <class Problem>
QAPFW_DEVICE int64_t cost_of(const typename Problem::View& view, const OrderedSolution& solution) {
    if constexpr (!kHasBits && !kRealCosts) {
        return Problem::cost(BlockGroup{}, view, solution);
    } else {
        constexpr uint32_t kUnits = kernels::cost_units<Problem, kMostCostScratch>();
        __shared__ kernels::SolutionUnit scratch[kUnits + 1];
        typename Problem::Cost cost{};
        if (kernels::warp_number() == 0) cost = kernels::cost_by_warp<Problem, kUnits>(view, solution, scratch);
        return kernels::cost_bits(cost);
    }
}

/// Divides the memory at `entries`, in shared or in device memory, into the arrays of one construction. Trail rows are
/// not among these arrays.
QAPFW_DEVICE Scratch scratch_in(uint64_t* entries, const kernels::CunningTables& tables) {
    auto* const words = reinterpret_cast<uint32_t*>(entries);
    auto* const child = reinterpret_cast<uint16_t*>(words + tables.free_count);
    uint16_t* const order = child + 2 * tables.values;
    return {words, child, child + tables.values, order, order + tables.free_count, order + 2 * tables.free_count};
}

/// Scratch of this CUDA block in device memory, used if shared memory is too small for trail rows.
QAPFW_DEVICE Scratch scratch_in_memory(const Colonies& c) {
    return scratch_in(c.scratch + blockIdx.x * (c.scratch_bytes / sizeof *c.scratch), c.tables);
}

/// Starts to copy all rows of a colony's trail to shared memory.
QAPFW_DEVICE void stage_all_rows(uint64_t* rows, const uint64_t* trail, const kernels::CunningTables& tables) {
    for (uint32_t k = threadIdx.x; k < tables.free_count * tables.values; k += kBlockThreads) {
        kernels::copy_to_shared(rows + k, trail + k);
    }
}

/// Starts to copy the trail's rows order[first] .. order[last - 1] to shared memory.
QAPFW_DEVICE void stage_rows(uint64_t* rows, const uint64_t* trail, const uint16_t* order, uint32_t first,
                             uint32_t last, uint32_t values) {
    for (uint32_t k = first + kernels::warp_number(); k < last; k += kBlockThreads / 32) {
        const uint64_t* const row = trail + static_cast<uint64_t>(order[k]) * values;
        for (uint32_t v = kernels::lane_number(); v < values; v += 32) {
            kernels::copy_to_shared(rows + (k - first) * values + v, row + v);
        }
    }
}

/// One CUDA block copies the cunning ant from scratch.child to c.children and evaluates it.
QAPFW_DEVICE void finish(const Colonies& c, const Problem::View& view, uint32_t ant, const Scratch& scratch) {
    uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x; k < c.tables.values; k += kBlockThreads) {
        child[k] = scratch.child[k];
#ifdef QAPFW_MOVABLE_FIRST
        scratch.ordered[k] = scratch.child[c.tables.free_count == c.tables.values ? k : c.order[k]];
#else
        scratch.ordered[k] = scratch.child[k];
#endif
    }
    __syncthreads();
    const int64_t cost = cost_of<Problem>(view, OrderedSolution{scratch.ordered, child});
    if (threadIdx.x == 0) c.child_costs[ant] = cost;
}

/// Makes one of the run's first ants from the solution in the ant's memory, and evaluates the ant. `given`: the
/// solution is a warm start and stays as it is; else its free elements are shuffled.
QAPFW_DEVICE void sample(const Colonies& c, const Problem::View& view, uint32_t ant, bool given,
                         const Scratch& scratch) {
    uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x; k < c.tables.values; k += kBlockThreads) scratch.child[k] = child[k];
    __syncthreads();
    if (threadIdx.x == 0 && !given) {
        kernels::shuffle(scratch.child, c.tables.free, c.tables.free_count, c.seed, 0, c.first_ant + ant,
                         kernels::kFirstAntStream);
        if constexpr (kHasBits) {
            kernels::draw_ant_bits(bits_of(child), c.tables.values, kernels::AntDraws{c.seed, 0, c.first_ant + ant});
        }
    }
    __syncthreads();
    finish(c, view, ant, scratch);
}

/// Copies the donor's bay bits to a cunning ant and may change some. Called by a CUDA block, which then calls `finish`.
QAPFW_DEVICE void inherit_bits(const Colonies& c, uint32_t ant, const kernels::AntDraws& at) {
    if constexpr (kHasBits) {
        uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
        const uint16_t* const donor = c.ants + static_cast<uint64_t>(ant) * c.stride;
        for (uint32_t k = threadIdx.x; k + 1 < c.tables.values; k += kBlockThreads)
            bits_of(child)[k] = bits_of(donor)[k];
        __syncthreads();
        if (threadIdx.x == 0) kernels::change_ant_bits(child, bits_of(child), c.tables.values, c.bay_moves, at);
        __syncthreads();
    }
}

/// Data that a thread loads for its index k before positions are sampled: entry k of `thresholds`, free position k,
/// and the donor's value at position k.
struct Entry {
    uint32_t threshold;
    uint16_t position, value;
};

/// Reads the three numbers of index k. If k is past the end of an array, reads the array's first number. Without free
/// positions, threshold and position are 0.
QAPFW_DEVICE Entry entry_of(const Colonies& c, uint32_t ant, uint32_t k) {
    const uint32_t number = k < c.tables.free_count ? k : 0;
    return {c.tables.free_count > 0 ? c.tables.thresholds[number] : 0,
            c.tables.free_count > 0 ? c.tables.free[number] : uint16_t{0},
            c.ants[static_cast<uint64_t>(ant) * c.stride + (k < c.tables.values ? k : 0)]};
}

/// Draws the random words that choose the values of sampled positions. The last threads draw the first words, since in
/// sample_positions the first threads also draw the exchanges.
QAPFW_DEVICE void draw_words(uint32_t* words, uint32_t count, const kernels::AntDraws& at) {
    for (uint32_t slot = kBlockThreads - 1 - threadIdx.x; 4 * slot < count; slot += kBlockThreads) {
        const kernels::Philox4 four = kernels::draw4(at.seed, at.iteration, at.ant, kernels::kRouletteStream, slot);
        for (uint32_t word = 0; word < 4 && 4 * slot + word < count; ++word) words[4 * slot + word] = four.word[word];
    }
}

/// Does the work of kernels::sample_positions with a CUDA block, and copies the donor's values to scratch.child.
/// `next`: entry_of(c, ant, threadIdx.x). The caller loads this entry early, so that the load overlaps with drawing.
QAPFW_DEVICE uint32_t sample_positions(const Colonies& c, uint32_t ant, Entry next, const Scratch& scratch,
                                       const kernels::AntDraws& at) {
    __shared__ uint32_t reached[kBlockThreads / 32];
    const uint32_t free_count = c.tables.free_count;
    const uint32_t word = kernels::draw4(at.seed, at.iteration, at.ant, kernels::kCunningStream, 0).word[0];
    draw_words(scratch.words, free_count, at);
    kernels::draw_exchanges(BlockGroup{}, scratch.with, free_count, free_count, at);
    uint32_t in_warp = 0;
    for (uint32_t first = 0; first < c.tables.values; first += kBlockThreads) {
        const uint32_t k = first + threadIdx.x;
        const Entry own = next;
        if (first + kBlockThreads < c.tables.values) next = entry_of(c, ant, k + kBlockThreads);
        in_warp +=
            static_cast<uint32_t>(__popc(__ballot_sync(kernels::kAllLanes, k < free_count && own.threshold <= word)));
        if (k < free_count) scratch.free()[k] = own.position;
        if (k < c.tables.values) scratch.child[k] = own.value;
    }
    if (kernels::lane_number() == 0) reached[kernels::warp_number()] = in_warp;
    __syncthreads();
    uint32_t count = 0;
    for (const uint32_t of_warp : reached) count += of_warp;
    for (uint32_t k = threadIdx.x; k < count; k += kBlockThreads) {
        const uint16_t from = entry_after_exchanges(scratch.with, k);
        scratch.order[k] = from;
        scratch.pool[k] = scratch.child[scratch.free()[from]];
    }
    return count;
}

/// Constructs a cunning ant from its donor. Trail rows are staged in shared memory, as many at a time as fit.
QAPFW_DEVICE void construct_staged(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration,
                                   uint64_t* rows) {
    const uint64_t* const trail = trail_row(c, ant / c.rules.ants, 0);
    const Scratch scratch = scratch_in(rows + c.rows_at_a_time * c.tables.values, c.tables);
    const kernels::AntDraws at{c.seed, iteration, c.first_ant + ant};
    kernels::CunningTables tables = c.tables;
    tables.free = scratch.free();  // now in shared memory
    const bool all_rows = c.rows_at_a_time == tables.free_count;
    const Entry own = entry_of(c, ant, threadIdx.x);
    if (all_rows) stage_all_rows(rows, trail, tables);
    const uint32_t count = sample_positions(c, ant, own, scratch, at);
    for (uint32_t first = 0; first < count; first += c.rows_at_a_time) {
        const uint32_t last = first + c.rows_at_a_time < count ? first + c.rows_at_a_time : count;
        if (!all_rows) {
            __syncthreads();
            stage_rows(rows, trail, scratch.order, first, last, tables.values);
        }
        kernels::arrive();
        __syncthreads();
        if (kernels::warp_number() == 0) {
            const StagedRows staged{rows, all_rows ? scratch.order : nullptr, first, tables.values};
            assign_by_warp(tables, staged, scratch, first, last, count, at);
        }
        __syncthreads();
    }
    kernels::arrive();  // if `count` is 0, the copies of stage_all_rows may still run; the kernel must not end first
    for (uint32_t k = (count > kInRegisters ? count - kInRegisters : 0) + threadIdx.x; k < count; k += kBlockThreads) {
        scratch.child[tables.free[scratch.order[k]]] = scratch.pool[count - 1 - k];
    }
    __syncthreads();
    inherit_bits(c, ant, at);
    finish(c, view, ant, scratch);
}

/// Constructs a cunning ant from its donor, with trail rows read from device memory.
QAPFW_DEVICE void construct_in_memory(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration) {
    const Scratch scratch = scratch_in_memory(c);
    const kernels::AntDraws at{c.seed, iteration, c.first_ant + ant};
    const uint32_t count = sample_positions(c, ant, entry_of(c, ant, threadIdx.x), scratch, at);
    __syncthreads();
    if (kernels::warp_number() == 0) {
        const kernels::RowsInPlace rows{trail_row(c, ant / c.rules.ants, 0), scratch.order, c.tables.values};
        kernels::assign_values(WarpPrefix{}, c.tables, rows, scratch.order, scratch.pool, scratch.child, 0, count,
                               count, at);
    }
    __syncthreads();
    inherit_bits(c, ant, at);
    finish(c, view, ant, scratch);
}

}  // namespace qapfw::cas
#endif
