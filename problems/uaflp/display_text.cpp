// SPDX-License-Identifier: Apache-2.0
// See display_text.hpp. The ranges are those of Unicode's East Asian Width (W, F) and of the common combining blocks.
#include "problems/uaflp/display_text.hpp"

#include <algorithm>
#include <cstdint>

#include "common/xml_text.hpp"

namespace qapfw::uaflp {
namespace {

struct Character {
    std::uint32_t code;
    size_t bytes;
};

Character first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (bytes == 1 || bytes > text.size()) return {lead, 1};
    std::uint32_t code = lead & (0xFFu >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) return {lead, 1};
        code = code << 6 | (next & 0x3Fu);
    }
    return {code, bytes};
}

bool within(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
}

size_t columns_of(std::uint32_t c) {
    if (within(c, 0x300, 0x36F) || within(c, 0x200B, 0x200F) || within(c, 0xFE00, 0xFE0F)) return 0;
    const bool wide = within(c, 0x1100, 0x115F) || within(c, 0x2E80, 0xA4CF) || within(c, 0xAC00, 0xD7A3) ||
                      within(c, 0xF900, 0xFAFF) || within(c, 0xFE30, 0xFE6F) || within(c, 0xFF00, 0xFF60) ||
                      within(c, 0xFFE0, 0xFFE6) || within(c, 0x1F300, 0x1FAFF) || within(c, 0x20000, 0x3FFFD);
    return wide ? 2 : 1;
}

bool is_control(std::uint32_t c) {
    // Characters 0x202A to 0x202E and 0x2066 to 0x2069 change the direction of text in a terminal. XML forbids the
    // surrogates (0xD800 to 0xDFFF), 0xFFFE and 0xFFFF.
    return c < 0x20 || within(c, 0x7F, 0x9F) || within(c, 0x202A, 0x202E) || within(c, 0x2066, 0x2069) ||
           within(c, 0xD800, 0xDFFF) || within(c, 0xFFFE, 0xFFFF);
}

}  // namespace

size_t display_width(std::string_view text) {
    size_t columns = 0;
    while (!text.empty()) {
        const Character c = first_character(text);
        columns += columns_of(c.code);
        text.remove_prefix(c.bytes);
    }
    return columns;
}

std::string shortened(std::string_view text, size_t columns) {
    if (display_width(text) <= columns) return std::string(text);
    std::string out;
    size_t used = 1;  // the "~"
    while (!text.empty()) {
        const Character c = first_character(text);
        used += columns_of(c.code);
        if (used > columns) break;
        out += text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
    }
    return columns == 0 ? std::string() : out + "~";
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Character c = first_character(text);
        out += common::xml_character_bytes(text) == 0 || is_control(c.code) ? std::string_view("?")
                                                                            : text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
    }
    return out;
}

}  // namespace qapfw::uaflp
