// SPDX-License-Identifier: Apache-2.0
// Finds, in bytes that may hold anything, the characters that may be written into XML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qapfw::common {

/// Number of bytes of the UTF-8 character at the start of a text, which must not be empty. Returns 0 if the bytes are
/// not valid UTF-8: overlong forms, surrogates and numbers beyond U+10FFFF are invalid. Also returns 0 for U+FFFE,
/// U+FFFF and controls below U+0080. Tabs and line ends are among these, although XML allows them.
inline std::size_t xml_character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t k) { return std::uint32_t{static_cast<unsigned char>(text[k])}; };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return lead < 0x20 || lead == 0x7F ? 0 : 1;
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return 0;
    std::uint32_t code = lead & (0xFFu >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) {
        if ((byte(k) & 0xC0u) != 0x80u) return 0;
        code = code << 6u | (byte(k) & 0x3Fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code < 0xE000, is_no_character = code == 0xFFFE || code == 0xFFFF;
    return code < kLeast[bytes] || code > 0x10FFFF || is_surrogate || is_no_character ? 0 : bytes;
}

}  // namespace qapfw::common
