// SPDX-License-Identifier: Apache-2.0
// Trying plugin libraries in short-lived child processes: a truncated library is a SIGBUS inside the loader, a bad
// static constructor a SIGSEGV or a hang, and only another process survives both.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

struct TrialResult {
    std::vector<Identity> identities;  ///< what the library offers
    std::string refusal;               ///< why it cannot be used, as the end of a sentence; empty: it can
};

/// Loads each library in a child of its own, a few at a time, and checks its descriptor there. Results in the order of
/// `libraries` (canonical paths). Forks: call it before any thread or CUDA context exists.
std::vector<TrialResult> try_libraries(const std::vector<std::filesystem::path>& libraries,
                                       std::chrono::milliseconds limit);

}  // namespace qapfw::framework
