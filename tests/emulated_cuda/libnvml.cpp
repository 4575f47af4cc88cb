// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library for the emulated GPUs: the functions that the program uses. Variables:
//   QAPFW_EMULATED_MIG=1: the GPUs are divided into instances
//   QAPFW_EMULATED_OTHER_MODEL: number of a GPU that is of another model
//   QAPFW_EMULATED_NVML_ERROR: the result of nvmlInit; 0 (success) by default
#include <cstdio>
#include <cstdlib>

#include "tests/emulated_cuda/gpu_model.hpp"
#include "tests/emulated_cuda/kernel_description.hpp"

namespace {

using namespace qapfw::emulated_cuda;

struct Memory {
    unsigned long long total, free, used;
};

constexpr int kSuccess = 0, kInvalidArgument = 2;
constexpr unsigned kCoresOfMultiprocessor = 128;

int number_in(const char* variable, int otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

/// Returns the number of the GPU with this handle. GPUs are numbered from 0. A handle is the number plus 1, so no
/// handle is null.
std::size_t number_of(const void* device) {
    return reinterpret_cast<std::size_t>(device) - 1;
}

}  // namespace

#define QAPFW_NVML extern "C" __attribute__((visibility("default")))
#define QAPFW_NVML_FUNCTION(name, ...) \
    QAPFW_NVML int name(__VA_ARGS__);  \
    QAPFW_NVML int name(__VA_ARGS__)

QAPFW_NVML const char* nvmlErrorString(int result);
QAPFW_NVML const char* nvmlErrorString(int) {
    return "emulated";
}

QAPFW_NVML_FUNCTION(nvmlInit_v2, void) {
    return number_in("QAPFW_EMULATED_NVML_ERROR", kSuccess);
}

QAPFW_NVML_FUNCTION(nvmlShutdown, void) {
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlSystemGetNVMLVersion, char* text, unsigned size) {
    std::snprintf(text, size, "emulated");
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlSystemGetCudaDriverVersion_v2, int* version) {
    *version = 13000;
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetCount_v2, unsigned* count) {
    *count = static_cast<unsigned>(gpu_count());
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetHandleByIndex_v2, unsigned index, void** device) {
    if (index >= static_cast<unsigned>(gpu_count())) return kInvalidArgument;
    *device = reinterpret_cast<void*>(std::size_t{index} + 1);
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetName, void* device, char* name, unsigned size) {
    const bool is_other = number_in("QAPFW_EMULATED_OTHER_MODEL", -1) == static_cast<int>(number_of(device));
    std::snprintf(name, size, "%s%s", is_other ? "other " : "", kName);
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetCudaComputeCapability, void*, int* major, int* minor) {
    *major = kCapability / 10;
    *minor = kCapability % 10;
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetNumGpuCores, void*, unsigned* cores) {
    *cores = kMultiprocessors * kCoresOfMultiprocessor;
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetMemoryInfo, void*, Memory* memory) {
    *memory = {kMemory, kMemory, 0};
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetMigMode, void*, unsigned* current, unsigned* pending) {
    *current = *pending = static_cast<unsigned>(number_in("QAPFW_EMULATED_MIG", 0));
    return kSuccess;
}

QAPFW_NVML_FUNCTION(nvmlDeviceGetComputeMode, void*, unsigned* mode) {
    *mode = 0;
    return kSuccess;
}
