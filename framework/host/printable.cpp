// SPDX-License-Identifier: Apache-2.0
#include "framework/host/printable.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace qapfw::framework {
namespace {

enum class Lines { kNone, kIndented, kAll };

/// A character of UTF-8 at the front of a text; no bytes where what stands there is none.
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

Character character_at(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xF0 && first < 0xF5   ? 4
                              : first >= 0xE0 && first < 0xF0 ? 3
                              : first >= 0xC2 && first < 0xE0 ? 2
                                                              : 0;
    if (bytes == 0 || text.size() < bytes) return {};
    std::uint32_t code = first & (0xFFu >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) {
        if ((byte(k) & 0xC0u) != 0x80u) return {};
        code = (code << 6u) | (byte(k) & 0x3Fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < kLeast[bytes] || code > 0x10FFFF || surrogate) return {};
    return {code, bytes};
}

/// Controls of both sets, line and paragraph ends, and what turns the direction of writing.
bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E ||
           code == 0x200F || code == 0x061C;
}

bool is_kept(std::string_view rest, Lines lines) {
    if (lines == Lines::kNone) return false;
    if (rest.front() == '\t') return true;
    return rest.front() == '\n' && (lines == Lines::kAll || rest.substr(1, 2) == "  ");
}

std::string escaped(std::string_view text, Lines lines) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character character = character_at(text);
        const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
        if (character.bytes == 0) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (!is_control(character.code) || is_kept(text, lines)) {
            out.append(text.substr(0, bytes));
        } else if (character.code == '\n') {
            out += "\\n";
        } else {
            out += character.code < 0x100 ? fmt::format("\\x{:02x}", character.code)
                                          : fmt::format("\\u{:04x}", character.code);
        }
        text.remove_prefix(bytes);
    }
    return out;
}

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, Lines::kNone);
}

std::string printable_message(std::string_view text) {
    return escaped(text, Lines::kIndented);
}

std::string printable_lines(std::string_view text) {
    return escaped(text, Lines::kAll);
}

}  // namespace qapfw::framework
