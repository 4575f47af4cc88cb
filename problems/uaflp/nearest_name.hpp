// SPDX-License-Identifier: Apache-2.0
// The name that a user probably meant, by edit distance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qapfw::uaflp {

/// ", did you mean \"x\"?" for the nearest of `names`; empty if none is near (a third of its letters differ).
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace qapfw::uaflp
