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
    std::vector<Identity> identities;  ///< components that the library offers
    std::string refusal;               ///< why the library is refused, as the end of a sentence; empty: not refused
};

/// Loads the libraries in one child process and checks their descriptors there. If not all libraries pass within half a
/// second, each is loaded in its own child to find the bad libraries. At most 16 children run at a time. Results are in
/// the order of `libraries` (canonical paths); `limit` applies to each child. The function forks, so call it before any
/// thread or CUDA context exists. If a `program` is given, the function does not fork, but starts this program
/// with kTrialCommand. Starting a program is always safe. Throws Error if the system cannot start even one child.
std::vector<TrialResult> try_libraries(const std::vector<std::filesystem::path>& libraries,
                                       std::chrono::milliseconds limit, const std::filesystem::path& program = {});

/// The first argument of a program that try_libraries starts. The other arguments are the libraries' paths. The program
/// writes its report to the file descriptor kTrialPipe.
constexpr const char* kTrialCommand = "--try-libraries";
constexpr int kTrialPipe = 3;

}  // namespace qapfw::framework
