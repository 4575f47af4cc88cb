// SPDX-License-Identifier: Apache-2.0
// Records that look alike but differ: other data under the same name, or other builds of the plugins. Such records are
// reported and kept apart; only different builds can be pooled, if the user asks for it.
#pragma once

#include <string>
#include <vector>

#include "framework/laboratory/study/run_row.hpp"

namespace qapfw::framework::laboratory {

/// The plugins that made a record, with versions and hashes, as one text: "solver tabu 1.0.0 (...); ...".
std::string build_of(const RunIdentity& identity);

/// The difference of two builds as a text "recorded A, found B". A lists the plugins that only `before` has, B those
/// that only `now` has.
std::string build_difference(const std::string& before, const std::string& now);

/// If rows with the same instance name have several fingerprints, their data differ. Then the first data set keeps the
/// name, and each other one gets a name of its own. Returns a message for each instance name with several data sets.
std::vector<std::string> tell_data_apart(std::vector<RunRow>& rows);

/// If rows of one variant come from several builds, renames the variant in the rows of each build after the first. With
/// `pool` all rows keep the name. Returns a message for each variant with several builds.
std::vector<std::string> tell_builds_apart(std::vector<RunRow>& rows, bool pool);

}  // namespace qapfw::framework::laboratory
