// SPDX-License-Identifier: Apache-2.0
// The GPUs that choose_devices would open, as NVML describes them: known in some hundredths of a second, where to open
// them takes tenths. Enough for a solver that only wants to know how large they are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/device_manager.hpp"

namespace qapfw::framework {

/// A GPU that nobody has opened. Its table has name, number, multiprocessors, compute capability and free memory; the
/// sizes of shared memory are 0. `prepare` does nothing, every other function refuses.
class SurveyedGpu : public Device {
  public:
    /// True if one of those was called: what the caller found out is not what it would find out on the GPU.
    virtual bool has_refused() const = 0;
};

struct GpuSurvey {
    std::vector<std::unique_ptr<SurveyedGpu>> gpus;  ///< in the order in which they would be opened
    std::string why_none;                            ///< why it is not known which; empty: it is
};

/// Answers only if it is sure. NVML must answer, driver and NVRTC must exist, and CUDA_VISIBLE_DEVICES must be unset or
/// have plain numbers. All GPUs of the host must be usable, undivided and of one model, since CUDA numbers the fastest
/// first. The request's backend is not looked at. Never throws for what is missing.
GpuSurvey survey_gpus(const DeviceRequest& request);

/// The numbers of the GPUs that CUDA shows where CUDA_VISIBLE_DEVICES is `list`, of `count` GPUs; the list ends at the
/// first number that no GPU has. Null: no variable. Nothing: this is no list of plain numbers, or one is in it twice.
std::optional<std::vector<int>> visible_gpus(const char* list, int count);

/// Number of multiprocessors of a GPU with `cores` cores; 0: not known for this compute capability.
std::uint32_t multiprocessors_of(std::uint32_t cores, std::uint32_t compute_capability);

}  // namespace qapfw::framework
