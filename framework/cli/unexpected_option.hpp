// SPDX-License-Identifier: Apache-2.0
// The message about a word on the command line that no option or argument takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace qapfw::framework {

/// "qapfw: `run` has no option --time; did you mean --time-limit?"
std::string unexpected_text(const CLI::App& app, const CLI::ExtrasError& error);
/// The sentence about a word in place of a missing command; empty if there is none.
std::string unknown_command_text(const CLI::App& app);

/// Mistake in the words of `qapfw help WORDS`; empty where they name a command.
std::string unknown_help_text(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace qapfw::framework
