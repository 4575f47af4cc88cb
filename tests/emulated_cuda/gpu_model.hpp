// SPDX-License-Identifier: Apache-2.0
// Properties of emulated GPUs. The emulated driver and the emulated NVML report them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace qapfw::emulated_cuda {

constexpr int kMostGpus = 16;
constexpr int kMultiprocessors = 2;
constexpr std::size_t kMemory = std::size_t{1} << 30;  ///< memory of each GPU, in bytes
constexpr const char* kName = "emulated GPU";

inline int gpu_count() {
    const char* text = std::getenv("QAPFW_EMULATED_GPUS");
    return text == nullptr ? 1 : std::clamp(std::atoi(text), 0, kMostGpus);
}

}  // namespace qapfw::emulated_cuda
