// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/cuda_driver.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

DynamicLibrary open_library() {
    const auto named = library_named_by("QAPFW_LIBCUDA");
    return named ? DynamicLibrary(*named) : DynamicLibrary("libcuda.so.1");
}

}  // namespace

std::string CudaDriver::version_name(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

CudaDriver::CudaDriver() : library_(open_library()) {
    if (!library_.loaded()) {
        reason_ = fmt::format("no NVIDIA driver is found: {}", library_.reason());
        return;
    }
    reason_ = load_functions();
    if (reason_.empty()) reason_ = start();
}

std::string CudaDriver::load_functions() {
    // Checks the version first. An older driver lacks functions, and its age is the better reason to report.
    cuDriverGetVersion = reinterpret_cast<decltype(cuDriverGetVersion)>(library_.symbol("cuDriverGetVersion"));
    if (cuDriverGetVersion == nullptr || cuDriverGetVersion(&version_) != CUDA_SUCCESS) {
        return fmt::format("{} is no CUDA driver: it gives no version", path());
    }
    if (version_ < kOldestVersion) {
        return fmt::format("the NVIDIA driver is too old: {} supports CUDA {}; CUDA {} or newer is needed", path(),
                           version_name(version_), version_name(kOldestVersion));
    }
#define QAPFW_TEXT(name) #name
#define QAPFW_LOAD(name)                                                        \
    name = reinterpret_cast<decltype(name)>(library_.symbol(QAPFW_TEXT(name))); \
    if (name == nullptr) return fmt::format("{} lacks the function {}", path(), QAPFW_TEXT(name));
    QAPFW_CUDA_FUNCTIONS(QAPFW_LOAD)
#undef QAPFW_LOAD
#undef QAPFW_TEXT
    return {};
}

std::string CudaDriver::start() {
    const CUresult result = cuInit(0);
    int count = 0;
    if (result == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0) return {};
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NO_DEVICE) {
        return fmt::format("the NVIDIA driver {} cannot be started: {}", version_text(), error_text(result));
    }
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
        return fmt::format("no GPU is visible: CUDA_VISIBLE_DEVICES is \"{}\"", visible);
    }
    return fmt::format("the NVIDIA driver {} finds no GPU", version_text());
}

std::shared_ptr<const CudaDriver> CudaDriver::open() {
    return std::shared_ptr<const CudaDriver>(new CudaDriver());
}

std::shared_ptr<const CudaDriver> CudaDriver::require() {
    auto driver = open();
    if (!driver->reason().empty()) throw Error(ErrorKind::kDevice, driver->reason());
    return driver;
}

std::string CudaDriver::version_text() const {
    return version_name(version_);
}

int CudaDriver::gpu_count() const {
    int count = 0;
    return cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

std::string CudaDriver::error_text(CUresult result) const {
    const char* name = nullptr;
    const char* sentence = nullptr;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) {
        return fmt::format("CUDA error {}", static_cast<int>(result));
    }
    if (cuGetErrorString(result, &sentence) != CUDA_SUCCESS || sentence == nullptr) return name;
    return fmt::format("{} ({})", name, sentence);
}

bool is_fatal(CUresult result) {
    constexpr int kContained = 721;  // CUDA_ERROR_CONTAINED, which older headers lack
    if (static_cast<int>(result) == kContained) return true;
    switch (result) {
        case CUDA_ERROR_DEINITIALIZED:
        case CUDA_ERROR_DEVICE_UNAVAILABLE:
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case CUDA_ERROR_INVALID_CONTEXT:
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
        case CUDA_ERROR_EXTERNAL_DEVICE:
        case CUDA_ERROR_UNKNOWN:
            return true;
        default:
            return false;
    }
}

}  // namespace qapfw::framework
#endif
