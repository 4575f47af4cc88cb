// SPDX-License-Identifier: Apache-2.0
// What a solver or improver on a GPU tells its kernels' problem of the number of searches.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "qapfw/sdk/device.hpp"

namespace qapfw::sdk {

constexpr std::uint32_t kFewSearches = 4;  ///< on a multiprocessor

/// From so many searches on none of them gets more threads.
inline std::uint32_t many_searches(const qapfw_device& device) {
    return kFewSearches * device.multiprocessors + 1;
}

/// For few searches over a swap neighbourhood a problem may give each of them more threads: see
/// qapfw/kernels/swap_neighbourhood.hpp. Powers of two, so that few kernels are compiled. `searches`: 0 if not known.
inline void define_searches(KernelRequest& request, const qapfw_device& device, std::uint64_t searches) {
    const std::uint64_t each = (searches + device.multiprocessors - 1) / std::max(device.multiprocessors, 1u);
    if (each == 0 || each > kFewSearches) return;
    request.defines.push_back("QAPFW_SEARCHES_PER_MULTIPROCESSOR=" + std::to_string(std::bit_ceil(each)));
}

}  // namespace qapfw::sdk
