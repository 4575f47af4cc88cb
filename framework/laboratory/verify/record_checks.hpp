// SPDX-License-Identifier: Apache-2.0
// Compares everything in one run's record with the problem, with the configuration, and with other files of the record.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "framework/engine/run/seed_run.hpp"
#include "framework/laboratory/verify/findings.hpp"

namespace qapfw::framework::laboratory {

/// Contents of the files of one run's record.
struct RunFiles {
    std::filesystem::path folder;
    std::string json;  ///< text of result.json
    RunResult result;
    /// True if the run was killed or still goes on. The run's files may then be from different moments.
    bool unfinished() const { return result.stop_reason == "running"; }
};
/// Reads a run's record. Throws Error(kInput, kIo).
RunFiles read_run(const std::filesystem::path& folder);

/// Data that a run is checked against.
struct RunTruth {
    const Config& config;  ///< configuration, whose sizes such as "16n" have been turned into numbers
    const Problem& problem;
    const StopConditions& conditions;
    std::uint64_t seed;
};

/// Makes all checks of the record.
void check_run(const RunFiles& run, const RunTruth& truth, Findings& findings);

}  // namespace qapfw::framework::laboratory
