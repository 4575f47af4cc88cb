// SPDX-License-Identifier: Apache-2.0
// Everything that one run's record says, held against the problem, the configuration and everything else in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "framework/engine/run/seed_run.hpp"
#include "framework/laboratory/verify/findings.hpp"

namespace qapfw::framework::laboratory {

/// One run's record as it was read.
struct RunFiles {
    std::filesystem::path folder;
    std::string json;  ///< result.json
    RunResult result;
    /// A kill ended the run, or it still goes on: its files need not be of the same moment.
    bool unfinished() const { return result.stop_reason == "running"; }
};
/// Throws Error(kInput, kIo).
RunFiles read_run(const std::filesystem::path& folder);

/// Data that a run is checked against.
struct RunTruth {
    const Config& config;  ///< with sizes resolved
    const Problem& problem;
    const StopConditions& conditions;
    std::uint64_t seed;
};

void check_run(const RunFiles& run, const RunTruth& truth, Findings& findings);

}  // namespace qapfw::framework::laboratory
