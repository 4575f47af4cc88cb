// SPDX-License-Identifier: Apache-2.0
// Makes text from files, names and plugins safe for a terminal or a log. Escape sequences could rewrite what is shown;
// line ends could fake lines.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// Makes one line of a text. Control characters, line ends, characters that change the writing direction, and bytes
/// that are no UTF-8 are replaced by escapes such as \x1b, \n or \u202e.
std::string printable(std::string_view text);

/// A message of several lines, made safe. A line end stays if the next line begins with two spaces; other line ends are
/// written as \n. Tabs are not changed.
std::string printable_message(std::string_view text);

/// Makes a text safe to print but keeps all line ends and tabs. For texts whose lines the program itself formatted.
std::string printable_lines(std::string_view text);

}  // namespace qapfw::framework
