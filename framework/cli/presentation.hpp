// SPDX-License-Identifier: Apache-2.0
// Results as text for people.
#pragma once

#include <string>

#include "framework/cli/commands.hpp"
#include "framework/engine/engine.hpp"

namespace qapfw::framework {

/// Lines that --verbose adds about one run: algorithm, when the best solution was found, effort, digest.
std::string result_text(const RunResult& result);
/// Summary of several runs: a line for each, and the statistics. Empty if only one run was wanted.
std::string runs_text(const RunSummary& summary);
/// The solution itself, to print it if it cannot be stored.
std::string solution_text(const RunResult& result);

/// The text as one word of a command line, in quotes if a shell needs them.
std::string shell_word(const std::string& text);

/// Writes text to standard output, made safe for a terminal; returns false on failure.
bool print(const std::string& text);
/// Writes bytes to standard output without changing any: for JSON, TOML, a problem's own files and drawings.
bool print_raw(const std::string& bytes);

/// Shows results and failures of a command's runs and returns the command's exit code. `signal`: the signal that ended
/// the runs, or 0.
int present(const EngineOutcome& outcome, const OutputOptions& output, int signal);

}  // namespace qapfw::framework
