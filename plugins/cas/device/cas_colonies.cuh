// SPDX-License-Identifier: Apache-2.0
// What the kernels of the cunning ant system share: the colonies' memory, the block as a group of threads. The
// problem's text comes before this one.
#pragma once

#include "qapfw/kernels/ant_trails.hpp"
#include "qapfw/kernels/population.hpp"

namespace qapfw::cas {

using Problem = device::Problem;

/// All that the kernels share; device pointers, owned by the host. Ants are numbered colony by colony.
struct Colonies {
    kernels::TrailRules rules;
    kernels::CunningTables tables;          ///< of device memory
    const uint16_t* order;                  ///< movable positions, then the fixed ones
    kernels::DepositReference* references;  ///< per colony
    uint64_t* trail;                        ///< [colony][free position number][value]
    uint16_t *ants, *children;              ///< `stride` elements apart
    int64_t *costs, *child_costs;
    uint64_t* found;
    uint64_t* scratch;  ///< scratch_bytes per ant; null: in shared memory
    uint64_t seed;
    uint32_t all_ants, stride;
    uint32_t scratch_bytes;   ///< of one construction, a multiple of 8
    uint32_t rows_at_a_time;  ///< trail rows that a construction stages; 0: it reads them where they lie
    uint32_t first_ant;       ///< number of the first ant among all processes
    uint32_t first_here;      ///< and among those of this process, which digests go by
};

static_assert(sizeof(Colonies) == 160, "as in device_share.hpp");

constexpr uint32_t kBlockThreads = 128;  ///< of every kernel but that of the exchange

/// The warp's number in the grid: the ant that it works on.
QAPFW_DEVICE uint32_t grid_warp() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// The sum over the lanes modulo 2^64, by sums of 22 bits each.
QAPFW_DEVICE uint64_t sum_of_lanes(uint64_t own) {
    constexpr uint32_t kBits = 22, kPart = (1u << kBits) - 1;
    uint64_t sum = 0;
    for (uint32_t shift = 0; shift < 64; shift += kBits) {
        const uint32_t part = static_cast<uint32_t>(own >> shift) & kPart;
        sum += static_cast<uint64_t>(__reduce_add_sync(kernels::kAllLanes, part)) << shift;
    }
    return sum;
}

/// All threads of a block.
struct BlockGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x); }
    QAPFW_DEVICE static constexpr int size() { return static_cast<int>(kBlockThreads); }
    QAPFW_DEVICE void sync() const { __syncthreads(); }
    /// Of 64-bit integers.
    template <class T>
    QAPFW_DEVICE T sum(T own) const {
        static_assert(sizeof(T) == sizeof(uint64_t) && T(1) / T(2) == 0);
        __shared__ uint64_t of_warps[kBlockThreads / 32];
        const uint64_t of_warp = sum_of_lanes(static_cast<uint64_t>(own));
        if (kernels::lane_number() == 0) of_warps[kernels::warp_number()] = of_warp;
        __syncthreads();
        uint64_t total = 0;
        for (const uint64_t one : of_warps) total += one;
        __syncthreads();
        return static_cast<T>(total);
    }
};

/// The trail row of a free position's number.
QAPFW_DEVICE uint64_t* trail_row(const Colonies& c, uint32_t colony, uint32_t row) {
    return c.trail + (static_cast<uint64_t>(colony) * c.tables.free_count + row) * c.tables.values;
}

}  // namespace qapfw::cas
