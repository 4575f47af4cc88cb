// SPDX-License-Identifier: Apache-2.0
// The child's side of a trial of libraries (see trial.hpp). The child writes its report to a pipe: one letter for each
// stage of each library, then the results.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/plugin/trial.hpp"

namespace qapfw::framework {

/// Stages of the child's work. The child writes the letter of a stage to the pipe before the stage begins.
constexpr char kStageLoad = 'l';        ///< loads a library, which runs its static constructors
constexpr char kStageDescriptor = 'd';  ///< reads the library's descriptor, and all to which the descriptor points
constexpr char kStageResult = 'r';      ///< writes the encoded results

/// Encodes results, with a length and a checksum. decode_results returns nullopt if bytes are damaged or missing.
std::string encode_results(const std::vector<TrialResult>& results);
std::optional<std::vector<TrialResult>> decode_results(const std::string& bytes);

/// The child's whole work. Loads and checks the libraries in order up to the first bad one, reports to `pipe`, and ends
/// the process.
[[noreturn]] void run_trial_child(std::span<const std::filesystem::path> libraries, int pipe);

}  // namespace qapfw::framework
