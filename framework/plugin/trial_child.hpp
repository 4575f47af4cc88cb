// SPDX-License-Identifier: Apache-2.0
// The child's side of a trial, and the report that it writes to its pipe: one letter for each stage that it reaches,
// then the result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "framework/plugin/trial.hpp"

namespace qapfw::framework {

/// Stages, each announced by its letter before it begins.
constexpr char kStageLoad = 'l';        ///< the loader and the static constructors run
constexpr char kStageDescriptor = 'd';  ///< the descriptor is followed
constexpr char kStageResult = 'r';      ///< the encoded result comes next

/// A result as bytes with length and checksum, and the way back; nothing for bytes that are damaged or cut short.
std::string encode_result(const TrialResult& result);
std::optional<TrialResult> decode_result(const std::string& bytes);

/// Runs in the forked child: loads, checks, reports to `pipe`, ends the process.
[[noreturn]] void run_trial_child(const std::filesystem::path& library, int pipe);

}  // namespace qapfw::framework
