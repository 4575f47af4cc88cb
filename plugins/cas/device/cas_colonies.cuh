// SPDX-License-Identifier: Apache-2.0
// What the kernels of the cunning ant system have in common: the memory of the colonies, and the CUDA block as a group
// of threads. The problem's text comes before this one. The host defines QAPFW_BITS_OFFSET, bytes from a solution's
// start to its bay bits, where there are some.
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
constexpr uint64_t kMostCostScratch = 12 * 1024;  ///< bytes of shared memory for a real-valued cost

/// An integer that has the order of costs.
QAPFW_DEVICE int64_t rank(int64_t cost) {
    return kernels::rank_of_cost<kRealCosts>(cost);
}

/// Elements of a whole solution, bits included.
QAPFW_DEVICE uint32_t row_of(const Colonies& c) {
    return kHasBits ? c.stride : c.tables.values;
}
QAPFW_DEVICE uint8_t* bits_of(uint16_t* solution) {
    return reinterpret_cast<uint8_t*>(solution) + QAPFW_BITS_OFFSET;
}
QAPFW_DEVICE const uint8_t* bits_of(const uint16_t* solution) {
    return reinterpret_cast<const uint8_t*>(solution) + QAPFW_BITS_OFFSET;
}

constexpr uint32_t kBlockThreads = 128;  ///< of every kernel except the exchange
using BlockGroup = kernels::BlockGroup<kBlockThreads>;

/// The number of the warp in the launch, which is the ant that it works on.
QAPFW_DEVICE uint32_t grid_warp() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// The row of trails of a free position's number.
QAPFW_DEVICE uint64_t* trail_row(const Colonies& c, uint32_t colony, uint32_t row) {
    return c.trail + (static_cast<uint64_t>(colony) * c.tables.free_count + row) * c.tables.values;
}

}  // namespace qapfw::cas
