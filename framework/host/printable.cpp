// SPDX-License-Identifier: Apache-2.0
#include "framework/host/printable.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "framework/host/utf8.hpp"

namespace qapfw::framework {
namespace {

enum class Lines { kNone, kIndented, kAll };

/// True for control characters, line and paragraph separators, and characters that change the writing direction.
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
        const Utf8Character character = utf8_character_at(text);
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
