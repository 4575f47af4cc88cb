// SPDX-License-Identifier: Apache-2.0
// The two parsers behind parse_document.
#pragma once

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

/// Values nested deeper than this are refused: no instance needs it, and trees are freed recursively.
constexpr size_t kMaxDepth = 64;

Node parse_json(std::string_view text, const std::string& file);
Node parse_toml(std::string_view text, const std::string& file);

}  // namespace qapfw::uaflp
