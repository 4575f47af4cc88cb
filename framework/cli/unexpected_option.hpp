// SPDX-License-Identifier: Apache-2.0
// Messages about words of the command line that fit no option, argument or command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace qapfw::framework {

/// The message, such as "qapfw: `run` has no option --time; did you mean --time-limit?".
std::string unexpected_text(const CLI::App& app, const CLI::ExtrasError& error);
/// The message about a word that is no command but stands where a command must be; empty if no word stands there.
std::string unknown_command_text(const CLI::App& app);

/// The message about a mistake in `qapfw help WORDS`; empty if the words name a command.
std::string unknown_help_text(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace qapfw::framework
