// SPDX-License-Identifier: Apache-2.0
// Selects the GPUs that a run may use, and this process's part of them.
#pragma once

#include <string>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_report.hpp"
#include "framework/device/nvrtc.hpp"

namespace qapfw::framework {

/// Says in one sentence why the GPU cannot be used; empty: it can be used. `is_closed`: the GPU's compute mode admits
/// no program. If `nvrtc` is null, the function does not check whether NVRTC can compile for the GPU.
std::string why_not_usable(const GpuReport& gpu, bool is_closed, const Nvrtc* nvrtc);

/// Throws Error(kUsage) for an ordinal that none of the `count` GPUs has.
void check_ordinals(const std::vector<int>& ordinals, int count);

/// The part of `ordinals` for this process, since the processes of this host split the GPUs. If there are fewer GPUs
/// than processes, returns one GPU, or throws Error(kUsage) if `request.shared` is false.
std::vector<int> own_part(const std::vector<int>& ordinals, const DeviceRequest& request);

}  // namespace qapfw::framework
