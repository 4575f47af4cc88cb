// SPDX-License-Identifier: Apache-2.0
// Finds characters beyond ASCII that stand outside of the texts and comments of a TOML document. TOML forbids them
// there, and toml++ 3.3 runs into undefined behaviour at some of them (U+FB26 to U+FEFE). So this code looks for such
// characters before toml++ parses.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace qapfw::framework {

struct TextPosition {
    std::size_t line = 1;    ///< counted from 1
    std::size_t column = 1;  ///< counted from 1, in characters
};

/// Position of the first character that is not ASCII and stands outside of texts and comments; nothing: there is none.
/// A byte order mark at the start does not count.
std::optional<TextPosition> find_stray_character(std::string_view toml);

}  // namespace qapfw::framework
