// SPDX-License-Identifier: Apache-2.0
// `qapfw verify --replay`: repeats a record's run and compares its digest, which covers all rounds.
#pragma once

#include "framework/laboratory/verify/record_checks.hpp"

namespace qapfw::framework::laboratory {

struct ReplayOptions {
    std::vector<std::filesystem::path> data_paths;
    double most_seconds = 60;  ///< runs that searched longer are not repeated
    SignalWatch* signals = nullptr;
};

/// Runs the configuration for the record's number of rounds, and compares the digests. If no clock or signal ended the
/// run, also compares iterations, evaluations and the best solution.
void check_replay(const RunFiles& run, Config config, const ReplayOptions& options, Findings& findings);

}  // namespace qapfw::framework::laboratory
