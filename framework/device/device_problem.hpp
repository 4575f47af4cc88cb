// SPDX-License-Identifier: Apache-2.0
// The device code of a problem, and its View with the addresses of its buffers on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "qapfw/abi/problem.h"

namespace qapfw::framework {

/// The part of every kernel's program that comes from the problem.
struct DeviceProblem {
    const qapfw_device_problem* code = nullptr;
    /// The positions that are not fixed, as "0,2,5,". No value: no position is fixed, or `segments` has a value.
    std::optional<std::string> movable_positions;
    /// Length, bytes per element and offset of each segment, as "{9,2,0},". No value: solutions are one permutation,
    /// alone or with bays.
    std::optional<std::string> segments = {};
};

/// Returns the problem's device code, or nothing if `problem` is null or has no device code. If the problem says why it
/// has no device code for this instance, throws Error(kUnsupported) with this reason. Throws Error(kPlugin) if the
/// device code is incomplete.
std::optional<DeviceProblem> describe_device_problem(const qapfw_problem_ref* problem);

/// Puts bytes on a device and returns their address.
using PlaceBuffer = std::function<std::uint64_t(const void* bytes, std::uint64_t size)>;

/// Returns the bytes of the problem's View, with the buffers' addresses written into it. Places every non-empty buffer
/// once; an empty buffer gets address 0. Throws Error(kPlugin) if an address would be written outside the View.
std::vector<std::byte> build_view(const qapfw_device_problem& problem, const PlaceBuffer& place);

}  // namespace qapfw::framework
