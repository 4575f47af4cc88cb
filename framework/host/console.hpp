// SPDX-License-Identifier: Apache-2.0
// Lines of the terminal on standard error: log lines, and one live line below them that is redrawn in place. Any thread
// may call any function.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// Prints a line. If a live line is shown, the new line comes above it. Escapes characters that could control the
/// terminal.
void console_line(std::string_view text);
/// Prints the bytes unchanged, above the live line.
void console_raw(const std::string& bytes);
/// Replaces the live line by `text`: escapes control characters and cuts it to fit the width of the terminal.
void console_live(const std::string& text);
/// Removes the live line, so that the next output starts at the left margin.
void console_end_live();
/// True if standard error is a terminal that obeys escape codes: TERM is set, not empty and not "dumb".
bool stderr_draws();

}  // namespace qapfw::framework
