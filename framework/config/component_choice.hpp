// SPDX-License-Identifier: Apache-2.0
// Sets a component's parameters from pairs of name and text, for callers without a configuration.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/config/config.hpp"

namespace qapfw::framework {

/// The component with the given values, and with defaults for all other parameters. Throws Error(kUsage) for unknown
/// names, values that do not fit, and required parameters that are missing.
Choice choose_component(const Component& component, const std::vector<std::pair<std::string, std::string>>& given);

/// True if the component declares a parameter of this name.
bool has_parameter(const qapfw_component& component, const std::string& name);

}  // namespace qapfw::framework
