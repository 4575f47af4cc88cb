// SPDX-License-Identifier: Apache-2.0
// The scratch memory of a construction on a GPU.
#pragma once

#include <algorithm>

#include "plugins/cas/cas_options.hpp"
#include "qapfw/abi/device.h"

namespace qapfw::cas {

/// Beside its ant a construction needs two entries per value, three and a random word per free position, and trail
/// rows, as many as shared memory holds. Where it does not hold one, all of it lies in device memory.
struct ConstructionScratch {
    std::uint32_t rows, bytes;
    bool in_shared() const { return rows > 0; }
};

inline ConstructionScratch construction_scratch(const qapfw_device& device, const CasOptions& options) {
    constexpr std::uint32_t kSharedBytes = 48 * 1024;  // of a CUDA block that does not ask for more
    constexpr std::uint32_t kRowBytes = 32 * 1024;     // of these, for trail rows
    constexpr std::uint32_t kForCosts = 12 * 1024;  // of these, for a real-valued cost; as in device/cas_colonies.cuh
    const std::uint64_t usual = std::min(device.shared_bytes_per_block, kSharedBytes);
    const std::uint64_t shared =
        options.has_bits() || options.has_real_costs ? usual - std::min<std::uint64_t>(usual, kForCosts) : usual;
    const std::uint64_t row = options.values * sizeof(std::uint64_t), free = options.free.size();
    const std::uint64_t entries =
        ((2 * options.values + 3 * free) * sizeof(std::uint16_t) + free * sizeof(std::uint32_t) + 7) / 8 * 8;
    const std::uint64_t room = std::min<std::uint64_t>(shared - std::min(shared, entries), kRowBytes);
    const std::uint64_t rows = std::min(room / row, free);
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(rows * row + entries)};
}

/// Bytes of one ant in device memory.
inline std::uint64_t construction_in_memory(const qapfw_device& device, const CasOptions& options) {
    const ConstructionScratch scratch = construction_scratch(device, options);
    return scratch.in_shared() ? 0 : scratch.bytes;
}

}  // namespace qapfw::cas
