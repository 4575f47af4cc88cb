// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 in bytes that may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qapfw::framework {

/// A character of UTF-8 at the front of a text; no bytes where what stands there is none.
struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

/// The first character of a text that is not empty.
Utf8Character utf8_character_at(std::string_view text);

}  // namespace qapfw::framework
