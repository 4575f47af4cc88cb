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
/// memory; the sizes of shared memory are 0. `prepare`, `release` and `destroy_stream` do nothing. All other functions
/// refuse: they fail with QAPFW_ERROR_UNSUPPORTED.
class SurveyedGpu : public Device {
  public:
    /// True if the caller has called a function that refuses. With an opened GPU, the caller might then have got other
    /// results.
    virtual bool has_refused() const = 0;
};

struct GpuSurvey {
    std::vector<std::unique_ptr<SurveyedGpu>> gpus;  ///< in the order in which choose_devices would open them
    std::string why_none;                            ///< why the GPUs are not known; empty: they are known
};

/// Returns the GPUs that choose_devices would certainly open; none if that is not certain. For certainty, NVML must
/// answer, the driver must be new enough and NVRTC must exist. CUDA_VISIBLE_DEVICES must be unset or hold plain
/// numbers. All visible GPUs must be usable. No GPU of the host may be divided into MIG instances. All GPUs of the host
/// must be of one model, since CUDA orders different models by speed. MPS must not give this process a part of a GPU.
/// Does not look at the request's backend. Never throws if something is missing.
GpuSurvey survey_gpus(const DeviceRequest& request);

/// Returns which of `count` GPUs are visible if CUDA_VISIBLE_DEVICES is `list` (null: not set). As in CUDA, the first
/// number without a GPU ends the list. Returns nothing if `list` repeats a number or contains other words than numbers.
std::optional<std::vector<int>> visible_gpus(const char* list, int count);

/// Number of multiprocessors of a GPU with `cores` cores; 0: the number is not known.
std::uint32_t multiprocessors_of(std::uint32_t cores, std::uint32_t compute_capability);

}  // namespace qapfw::framework
