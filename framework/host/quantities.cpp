// SPDX-License-Identifier: Apache-2.0
#include "framework/host/quantities.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <iterator>

namespace qapfw::framework {

std::string format_duration(double seconds) {
    if (seconds < 1) return fmt::format("{:.2f} s", seconds);
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) return fmt::format("{} m {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} m", whole / 3600, whole / 60 % 60);
}

std::string format_count(double value) {
    const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
    std::size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < std::size(prefixes)) {
        value /= 1000;
        ++prefix;
    }
    return fmt::format("{:.3g}{}", value, prefixes[prefix]);
}

}  // namespace qapfw::framework
