// SPDX-License-Identifier: Apache-2.0
// What the device manager and the report ask of the CUDA part. A build without the CUDA headers has without_cuda.cpp in
// its place.
#pragma once

#include <memory>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_problem.hpp"
#include "framework/device/device_report.hpp"

namespace qapfw::framework {

/// At least one device. Throws Error(kDevice) with the reason where no GPU can be used, Error(kUsage) for ordinals that
/// do not exist.
std::vector<std::unique_ptr<Device>> open_cuda_devices(const DeviceRequest& request,
                                                       const std::optional<DeviceProblem>& problem);

/// Fills in the driver, NVRTC and the GPUs.
void report_cuda(DeviceReport& report);

}  // namespace qapfw::framework
