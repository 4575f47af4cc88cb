// SPDX-License-Identifier: Apache-2.0
// The name that a user probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/nearest_names.hpp"

namespace qapfw::uaflp {

/// ", did you mean \"x\"?" for the nearest of `names`; empty if none is near.
inline std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& names) {
    const std::vector<std::string> near = common::nearest_names(name, names);
    return near.empty() ? std::string() : ", did you mean \"" + near.front() + "\"?";
}

}  // namespace qapfw::uaflp
