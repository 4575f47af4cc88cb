// SPDX-License-Identifier: Apache-2.0
// Records that look alike and are not: of other data under the same name, or made by other builds of the plugins. They
// are reported, and kept apart unless the user asks for them together.
#pragma once

#include <string>
#include <vector>

#include "framework/laboratory/study/run_row.hpp"

namespace qapfw::framework::laboratory {

/// The plugins that made a record, with versions and hashes, as one text: "solver tabu 1.0.0 (...); ...".
std::string build_of(const RunIdentity& identity);

/// Differences of two builds, in words: the components of `now` that `before` has otherwise.
std::string build_difference(const std::string& before, const std::string& now);

/// Gives rows of one instance name with several fingerprints names of their own: the first data met keep theirs.
/// Returns a sentence for each such name.
std::vector<std::string> tell_data_apart(std::vector<RunRow>& rows);

/// The same for rows of one variant that several builds made; with `pool` they stay together, and it is reported all
/// the same.
std::vector<std::string> tell_builds_apart(std::vector<RunRow>& rows, bool pool);

}  // namespace qapfw::framework::laboratory
