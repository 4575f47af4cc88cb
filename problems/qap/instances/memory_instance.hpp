// SPDX-License-Identifier: Apache-2.0
// Instances whose matrices are in the memory of the program that calls the engine: "memory:NAME".
#pragma once

#include <optional>
#include <string>

#include "problems/qap/instances/instance.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// Returns NAME if the reference is "memory:NAME", and nothing for any other reference.
std::optional<std::string> memory_name(const std::string& reference);

/// Makes an instance from the host's arrays flow (n x n) and distance (m x m). The host may also have the arrays linear
/// and forbidden (n x m), facility_names, location_names, and fixed. The array fixed has n entries: the number of a
/// location from 0, or -1 for a free facility. The fields maximize and constant of `search` are used too. Throws
/// Error(kInput) if the host has no arrays or their shapes do not match.
QapInstance load_memory_instance(const std::string& name, const InstanceSearch& search, const sdk::Host& host);

}  // namespace qapfw::qap
