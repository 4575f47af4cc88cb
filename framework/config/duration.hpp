// SPDX-License-Identifier: Apache-2.0
// Durations as people write them: "90s", "1.5h", "1h30m".
#pragma once

#include <optional>
#include <string>

namespace qapfw::framework {

inline constexpr double kLongestDuration = 1e9;  ///< seconds, about 31 years: leaves clocks room to add

/// Seconds, from 0 to kLongestDuration; no value for anything else.
std::optional<double> try_parse_duration(const std::string& text);

}  // namespace qapfw::framework
