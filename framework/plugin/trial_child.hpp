// SPDX-License-Identifier: Apache-2.0
// The child's side of a trial, and the report that it writes to its pipe: one letter for each stage that it reaches,
// then the results.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/plugin/trial.hpp"

namespace qapfw::framework {

/// Stages, each announced by its letter before it begins.
constexpr char kStageLoad = 'l';        ///< the loader and the static constructors run
constexpr char kStageDescriptor = 'd';  ///< the descriptor is followed
constexpr char kStageResult = 'r';      ///< the encoded results come next

/// Results as bytes with length and checksum, and the way back; nothing for bytes that are damaged or cut short.
std::string encode_results(const std::vector<TrialResult>& results);
std::optional<std::vector<TrialResult>> decode_results(const std::string& bytes);

/// Runs in the forked child: loads and checks one library after the other up to the first that cannot be used, reports
/// to `pipe`, ends the process.
[[noreturn]] void run_trial_child(std::span<const std::filesystem::path> libraries, int pipe);

}  // namespace qapfw::framework
