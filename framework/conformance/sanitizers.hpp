// SPDX-License-Identifier: Apache-2.0
// The address and undefined-behaviour sanitizers of a library that was compiled with them. Their runtime must be in the
// process before all else, so the program starts itself once more with it.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::framework::conformance {

/// True if this process has the address sanitizer's runtime.
bool has_sanitizers();

/// Returns where this process has what the library needs; else starts the same command once more with it, which does
/// not return. Throws Error(kUsage) where the library was not compiled with the address sanitizer, or its runtime is
/// missing.
void start_under_sanitizers(const std::filesystem::path& library);

/// Why device code does not run under the sanitizers in this process, as a sentence; empty where it does: on the
/// emulated GPUs of `emulated`, a folder that may be empty.
std::string why_kernels_are_not_sanitized(const std::filesystem::path& emulated);

/// The first words of the sanitizers in a process' error output, in one line; empty where they say nothing.
std::string finding_of_sanitizers(const std::string& output);

}  // namespace qapfw::framework::conformance
