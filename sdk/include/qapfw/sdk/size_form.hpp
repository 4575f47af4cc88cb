// SPDX-License-Identifier: Apache-2.0
// Numbers relative to the size n of a problem, written as "n", "16n" or "n/4".
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace qapfw::sdk {

/// A number parsed from a text of the form "[int] n [/ int]", such as "16n".
struct SizeForm {
    static constexpr std::int64_t kMostFactor = 1'000'000'000;  ///< so small that multiplier * n fits 64 bits
    std::int64_t multiplier = 1;                                ///< 1 .. kMostFactor
    std::int64_t divisor = 1;                                   ///< 1 .. kMostFactor

    /// multiplier * n / divisor, rounded down, at least 1.
    std::int64_t of(std::uint32_t n) const {
        return std::max<std::int64_t>(1, multiplier * static_cast<std::int64_t>(n) / divisor);
    }
    /// Parses a text such as "16n" or "n/4". Returns nothing if the text has another form.
    static std::optional<SizeForm> parse(std::string_view text) {
        const auto letter = text.find('n');
        SizeForm form;
        if (letter == std::string_view::npos) return std::nullopt;
        const std::string_view before = trimmed(text.substr(0, letter)), after = trimmed(text.substr(letter + 1));
        const bool divides = !after.empty() && after[0] == '/';
        if (!before.empty() && !read_factor(before, form.multiplier)) return std::nullopt;
        if (!after.empty() && (!divides || !read_factor(trimmed(after.substr(1)), form.divisor))) return std::nullopt;
        return form;
    }

  private:
    static std::string_view trimmed(std::string_view text) {
        const auto first = text.find_first_not_of(" \t");
        if (first == std::string_view::npos) return {};
        return text.substr(first, text.find_last_not_of(" \t") - first + 1);
    }
    static bool read_factor(std::string_view text, std::int64_t& factor) {
        if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
        return error == std::errc{} && end == text.data() + text.size() && factor >= 1 && factor <= kMostFactor;
    }
};

}  // namespace qapfw::sdk
