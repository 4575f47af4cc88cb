// SPDX-License-Identifier: Apache-2.0
#include "framework/host/utf8.hpp"

namespace qapfw::framework {

Utf8Character utf8_character_at(std::string_view text) {
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

}  // namespace qapfw::framework
