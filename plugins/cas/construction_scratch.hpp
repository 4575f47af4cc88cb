// SPDX-License-Identifier: Apache-2.0
// The scratch memory of a construction on a GPU.
#pragma once

#include <algorithm>

#include "plugins/cas/cas_options.hpp"
#include "qapfw/abi/device.h"

namespace qapfw::cas {

/// Size of the scratch memory of one construction, and whether this memory is shared memory. `rows`: number of trail
/// rows in the scratch memory.
struct ConstructionScratch {
    std::uint32_t rows, bytes;
    bool in_shared;
};

/// Bytes that a construction may have in shared memory.
inline std::uint64_t shared_for_construction(const qapfw_device& device, const CasOptions& options) {
    constexpr std::uint32_t kSharedBytes = 48 * 1024;  // default shared memory of a CUDA block
    // A warp gets at most this many bytes of scratch to compute a cost. Equal to kMostCostScratch in
    // device/cas_colonies.cuh.
    constexpr std::uint32_t kForCosts = 12 * 1024;
    const std::uint64_t usual = std::min(device.shared_bytes_per_block, kSharedBytes);
    const bool by_warp = options.has_bits() || options.has_real_costs || options.segments > 0;
    return by_warp ? usual - std::min<std::uint64_t>(usual, kForCosts) : usual;
}

/// For segments, a construction needs a 32-bit value and two 16-bit entries per free element, and a 32-bit number per
/// segment; see SegmentScratch.
inline ConstructionScratch scratch_of_segments(const qapfw_device& device, const CasOptions& options) {
    const std::uint64_t free = options.free.size();
    const std::uint64_t bytes = ((free + options.segments) * sizeof(std::uint32_t) + 2 * free * sizeof(std::uint16_t));
    const std::uint64_t rounded = (bytes + 7) / 8 * 8;
    return {0, static_cast<std::uint32_t>(rounded), rounded <= shared_for_construction(device, options)};
}

/// A construction needs two 16-bit entries per value. Per free position it needs three 16-bit entries and a 32-bit
/// random word. The rest of shared memory holds trail rows, but at most 32 KiB of them. If not even one row fits, the
/// scratch lies in device memory.
inline ConstructionScratch construction_scratch(const qapfw_device& device, const CasOptions& options) {
    if (options.segments > 0) return scratch_of_segments(device, options);
    constexpr std::uint32_t kRowBytes = 32 * 1024;  // bytes of shared memory for trail rows
    const std::uint64_t shared = shared_for_construction(device, options);
    const std::uint64_t row = options.values * sizeof(std::uint64_t), free = options.free.size();
    const std::uint64_t entries =
        ((2 * options.values + 3 * free) * sizeof(std::uint16_t) + free * sizeof(std::uint32_t) + 7) / 8 * 8;
    const std::uint64_t room = std::min<std::uint64_t>(shared - std::min(shared, entries), kRowBytes);
    const std::uint64_t rows = std::min(room / row, free);
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(rows * row + entries), rows > 0};
}

/// Bytes of scratch in device memory that each ant needs.
inline std::uint64_t construction_in_memory(const qapfw_device& device, const CasOptions& options) {
    const ConstructionScratch scratch = construction_scratch(device, options);
    return scratch.in_shared ? 0 : scratch.bytes;
}

}  // namespace qapfw::cas
