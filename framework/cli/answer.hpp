// SPDX-License-Identifier: Apache-2.0
// The answer of a run in the words of the person who asked: where everything goes, what it costs, how good that is, why
// the run ended and what can be done next.
#pragma once

#include <string>

#include "framework/engine/engine.hpp"

namespace qapfw::framework {

/// Assignments with more facilities than this are read from the record's file, not from the terminal.
constexpr std::size_t kMostShownPairs = 50;

/// The best run's answer. `folder`: of the command's record, empty where there is none.
std::string answer_text(const RunSummary& summary, const std::string& folder);

/// The cost, then one line "facility,location" for each facility: for scripts.
std::string quiet_text(const RunSummary& summary);

/// Why the run ended, as "after 10.0 s, its time limit".
std::string ending_text(const RunResult& run);

}  // namespace qapfw::framework
