// SPDX-License-Identifier: Apache-2.0
// Decodes characters of UTF-8 in bytes that may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qapfw::framework {

/// Code point of a character and its length in bytes; length 0: the text does not begin with a character of UTF-8.
struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

/// The first character of a text that is not empty.
Utf8Character utf8_character_at(std::string_view text);

}  // namespace qapfw::framework
