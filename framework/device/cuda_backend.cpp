// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/cuda_backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/device/cuda_device.hpp"
#include "framework/device/gpu_selection.hpp"
#include "framework/device/nvml.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Describes a GPU without creating a context on it. `nvrtc` may be null.
GpuReport inspect(const CudaDriver& driver, const Nvrtc* nvrtc, int ordinal) {
    GpuReport gpu;
    gpu.ordinal = ordinal;
    CUdevice device = 0;
    char name[256] = {};
    std::size_t memory = 0;
    int major = 0, minor = 0, mode = CU_COMPUTEMODE_DEFAULT;
    for (const CUresult result :
         {driver.cuDeviceGet(&device, ordinal), driver.cuDeviceGetName(name, sizeof(name) - 1, device),
          driver.cuDeviceTotalMem(&memory, device),
          driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
          driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
          driver.cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device)}) {
        if (result != CUDA_SUCCESS && gpu.reason.empty()) gpu.reason = driver.error_text(result);
    }
    gpu.name = name;
    gpu.memory_bytes = memory;
    gpu.compute_capability = static_cast<std::uint32_t>(10 * major + minor);
    gpu.reason = gpu.reason.empty() ? why_not_usable(gpu, mode == CU_COMPUTEMODE_PROHIBITED, nvrtc)
                                    : fmt::format("GPU {} cannot be read: {}", ordinal, gpu.reason);
    gpu.usable = gpu.reason.empty();
    return gpu;
}

/// The GPUs that the processes of this host split: the requested GPUs, which must all be usable. If none is requested:
/// all usable GPUs.
std::vector<int> select(const CudaDriver& driver, const Nvrtc& nvrtc, const DeviceRequest& request) {
    const int count = driver.gpu_count();
    check_ordinals(request.ordinals, count);
    std::vector<int> selected;
    std::string first_reason;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        const bool named = std::ranges::count(request.ordinals, ordinal) > 0;
        if (!request.ordinals.empty() && !named) continue;
        const GpuReport gpu = inspect(driver, &nvrtc, ordinal);
        if (!gpu.usable && named) throw Error(ErrorKind::kDevice, gpu.reason);
        if (!gpu.usable && first_reason.empty()) first_reason = gpu.reason;
        if (!gpu.usable && request.log) request.log(QAPFW_LOG_WARNING, gpu.reason);
        if (gpu.usable && !named) selected.push_back(ordinal);
    }
    if (!request.ordinals.empty()) return request.ordinals;  // keeps the order of the request
    if (selected.empty()) throw Error(ErrorKind::kDevice, first_reason);
    return selected;
}

}  // namespace

bool built_with_cuda() {
    return true;
}

std::vector<std::unique_ptr<Device>> open_cuda_devices(const DeviceRequest& request,
                                                       const std::function<std::optional<DeviceProblem>()>& describe) {
    const auto driver = CudaDriver::require();
    const auto nvrtc = Nvrtc::find(driver->version() / 1000);
    const std::vector<int> ordinals = own_part(select(*driver, *nvrtc, request), request);
    const std::optional<DeviceProblem> problem = describe();
    const auto compiler = std::make_shared<KernelCompiler>(nvrtc, request.cache, request.log);
    std::vector<std::unique_ptr<Device>> devices;
    for (const int ordinal : ordinals) {
        devices.push_back(std::make_unique<CudaDevice>(driver, compiler, ordinal, problem, request.set_error));
    }
    return devices;
}

void report_cuda(DeviceReport& report) {
    const auto driver = CudaDriver::open();
    report.driver.found = driver->found();
    report.driver.reason = driver->reason();
    if (driver->found()) report.driver.path = driver->path();
    if (driver->version() > 0) report.driver.version = driver->version_text();
    std::shared_ptr<const Nvrtc> nvrtc;
    try {
        nvrtc = Nvrtc::find(driver->reason().empty() ? driver->version() / 1000 : 99);
        report.nvrtc = {true, nvrtc->path(), nvrtc->version(), {}};
    } catch (const Error& error) {
        report.nvrtc.reason = error.what();
    }
    const NvmlAnswer nvml = ask_nvml();
    report.nvml = {!nvml.path.empty(), nvml.path, nvml.version, nvml.reason};
    if (!driver->reason().empty()) return;
    for (int ordinal = 0; ordinal < driver->gpu_count(); ++ordinal) {
        GpuReport gpu = inspect(*driver, nvrtc.get(), ordinal);
        if (gpu.usable && nvrtc == nullptr) {
            gpu.usable = false;
            gpu.reason = report.nvrtc.reason;
        }
        report.gpus.push_back(std::move(gpu));
    }
}

}  // namespace qapfw::framework
#endif
