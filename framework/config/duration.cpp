// SPDX-License-Identifier: Apache-2.0
// Reads durations: one or more numbers, each with its unit.
#include "framework/config/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr std::array<Unit, 7> kUnits{
    {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

std::optional<double> unit_seconds(std::string_view name) {
    for (const Unit& unit : kUnits) {
        if (unit.name == name) return unit.seconds;
    }
    return std::nullopt;
}

void skip_spaces(std::string_view& text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

/// Removes one part such as "1.5h" from the front of the text and returns its seconds.
std::optional<double> take_part(std::string_view& text) {
    if (text.empty() || text.front() == '-') return std::nullopt;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    skip_spaces(text);
    std::size_t length = 0;
    while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
    const auto seconds = unit_seconds(text.substr(0, length));
    if (!seconds) return std::nullopt;
    text.remove_prefix(length);
    skip_spaces(text);
    return number * *seconds;
}

}  // namespace

std::optional<double> try_parse_duration(const std::string& text) {
    std::string_view rest = text;
    skip_spaces(rest);
    if (rest.empty()) return std::nullopt;
    double total = 0;
    while (!rest.empty()) {
        const auto part = take_part(rest);
        if (!part) return std::nullopt;
        total += *part;
    }
    return total <= kLongestDuration ? std::optional(total) : std::nullopt;
}

double parse_duration(const std::string& text) {
    if (const auto seconds = try_parse_duration(text)) return *seconds;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("\"{:.80}\" must be a duration such as \"500ms\", \"30s\", \"5m\", \"1.5h\" or \"1d\"", text));
}

}  // namespace qapfw::framework
