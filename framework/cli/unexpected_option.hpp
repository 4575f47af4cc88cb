// SPDX-License-Identifier: Apache-2.0
// Messages about words of the command line that fit no option, argument or command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace qapfw::framework {

/// The message about a word that the chosen command does not take, such as
/// "qapfw: `run` has no option --time; did you mean --time-limit?".
std::string unexpected_text(const CLI::App& app, const CLI::ExtrasError& error);
/// The message about the first word that `app` could not read: an unknown command or an unknown option. Empty if there
/// is no such word.
std::string unknown_command_text(const CLI::App& app);

/// The message about a mistake in `qapfw help WORDS`; empty if the words name a command.
std::string unknown_help_text(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace qapfw::framework
