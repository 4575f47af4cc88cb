// SPDX-License-Identifier: Apache-2.0
// UTF-8 text in columns of a terminal or of a drawing.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::uaflp {

/// The number of columns that a text takes: 2 for East Asian wide characters, 0 for combining marks, 1 for others.
/// Malformed bytes count 1 each.
size_t display_width(std::string_view text);

/// The longest beginning of `text` in at most `columns` columns, with "~" at its end if something was cut off.
std::string shortened(std::string_view text, size_t columns);

/// The text with "?" in place of each malformed byte, each control character and each character that XML forbids.
std::string printable(std::string_view text);

}  // namespace qapfw::uaflp
