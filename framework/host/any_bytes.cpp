// SPDX-License-Identifier: Apache-2.0
#include "framework/host/any_bytes.hpp"

#include <algorithm>
#include <iterator>

#include "framework/host/utf8.hpp"

namespace qapfw::framework {
namespace {

constexpr std::uint32_t kFirstStandIn = 0x10F780, kLastStandIn = 0x10F7FF, kBase = 0x10F700;

/// True if the character is a stand-in for one byte that is not UTF-8.
bool is_byte(const Utf8Character& character) {
    return character.bytes != 0 && character.code >= kFirstStandIn && character.code <= kLastStandIn;
}

void append_byte(std::string& text, char byte) {
    const std::uint32_t code = kBase + static_cast<unsigned char>(byte);
    text += static_cast<char>(0xF0u | (code >> 18u));
    text += static_cast<char>(0x80u | ((code >> 12u) & 0x3Fu));
    text += static_cast<char>(0x80u | ((code >> 6u) & 0x3Fu));
    text += static_cast<char>(0x80u | (code & 0x3Fu));
}

template <class Convert>
std::vector<std::string> each(const std::vector<std::string>& list, const Convert& convert) {
    std::vector<std::string> converted;
    std::transform(list.begin(), list.end(), std::back_inserter(converted), convert);
    return converted;
}

}  // namespace

std::string bytes_to_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Utf8Character character = utf8_character_at(bytes);
        // If a name already has a stand-in character, each byte of this character becomes a stand-in, so that different
        // names stay different.
        const std::size_t length = character.bytes == 0 ? 1 : character.bytes;
        if (character.bytes == 0 || is_byte(character)) {
            for (const char byte : bytes.substr(0, length)) append_byte(text, byte);
        } else {
            text.append(bytes.substr(0, length));
        }
        bytes.remove_prefix(length);
    }
    return text;
}

std::string utf8_to_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const Utf8Character character = utf8_character_at(text);
        const std::size_t length = character.bytes == 0 ? 1 : character.bytes;
        if (is_byte(character)) {
            bytes += static_cast<char>(character.code - kBase);
        } else {
            bytes.append(text.substr(0, length));
        }
        text.remove_prefix(length);
    }
    return bytes;
}

std::vector<std::string> bytes_to_utf8(const std::vector<std::string>& list) {
    return each(list, [](const std::string& item) { return bytes_to_utf8(item); });
}

std::vector<std::string> utf8_to_bytes(const std::vector<std::string>& list) {
    return each(list, [](const std::string& item) { return utf8_to_bytes(item); });
}

}  // namespace qapfw::framework
