// SPDX-License-Identifier: Apache-2.0
// The answer of a run as text: the location of each facility, the cost and its quality, why the run ended, what to do
// next.
#pragma once

#include <string>

#include "framework/engine/engine.hpp"

namespace qapfw::framework {

/// Most rows of a table in answer_text; a longer table is left out. A record has the whole assignment in
/// assignment.csv.
constexpr std::size_t kMostShownPairs = 50;

/// The best run's answer. `folder`: the command's record; empty if there is none.
std::string answer_text(const RunSummary& summary, const std::string& folder);

/// The best run's answer for scripts: its cost, then a line "facility,location" for each facility. "no solution" if no
/// run found one.
std::string quiet_text(const RunSummary& summary);

/// Why the run ended, such as "after 10.0 s, the time limit".
std::string ending_text(const RunResult& run);

}  // namespace qapfw::framework
