// SPDX-License-Identifier: Apache-2.0
// Suggestions for a misspelt name, by Levenshtein distance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qapfw::qap {

/// Up to `count` of the names, the nearest first, ties in the order given. Names whose distance is more than half of
/// their length are left out. O(total length * length of the wanted name).
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t count);

}  // namespace qapfw::qap
