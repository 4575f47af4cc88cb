// SPDX-License-Identifier: Apache-2.0
// Runs plugins that were compiled with the address and undefined-behaviour sanitizers. Their runtime must be loaded
// before everything else, so the program starts itself once more with this runtime.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::framework::conformance {

/// True if this process has the address sanitizer's runtime.
bool has_sanitizers();

/// Returns at once if this process has the address sanitizer's runtime. Otherwise starts the same command again with
/// the runtime and does not return. Throws Error(kUsage) if the library was not compiled with the address sanitizer, or
/// the runtime is missing.
void start_under_sanitizers(const std::filesystem::path& library);

/// A sentence saying why the sanitizers do not check device code in this process; empty if they do check it.
/// `emulated`: the folder of the emulated GPUs, on which the check runs; may be empty.
std::string why_kernels_are_not_sanitized(const std::filesystem::path& emulated);

/// The line that sums up a sanitizer's finding in a process's error output; empty if there is none.
std::string finding_of_sanitizers(const std::string& output);

}  // namespace qapfw::framework::conformance
