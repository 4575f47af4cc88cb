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
    std::string backend = "auto";  ///< auto, cpu, cuda
    std::vector<int> ordinals;     ///< requested GPUs, as numbers among the visible GPUs; empty: all usable GPUs
    /// The `places` processes of this host split the GPUs. This process is number `place`, counted from 0.
    std::uint32_t place = 0, places = 1;
    bool shared = false;                          ///< several processes may use one GPU if there are too few GPUs
    const qapfw_problem_ref* problem = nullptr;   ///< must outlive the devices; null: no kernel will use a problem
    std::optional<DeviceProblem> described = {};  ///< the problem's device code, if it is known already
    CacheSettings cache;                          ///< cache of compiled kernels
    LogFunction log;                              ///< may be empty
    ErrorFunction set_error;                      ///< may be empty
};

struct DeviceChoice {
    std::vector<std::unique_ptr<Device>> devices;  ///< empty: CPU only. Destroy all solvers before the devices
    std::string backend;                           ///< "cpu" or "cuda"
    std::string reason;                            ///< why this backend was chosen, one sentence
};

/// Throws Error(kUsage) for an unknown backend, and for ordinals that are negative or repeated.
void check_request(const DeviceRequest& request);

/// Chooses a backend. auto: CUDA if the problem has device code and a GPU can be used; else the CPU, with the reason.
/// cuda: always CUDA; throws Error(kUnsupported) if the problem has no device code, and Error(kDevice) if no GPU can be
/// used. Throws Error(kUsage) for unknown backends, for repeated or nonexistent ordinals, and for fewer GPUs than
/// processes unless `shared` is set.
DeviceChoice choose_devices(const DeviceRequest& request);

/// True if this build can use GPUs: it was made with the CUDA headers.
bool built_with_cuda();

}  // namespace qapfw::framework
