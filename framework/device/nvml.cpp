// SPDX-License-Identifier: Apache-2.0
#include "framework/device/nvml.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <type_traits>

#include "framework/device/dynamic_library.hpp"

namespace qapfw::framework {
namespace {

// Types that nvml.h declares, with the same names.
using nvmlReturn_t = int;
using nvmlDevice_t = struct nvmlDevice_st*;
struct nvmlMemory_t {
    unsigned long long total, free, used;
};
constexpr nvmlReturn_t kSuccess = 0, kNotSupported = 3;
constexpr unsigned kProhibited = 2;  ///< NVML_COMPUTEMODE_PROHIBITED

struct Functions {
    nvmlReturn_t (*nvmlInit_v2)() = nullptr;
    nvmlReturn_t (*nvmlShutdown)() = nullptr;
    const char* (*nvmlErrorString)(nvmlReturn_t) = nullptr;
    nvmlReturn_t (*nvmlSystemGetNVMLVersion)(char*, unsigned) = nullptr;
    nvmlReturn_t (*nvmlSystemGetCudaDriverVersion_v2)(int*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetCount_v2)(unsigned*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetHandleByIndex_v2)(unsigned, nvmlDevice_t*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetName)(nvmlDevice_t, char*, unsigned) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetCudaComputeCapability)(nvmlDevice_t, int*, int*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetNumGpuCores)(nvmlDevice_t, unsigned*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetMemoryInfo)(nvmlDevice_t, nvmlMemory_t*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetMigMode)(nvmlDevice_t, unsigned*, unsigned*) = nullptr;
    nvmlReturn_t (*nvmlDeviceGetComputeMode)(nvmlDevice_t, unsigned*) = nullptr;

    /// Throws if a function is missing.
    explicit Functions(const DynamicLibrary& library) {
        const auto load = [&library](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
            if (function == nullptr) {
                throw std::runtime_error(fmt::format("{} lacks the function {}", library.path(), name));
            }
        };
        load(nvmlInit_v2, "nvmlInit_v2");
        load(nvmlShutdown, "nvmlShutdown");
        load(nvmlErrorString, "nvmlErrorString");
        load(nvmlSystemGetNVMLVersion, "nvmlSystemGetNVMLVersion");
        load(nvmlSystemGetCudaDriverVersion_v2, "nvmlSystemGetCudaDriverVersion_v2");
        load(nvmlDeviceGetCount_v2, "nvmlDeviceGetCount_v2");
        load(nvmlDeviceGetHandleByIndex_v2, "nvmlDeviceGetHandleByIndex_v2");
        load(nvmlDeviceGetName, "nvmlDeviceGetName");
        load(nvmlDeviceGetCudaComputeCapability, "nvmlDeviceGetCudaComputeCapability");
        load(nvmlDeviceGetNumGpuCores, "nvmlDeviceGetNumGpuCores");
        load(nvmlDeviceGetMemoryInfo, "nvmlDeviceGetMemoryInfo");
        load(nvmlDeviceGetMigMode, "nvmlDeviceGetMigMode");
        load(nvmlDeviceGetComputeMode, "nvmlDeviceGetComputeMode");
    }
};

/// Starts NVML in the constructor and shuts it down in the destructor.
class Nvml {
  public:
    explicit Nvml(const DynamicLibrary& library) : call_(library) { check(call_.nvmlInit_v2(), "starting it"); }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml() { call_.nvmlShutdown(); }

    void describe(NvmlAnswer& answer) const {
        char version[96] = {};
        check(call_.nvmlSystemGetNVMLVersion(version, sizeof version - 1), "asking for its version");
        answer.version = version;
        check(call_.nvmlSystemGetCudaDriverVersion_v2(&answer.cuda_version), "asking for the driver's version");
        unsigned count = 0;
        check(call_.nvmlDeviceGetCount_v2(&count), "counting GPUs");
        for (unsigned index = 0; index < count; ++index) answer.gpus.push_back(gpu(index));
    }

  private:
    void check(nvmlReturn_t result, const char* what) const {
        if (result == kSuccess) return;
        throw std::runtime_error(
            fmt::format("NVML does not answer: {} failed: {}", what, call_.nvmlErrorString(result)));
    }

    NvmlGpu gpu(unsigned index) const {
        NvmlGpu gpu;
        nvmlDevice_t device = nullptr;
        check(call_.nvmlDeviceGetHandleByIndex_v2(index, &device), "finding a GPU");
        char name[96] = {};
        check(call_.nvmlDeviceGetName(device, name, sizeof name - 1), "asking for a GPU's name");
        gpu.name = name;
        int major = 0, minor = 0;
        check(call_.nvmlDeviceGetCudaComputeCapability(device, &major, &minor), "asking for a compute capability");
        gpu.compute_capability = static_cast<std::uint32_t>(10 * major + minor);
        check(call_.nvmlDeviceGetNumGpuCores(device, &gpu.cores), "counting a GPU's cores");
        nvmlMemory_t memory{};
        check(call_.nvmlDeviceGetMemoryInfo(device, &memory), "asking for a GPU's memory");
        gpu.memory_free = memory.free;
        unsigned current = 0, pending = 0, mode = 0;
        const nvmlReturn_t divided = call_.nvmlDeviceGetMigMode(device, &current, &pending);
        if (divided != kNotSupported) check(divided, "asking for a GPU's MIG mode");
        gpu.is_divided = current != 0;
        check(call_.nvmlDeviceGetComputeMode(device, &mode), "asking for a GPU's compute mode");
        gpu.is_closed = mode == kProhibited;
        return gpu;
    }

    Functions call_;
};

}  // namespace

NvmlAnswer ask_nvml() {
    NvmlAnswer answer;
    const auto named = library_named_by("QAPFW_NVML");
    if (!named && library_named_by("QAPFW_LIBCUDA")) {
        answer.reason = "QAPFW_LIBCUDA names another driver, but QAPFW_NVML names no NVML to go with it";
        return answer;
    }
    const DynamicLibrary library = named ? DynamicLibrary(*named) : DynamicLibrary("libnvidia-ml.so.1");
    if (!library.loaded()) {
        answer.reason = fmt::format("no NVML is found: {}", library.reason());
        return answer;
    }
    answer.path = library.path();
    try {
        Nvml(library).describe(answer);
    } catch (const std::exception& error) {
        answer.reason = error.what();
        answer.gpus.clear();
    }
    return answer;
}

}  // namespace qapfw::framework
