// SPDX-License-Identifier: Apache-2.0
// The GPUs that choose_devices would open, as NVML describes them. A survey takes some hundredths of a second; opening
// the GPUs takes tenths. The survey suffices for a solver that only needs the GPUs' multiprocessors and free memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/device_manager.hpp"

namespace qapfw::framework {

/// A GPU that is described but not opened. Its table has name, number, multiprocessors, compute capability and free
/// memory; the sizes of shared memory are 0. `prepare`, `release` and `destroy_stream` do nothing; all other functions
/// refuse.
class SurveyedGpu : public Device {
  public:
    /// True if a refusing function was called. Then the caller's results may differ on the real GPU.
    virtual bool has_refused() const = 0;
};

struct GpuSurvey {
    std::vector<std::unique_ptr<SurveyedGpu>> gpus;  ///< in the order in which they would be opened
    std::string why_none;                            ///< why the GPUs are not known; empty: they are
};

/// Returns GPUs only if choose_devices would certainly open these. NVML must answer, the driver must be new enough and
/// NVRTC must exist. CUDA_VISIBLE_DEVICES must be unset or hold plain numbers. All visible GPUs must be usable. All
/// GPUs of the host must be undivided and of one model, since CUDA orders different models by speed. MPS must give no
/// parts of GPUs. Ignores whether the request's backend is cpu. Never throws if something is missing.
GpuSurvey survey_gpus(const DeviceRequest& request);

/// There are `count` GPUs. Returns the numbers of those that CUDA shows if CUDA_VISIBLE_DEVICES is `list` (null: not
/// set). As in CUDA, the first number without a GPU ends the list. Nothing: `list` has a number twice or other words.
std::optional<std::vector<int>> visible_gpus(const char* list, int count);

/// Number of multiprocessors of a GPU with `cores` cores; 0: the number is not known.
std::uint32_t multiprocessors_of(std::uint32_t cores, std::uint32_t compute_capability);

}  // namespace qapfw::framework
