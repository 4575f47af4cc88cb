// SPDX-License-Identifier: Apache-2.0
// Instances whose matrices are in the memory of the program that calls the engine: "memory:NAME".
#pragma once

#include <optional>
#include <string>

#include "problems/qap/instances/instance.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// NAME of "memory:NAME"; nothing for other references.
std::optional<std::string> memory_name(const std::string& reference);

/// The instance of the host's arrays: flow (n x n) and distance (m x m); optional: linear and forbidden (n x m),
/// facility_names, location_names, and fixed (n locations from 0, or -1). The fields maximize and constant of `search`
/// are used. Throws Error(kInput) if the host has no arrays or their shapes do not match.
QapInstance load_memory_instance(const std::string& name, const InstanceSearch& search, const sdk::Host& host);

}  // namespace qapfw::qap
