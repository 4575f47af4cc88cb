// SPDX-License-Identifier: Apache-2.0
// The parsers behind parse_document.
#pragma once

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

/// Largest depth of nested values; deeper texts are refused. No instance needs more. A Node frees its items
/// recursively, so unlimited nesting could exhaust the stack.
constexpr size_t kMaxDepth = 64;
/// The largest number of keys of a table. An instance's tables have about ten each; more would make the search for
/// duplicates slow.
constexpr size_t kMostKeysOfTable = 1000;
constexpr size_t kMostBytes = size_t{1} << 30U;

Node parse_json(std::string_view text, const std::string& file);
Node parse_toml(std::string_view text, const std::string& file);
Node parse_csv(std::string_view text, const std::string& file);

}  // namespace qapfw::uaflp
