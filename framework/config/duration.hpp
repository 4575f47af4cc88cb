// SPDX-License-Identifier: Apache-2.0
// Durations as people write them: "90s", "1.5h", "1h30m".
#pragma once

#include <optional>
#include <string>

namespace qapfw::framework {

/// The longest duration in seconds, about 31 years. The sum of a clock's time and this duration does not overflow.
inline constexpr double kLongestDuration = 1e9;

/// The seconds of a duration, from 0 to kLongestDuration; nothing for any other text.
std::optional<double> try_parse_duration(const std::string& text);

}  // namespace qapfw::framework
