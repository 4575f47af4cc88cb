// SPDX-License-Identifier: Apache-2.0
// Parameter values as text: the defaults in a plugin's table, and size forms such as "16n" in a configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "qapfw/abi/plugin.h"
#include "qapfw/sdk/size_form.hpp"

namespace qapfw::framework {

using sdk::SizeForm;

std::optional<std::int64_t> parse_integer(std::string_view text);  ///< nothing if the text is no decimal integer
std::optional<double> parse_real(std::string_view text);           ///< nothing if the text is no finite number
std::optional<bool> parse_boolean(std::string_view text);          ///< nothing if the text is not "true" or "false"
/// The items of a list such as "[a, b]"; quotes around an item are optional. An empty text is an empty list. Returns
/// nothing if the text is no list.
std::optional<std::vector<std::string>> parse_list(std::string_view text);

/// Splits a text such as "first|second|third" at the bars. Returns an empty list for null.
std::vector<std::string> split_choices(const char* choices);

/// The declaration of parameter `index`, counted from 0. Works also if the plugin's qapfw_parameter has another size.
const qapfw_parameter& parameter_at(const qapfw_component& component, std::uint32_t index);

/// The index of the declaration with this name; nothing if there is none.
std::optional<std::uint32_t> find_parameter(const qapfw_component& component, std::string_view name);

/// True if the value is in the declared range; two bounds of 0 mean no range.
bool in_range(const qapfw_parameter& parameter, std::int64_t value);
bool in_range(const qapfw_parameter& parameter, double value);

/// The allowed values in words, for messages: "an integer from 1 to 100 (iterations)".
std::string wanted_value(const qapfw_parameter& parameter);

}  // namespace qapfw::framework
