// SPDX-License-Identifier: Apache-2.0
// Common parts of the kernels of the cunning ant system: the memory of the colonies, and the CUDA block as a group of
// threads. The problem's device code must come before this file. If solutions have bay bits, the host defines
// QAPFW_BITS_OFFSET: the number of bytes from a solution's start to its bay bits.
#pragma once

#ifndef QAPFW_BITS_OFFSET
#define QAPFW_BITS_OFFSET 0
#endif

#include "plugins/cas/device/colonies.hpp"
#include "qapfw/kernels/population.hpp"

namespace qapfw::cas {

using Problem = device::Problem;

constexpr bool kHasBits = QAPFW_BITS_OFFSET != 0;
constexpr bool kRealCosts = Problem::Cost(1) / Problem::Cost(2) != 0;
constexpr uint64_t kMostCostScratch = 12 * 1024;  ///< most bytes of shared memory that a warp gets to compute a cost

/// An integer with the same order as the cost.
QAPFW_DEVICE int64_t rank(int64_t cost) {
    return kernels::rank_of_cost<kRealCosts>(cost);
}

#ifdef QAPFW_SEGMENTS
constexpr bool kHasSegments = true;  ///< solutions are neither permutations nor layouts
#else
constexpr bool kHasSegments = false;
#endif

/// Number of 16-bit units in a whole solution, including any bay bits.
QAPFW_DEVICE uint32_t row_of(const Colonies& c) {
    return kHasBits || kHasSegments ? c.stride : c.tables.values;
}
QAPFW_DEVICE uint8_t* bits_of(uint16_t* solution) {
    return reinterpret_cast<uint8_t*>(solution) + QAPFW_BITS_OFFSET;
}
QAPFW_DEVICE const uint8_t* bits_of(const uint16_t* solution) {
    return reinterpret_cast<const uint8_t*>(solution) + QAPFW_BITS_OFFSET;
}

constexpr uint32_t kBlockThreads = 128;  ///< threads per CUDA block in all kernels except those that exchange ants
using BlockGroup = kernels::BlockGroup<kBlockThreads>;

/// The warp's number in the launch. In the selection the warp works on the ant with this number.
QAPFW_DEVICE uint32_t grid_warp() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// The trail row of a free position, given its index.
QAPFW_DEVICE uint64_t* trail_row(const Colonies& c, uint32_t colony, uint32_t row) {
    return c.trail + (static_cast<uint64_t>(colony) * c.tables.free_count + row) * c.tables.values;
}

/// Number of trails of a colony.
QAPFW_DEVICE uint64_t trail_size(const Colonies& c) {
    return kHasSegments ? c.trails.size : static_cast<uint64_t>(c.tables.free_count) * c.tables.values;
}

/// A free element and its trails in a colony.
struct Element {
    uint64_t* trail;
    uint32_t values;    ///< number of values that the element may take
    uint32_t position;  ///< the element's position in its segment
#ifdef QAPFW_SEGMENTS
    const kernels::SegmentView* segment;
    /// The value of this element in an ant.
    QAPFW_DEVICE uint32_t value(const uint16_t* ant) const {
        return kernels::segment_element(*segment, reinterpret_cast<const uint8_t*>(ant), position);
    }
#else
    QAPFW_DEVICE uint32_t value(const uint16_t* ant) const {
        return ant[position];
    }
#endif
};

/// The element to which row number `row` of a colony's trails belongs.
QAPFW_DEVICE Element element_of(const Colonies& c, uint32_t colony, uint32_t row) {
#ifdef QAPFW_SEGMENTS
    const TrailRow& at = c.trails.rows[row];
    return {c.trail + colony * c.trails.size + at.begin, at.values, at.position, c.trails.list.segments + at.segment};
#else
    const uint32_t position = c.tables.free_count == c.tables.values ? row : c.tables.free[row];
    return {trail_row(c, colony, row), c.tables.values, position};
#endif
}

}  // namespace qapfw::cas
