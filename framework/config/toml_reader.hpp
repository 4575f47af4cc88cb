// SPDX-License-Identifier: Apache-2.0
// Parses TOML text to Node.
#pragma once

#include <optional>
#include <string>

#include "framework/config/node.hpp"

namespace qapfw::framework {

/// The top table of the document. Throws Error(kUsage) with "name:line:column: ..." for any text that is not TOML.
Node parse_toml(const std::string& text, const std::string& name);

/// One TOML value; all its parts get the position `where`. Nothing if the text is not exactly one value.
std::optional<Node> parse_toml_value(const std::string& text, const std::string& where);

/// The text as a basic TOML string with its quotes.
std::string toml_quoted(const std::string& text);

}  // namespace qapfw::framework
