// SPDX-License-Identifier: Apache-2.0
// Turns a configuration's value, or the text of a default, into the value of a declared parameter.
#pragma once

#include <filesystem>
#include <string>

#include "framework/config/config.hpp"
#include "framework/config/node.hpp"

namespace qapfw::framework {

/// The key as the command line writes it: "algorithm.tenure".
std::string parameter_label(const qapfw_component& component, const qapfw_parameter& parameter);

/// The name of the configuration's table for a component of this kind: "problem", "algorithm" or "algorithm.improver".
const char* table_of(std::uint32_t kind);

/// Sets the value from a text that fits the declaration. Every default fits: loading a plugin checks its defaults.
void set_from_text(const qapfw_parameter& parameter, const std::string& text, ParameterValues::Value& value);

/// Sets `value` to `given`, which was chosen for an "auto". Returns false if the declaration does not allow `given`.
/// qapfw_host.resolve explains what an integer or a text stands for.
bool set_resolved(const qapfw_parameter& parameter, const qapfw_value& given, ParameterValues::Value& value);

/// Reads and checks one value. For a parameter with the flag QAPFW_PARAMETER_PATH, a relative path becomes absolute if
/// its file exists below `folder`. If the value is from the command line, the working directory takes the place of
/// `folder`. Throws Error(kUsage).
ParameterValues::Value read_parameter(const qapfw_parameter& parameter, const Node& node, const std::string& label,
                                      const std::filesystem::path& folder);

/// The text as an absolute path if it names an existing file below `folder`; else the text itself, which may be an
/// instance's name.
std::string existing_path_or_name(const std::string& text, const std::filesystem::path& folder);

}  // namespace qapfw::framework
