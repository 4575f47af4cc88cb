// SPDX-License-Identifier: Apache-2.0
// Text from files, names and plugins as it may reach a terminal or a log. Escape sequences could rewrite what stands
// there, line ends could invent lines. All output but a plugin's drawing goes through here.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// One line: whatever is no visible character or space is written as \x1b, \n or \u202e.
std::string printable(std::string_view text);

/// The same for a message, which may have further lines: they begin with two spaces, and other line ends are written
/// as \n. Tabs stay.
std::string printable_message(std::string_view text);

/// The same for a text that the program laid out itself: line ends and tabs stay, whatever follows.
std::string printable_lines(std::string_view text);

}  // namespace qapfw::framework
