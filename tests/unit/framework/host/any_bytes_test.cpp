// SPDX-License-Identifier: Apache-2.0
#include "framework/host/any_bytes.hpp"

#include <doctest/doctest.h>

#include "framework/host/utf8.hpp"

using namespace qapfw::framework;

namespace {

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const Utf8Character character = utf8_character_at(text);
        if (character.bytes == 0) return false;
        text.remove_prefix(character.bytes);
    }
    return true;
}

}  // namespace

TEST_CASE("text in UTF-8 stays as it is, in both directions") {
    for (const char* text : {"", "my.dat", "größe 5 µs", "日本語", "\xef\x9f\xa9", "a \\x1b b"}) {
        CHECK(bytes_to_utf8(text) == text);
        CHECK(utf8_to_bytes(text) == text);
    }
}

TEST_CASE("any two bytes become UTF-8, and the same bytes again") {
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const std::string bytes{static_cast<char>(first), 'x', static_cast<char>(second), static_cast<char>(first)};
            const std::string text = bytes_to_utf8(bytes);
            REQUIRE(is_utf8(text));
            REQUIRE(utf8_to_bytes(text) == bytes);
        }
    }
}

TEST_CASE("a character that stands for a byte and the byte itself give different names") {
    const std::string byte = "caf\xe9", character = bytes_to_utf8(byte);
    CHECK(bytes_to_utf8(character) != character);
    CHECK(utf8_to_bytes(bytes_to_utf8(character)) == character);
}
