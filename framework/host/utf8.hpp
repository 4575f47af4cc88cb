// SPDX-License-Identifier: Apache-2.0
// Finds characters of UTF-8 in bytes that may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qapfw::framework {

/// A character of UTF-8 at the start of a text; `bytes` is 0 if there is none.
struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

/// The first character of a text that is not empty.
Utf8Character utf8_character_at(std::string_view text);

}  // namespace qapfw::framework
