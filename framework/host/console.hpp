// SPDX-License-Identifier: Apache-2.0
// The terminal's lines on standard error: log lines, and one live line below them that is redrawn in place. Every
// function is safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// Prints a line; a live line is moved below it.
void console_line(std::string_view text);
/// Draws the live line, cut to the terminal's width.
void console_live(const std::string& text);
/// Removes the live line, so that what follows starts at the left margin.
void console_end_live();
bool stderr_is_terminal();

}  // namespace qapfw::framework
