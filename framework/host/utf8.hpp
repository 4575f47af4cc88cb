// SPDX-License-Identifier: Apache-2.0
// Decodes UTF-8 characters from bytes that need not be valid UTF-8.
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

/// The first character of `text`, which must not be empty.
Utf8Character utf8_character_at(std::string_view text);

}  // namespace qapfw::framework
