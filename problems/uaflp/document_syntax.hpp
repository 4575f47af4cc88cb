// SPDX-License-Identifier: Apache-2.0
// The parsers behind parse_document.
#pragma once

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

/// Values that nest deeper than this are refused. No instance needs more, and trees are freed recursively.
constexpr size_t kMaxDepth = 64;
/// An instance's tables have some ten keys each. More would make the search for one that stands twice slow.
constexpr size_t kMostKeysOfTable = 1000;
constexpr size_t kMostBytes = size_t{1} << 30U;

Node parse_json(std::string_view text, const std::string& file);
Node parse_toml(std::string_view text, const std::string& file);
Node parse_csv(std::string_view text, const std::string& file);

}  // namespace qapfw::uaflp
