// SPDX-License-Identifier: Apache-2.0
// Results as text for people.
#pragma once

#include <string>

#include "framework/engine/engine.hpp"

namespace qapfw::framework {

/// One run: instance, best cost and gap, how it ended, effort, record.
std::string result_text(const RunResult& result);
/// A line per run and the statistics, or result_text for a single run.
std::string summary_text(const RunSummary& summary);
/// The solution itself, for when it cannot be stored.
std::string solution_text(const RunResult& result);

/// Writes to standard output what may reach a terminal; returns false where that fails.
bool print(const std::string& text);
/// The same for bytes as they are: JSON, TOML, a problem's own files and drawings.
bool print_raw(const std::string& bytes);

/// Shows results and failures of a command's runs and returns its exit code.
int present(const EngineOutcome& outcome, bool json, bool quiet, int signal);

}  // namespace qapfw::framework
