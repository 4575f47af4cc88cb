// SPDX-License-Identifier: Apache-2.0
// Tries plugin libraries in short-lived child processes. A truncated library raises SIGBUS inside the loader; a bad
// static constructor may raise SIGSEGV or hang. Only another process survives these.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

struct TrialResult {
    std::vector<Identity> identities;  ///< what the library offers
    std::string refusal;               ///< why it cannot be used, as the end of a sentence; empty if it can be used
};

/// Loads the libraries in one child and checks their descriptors there. If they do not all pass within half a second,
/// each is loaded in a child of its own, a few at the same time, to learn which ones cannot be used. Results are in the
/// order of `libraries` (canonical paths); `limit` is for each child. It forks, so call it before any thread or CUDA
/// context exists. With a `program`, that one is started instead (kTrialCommand), which is safe at any time. Throws
/// Error where the system has no process or pipe for a single child.
std::vector<TrialResult> try_libraries(const std::vector<std::filesystem::path>& libraries,
                                       std::chrono::milliseconds limit, const std::filesystem::path& program = {});

/// The program's first argument where it is to try libraries: the others are their paths, and the report goes to
/// kTrialPipe.
constexpr const char* kTrialCommand = "--try-libraries";
constexpr int kTrialPipe = 3;

}  // namespace qapfw::framework
