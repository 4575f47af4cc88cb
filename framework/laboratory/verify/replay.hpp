// SPDX-License-Identifier: Apache-2.0
// `qapfw verify --replay`: a record's run once more, round by round the same.
#pragma once

#include "framework/laboratory/verify/record_checks.hpp"

namespace qapfw::framework::laboratory {

struct ReplayOptions {
    std::vector<std::filesystem::path> data_paths;
    double most_seconds = 60;  ///< longest search time of a run that is repeated
    SignalWatch* signals = nullptr;
};

/// Runs the configuration again, as many rounds as the record has, and compares the digests.
void check_replay(const RunFiles& run, Config config, const ReplayOptions& options, Findings& findings);

}  // namespace qapfw::framework::laboratory
