// SPDX-License-Identifier: Apache-2.0
// Durations and counts as people read them.
#pragma once

#include <string>

namespace qapfw::framework {

/// A text such as "0.25 s", "12.3 s", "4 m 05 s", "36 h 10 m".
std::string format_duration(double seconds);
/// A number with a metric prefix: "740 k", "1.25 M".
std::string format_count(double value);

}  // namespace qapfw::framework
