// SPDX-License-Identifier: Apache-2.0
// The environment of a program that finds emulated GPUs (tests/emulated_cuda).
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/integration/process.hpp"

namespace qapfw::testing {

#ifdef QAPFW_EMULATED_CUDA
inline constexpr const char* kWhySkipped = nullptr;
inline constexpr const char* kLibraries = QAPFW_EMULATED_CUDA;
#else
inline constexpr const char* kWhySkipped = "SKIPPED: emulated GPUs need CUDA's headers, and no sanitizers";
inline constexpr const char* kLibraries = "";
#endif

/// Returns true, and prints a message, if there are no emulated GPUs. The test case must then return.
inline bool skipped() {
    if (kWhySkipped == nullptr) return false;
    MESSAGE(kWhySkipped);
    return true;
}

/// Emulated GPUs, with a kernel cache that exists as long as this object.
class EmulatedGpus {
  public:
    const TemporaryFolder& place() const { return place_; }
    std::vector<std::pair<std::string, std::string>> with(
        const std::string& gpus, const std::vector<std::pair<std::string, std::string>>& more = {}) const {
        const std::string libraries = kLibraries;
        std::vector<std::pair<std::string, std::string>> all = {{"QAPFW_LIBCUDA", libraries + "/libcuda.so"},
                                                                {"QAPFW_NVRTC", libraries + "/libnvrtc.so"},
                                                                {"QAPFW_EMULATED_GPUS", gpus},
                                                                {"XDG_CACHE_HOME", place_ / "cache"},
                                                                {"TMPDIR", place_ / ""}};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

  private:
    TemporaryFolder place_;
};

}  // namespace qapfw::testing
