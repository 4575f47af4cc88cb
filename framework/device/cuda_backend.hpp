// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA backend for the device manager and the device report. A build without the CUDA headers uses
// the definitions in without_cuda.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_problem.hpp"
#include "framework/device/device_report.hpp"

namespace qapfw::framework {

/// Opens at least one device. Throws Error(kDevice) with the reason if no GPU can be used, or if a requested GPU cannot
/// be used. Throws Error(kUsage) for an ordinal that does not exist, and if processes would have to share a GPU but the
/// request forbids it. `describe` returns the problem's device code. `describe` may take long, so it is called only
/// after a GPU was found.
std::vector<std::unique_ptr<Device>> open_cuda_devices(const DeviceRequest& request,
                                                       const std::function<std::optional<DeviceProblem>()>& describe);

/// Writes to the report what is known of the driver, NVRTC, NVML and the GPUs.
void report_cuda(DeviceReport& report);

}  // namespace qapfw::framework
