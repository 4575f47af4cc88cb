// SPDX-License-Identifier: Apache-2.0
// Chooses the backend of a run and opens its devices. Backend "cpu" touches no GPU library at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/device.hpp"
#include "framework/device/device_problem.hpp"
#include "framework/device/kernel_cache.hpp"

namespace qapfw::framework {

struct DeviceRequest {
    std::string backend = "auto";                 ///< auto, cpu, cuda
    std::vector<int> ordinals;                    ///< among the visible GPUs; empty: all that can be used
    std::uint32_t place = 0, places = 1;          ///< this process' part of the GPUs: processes of one host split them
    bool shared = false;                          ///< where there are more processes than GPUs, some share one
    const qapfw_problem_ref* problem = nullptr;   ///< outlives the devices; null: only kernels without a problem
    std::optional<DeviceProblem> described = {};  ///< its device code, where it was asked already
    CacheSettings cache;                          ///< of compiled kernels
    LogFunction log;                              ///< may be empty
    ErrorFunction set_error;                      ///< may be empty
};

struct DeviceChoice {
    std::vector<std::unique_ptr<Device>> devices;  ///< empty: work on the CPU. Solvers must be destroyed first
    std::string backend;                           ///< "cpu" or "cuda"
    std::string reason;                            ///< why this backend, one sentence
};

/// Throws Error(kUsage) for an unknown backend, and for ordinals that are negative or repeated.
void check_request(const DeviceRequest& request);

/// auto: CUDA if the problem offers device code and a GPU can be used, else the CPU with the reason in words. cuda:
/// throws that reason instead, as Error(kUnsupported) where the problem offers no device code, else as Error(kDevice).
/// Whatever the backend, an unknown backend, repeated ordinals and
/// ordinals beyond the GPUs that exist are Error(kUsage).
DeviceChoice choose_devices(const DeviceRequest& request);

/// True if this build can use GPUs at all, that is whether it was made with the CUDA headers.
bool built_with_cuda();

}  // namespace qapfw::framework
