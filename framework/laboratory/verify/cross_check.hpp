// SPDX-License-Identifier: Apache-2.0
// `qapfw verify --cross`: the same configuration and seed must give the same trajectory on one thread, on several
// threads, and on GPUs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/laboratory/verify/findings.hpp"

namespace qapfw::framework::laboratory {

struct CrossOptions {
    std::vector<std::filesystem::path> data_paths;
    SignalWatch& signals;
    Teller tell;  ///< gets a line for each run, and a line for a backend that is not compared
};

/// True if all runs have the same trajectory; nothing if a signal interrupted them. Throws Error(kUsage) unless there
/// is a limit of iterations, evaluations, or iterations without improvement. Throws the error of a run that fails.
std::optional<bool> same_everywhere(const Config& config, const CrossOptions& options);

}  // namespace qapfw::framework::laboratory
