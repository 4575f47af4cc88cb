// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA backend for the device manager and the device report. In a build without the CUDA headers
// they are those of without_cuda.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_problem.hpp"
#include "framework/device/device_report.hpp"

namespace qapfw::framework {

/// Opens at least one device. Throws Error(kDevice) with the reason if no GPU can be used, Error(kUsage) for ordinals
/// that do not exist, or if processes would have to use the same GPU against the request. `describe` gives the
/// problem's device code. `describe` may take long, so it is called only after a GPU was found.
std::vector<std::unique_ptr<Device>> open_cuda_devices(const DeviceRequest& request,
                                                       const std::function<std::optional<DeviceProblem>()>& describe);

/// Fills in the driver, NVRTC, NVML and the GPUs.
void report_cuda(DeviceReport& report);

}  // namespace qapfw::framework
