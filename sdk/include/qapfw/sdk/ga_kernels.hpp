// SPDX-License-Identifier: Apache-2.0
// Requests for the kernels of genetic algorithms that are built on qapfw/kernels/ga_block.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::sdk {

/// Returns the request for the kernel `entry` of a plugin's `texts`. Solutions have `values` elements; `movable` of the
/// elements are free. All entries of a plugin come from one compilation. `defines`: see operator_defines.
inline KernelRequest ga_kernel(std::span<const qapfw_text> texts, const char* entry, std::uint64_t movable,
                               std::uint64_t values, const std::vector<std::string>& defines) {
    KernelRequest request{in_include_order(texts), entry, defines, true};
    if (movable == values) request.defines.emplace_back("QAPFW_UNORDERED=1");
    if (values <= kernels::kGaMostInBytes) request.defines.emplace_back("QAPFW_BYTES=1");
    return request;
}

}  // namespace qapfw::sdk
