// SPDX-License-Identifier: Apache-2.0
// Looks for characters other than ASCII in a TOML document. Skips texts and comments, where such characters are
// allowed.
#include "framework/config/stray_character.hpp"

#include <algorithm>
#include <string>

namespace qapfw::framework {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

std::size_t end_of_line(std::string_view toml, std::size_t at) {
    return std::min(toml.find('\n', at), toml.size());
}

/// Position after the closing quote of a one-line text; the end of the line if there is no closing quote.
std::size_t skip_line_text(std::string_view toml, std::size_t at, char quote) {
    const std::size_t end = end_of_line(toml, at);
    for (std::size_t k = at + 1; k < end; ++k) {
        if (toml[k] == quote) return k + 1;
        if (quote == '"' && toml[k] == '\\') ++k;
    }
    return end;
}

/// Position after the closing quotes of a text of several lines. The text itself may end in one or two quotes, so up to
/// five quotes stand in a row.
std::size_t skip_long_text(std::string_view toml, std::size_t at, char quote) {
    const std::string quotes(3, quote);
    for (std::size_t k = at + 3; k < toml.size(); ++k) {
        if (toml.substr(k, 3) == quotes) {
            k += 3;
            for (int more = 0; more < 2 && k < toml.size() && toml[k] == quote; ++more) ++k;
            return k;
        }
        if (quote == '"' && toml[k] == '\\') ++k;
    }
    return toml.size();
}

std::size_t skip_text(std::string_view toml, std::size_t at) {
    const char quote = toml[at];
    return toml.substr(at, 3) == std::string(3, quote) ? skip_long_text(toml, at, quote)
                                                       : skip_line_text(toml, at, quote);
}

TextPosition position_of(std::string_view toml, std::size_t at) {
    TextPosition position;
    for (std::size_t k = 0; k < at; ++k) {
        if (toml[k] == '\n') {
            ++position.line;
            position.column = 1;
        } else if ((static_cast<unsigned char>(toml[k]) & 0xC0U) != 0x80U) {
            ++position.column;
        }
    }
    return position;
}

}  // namespace

std::optional<TextPosition> find_stray_character(std::string_view toml) {
    if (toml.starts_with(kByteOrderMark)) toml.remove_prefix(kByteOrderMark.size());
    for (std::size_t k = 0; k < toml.size();) {
        if (toml[k] == '#') {
            k = end_of_line(toml, k);
        } else if (toml[k] == '"' || toml[k] == '\'') {
            k = skip_text(toml, k);
        } else if (is_ascii(toml[k])) {
            ++k;
        } else {
            return position_of(toml, k);
        }
    }
    return std::nullopt;
}

}  // namespace qapfw::framework
