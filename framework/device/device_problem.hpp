// SPDX-License-Identifier: Apache-2.0
// A problem's device code, and its View with the addresses of its buffers on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "qapfw/abi/problem.h"

namespace qapfw::framework {

/// What kernels are joined with.
struct DeviceProblem {
    const qapfw_device_problem* code = nullptr;
    std::optional<std::string> movable_positions;  ///< "0,2,5,": those that are not fixed; none: all are movable
};

/// None where the problem (which may itself be null) offers no device code. Throws Error(kDevice) with the problem's
/// own words where it offers none for this instance.
std::optional<DeviceProblem> describe_device_problem(const qapfw_problem_ref* problem);

/// Puts bytes on a device and tells their address.
using PlaceBuffer = std::function<std::uint64_t(const void* bytes, std::uint64_t size)>;

/// The View's bytes; every non-empty buffer is placed once, an empty one has address 0. Throws Error(kPlugin) where a
/// buffer's address does not lie within the View.
std::vector<std::byte> build_view(const qapfw_device_problem& problem, const PlaceBuffer& place);

}  // namespace qapfw::framework
