// SPDX-License-Identifier: Apache-2.0
// The child's side of a trial. Its report to the pipe is one letter for each stage of each library, followed by the
// results.
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
constexpr char kStageDescriptor = 'd';  ///< the descriptor's pointers are followed
constexpr char kStageResult = 'r';      ///< the encoded results follow

/// Encodes results with length and checksum. Decoding gives nothing for damaged or incomplete bytes.
std::string encode_results(const std::vector<TrialResult>& results);
std::optional<std::vector<TrialResult>> decode_results(const std::string& bytes);

/// The child's whole work. Loads and checks the libraries in order up to the first bad one, reports to `pipe`, and ends
/// the process.
[[noreturn]] void run_trial_child(std::span<const std::filesystem::path> libraries, int pipe);

}  // namespace qapfw::framework
