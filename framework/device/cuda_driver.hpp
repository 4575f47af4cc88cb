// SPDX-License-Identifier: Apache-2.0
// The CUDA driver. It is opened at run time, so the same binary also starts on machines without a GPU. The file is
// $QAPFW_LIBCUDA, else libcuda.so.1 along the loader's path. Members carry the names of the driver API. Included by the
// CUDA parts only.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

#include "framework/device/dynamic_library.hpp"

// cuda.h defines some of these names as macros, which stand for a name with a version: cuMemAlloc for cuMemAlloc_v2.
#define QAPFW_CUDA_FUNCTIONS(X)  \
    X(cuInit)                    \
    X(cuDriverGetVersion)        \
    X(cuGetErrorName)            \
    X(cuGetErrorString)          \
    X(cuDeviceGetCount)          \
    X(cuDeviceGet)               \
    X(cuDeviceGetName)           \
    X(cuDeviceTotalMem)          \
    X(cuDeviceGetAttribute)      \
    X(cuDevicePrimaryCtxRetain)  \
    X(cuDevicePrimaryCtxRelease) \
    X(cuCtxSetCurrent)           \
    X(cuMemGetInfo)              \
    X(cuMemAlloc)                \
    X(cuMemFree)                 \
    X(cuMemAllocHost)            \
    X(cuMemFreeHost)             \
    X(cuStreamCreate)            \
    X(cuStreamDestroy)           \
    X(cuStreamSynchronize)       \
    X(cuStreamQuery)             \
    X(cuEventCreate)             \
    X(cuEventRecord)             \
    X(cuEventSynchronize)        \
    X(cuEventDestroy)            \
    X(cuMemcpyHtoDAsync)         \
    X(cuMemcpyDtoHAsync)         \
    X(cuMemcpyDtoDAsync)         \
    X(cuMemsetD8Async)           \
    X(cuModuleLoadData)          \
    X(cuModuleUnload)            \
    X(cuModuleGetFunction)       \
    X(cuFuncGetAttribute)        \
    X(cuFuncSetAttribute)        \
    X(cuFuncGetParamInfo)        \
    X(cuLaunchKernel)            \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)

namespace qapfw::framework {

class CudaDriver {
  public:
    /// The oldest supported CUDA version of a driver, 12.4. It is the first with cuFuncGetParamInfo. Such a driver runs
    /// code that NVRTC 12.4 has compiled.
    static constexpr int kOldestVersion = 12040;
    static std::string version_name(int version);  ///< "12.4" for 12040

    /// Never throws. If `reason()` is not empty, only found, reason, path, version and version_text may be called.
    static std::shared_ptr<const CudaDriver> open();
    /// Opens the driver as `open` does, but throws Error(kDevice) with the reason if that fails.
    static std::shared_ptr<const CudaDriver> require();

    bool found() const { return library_.loaded(); }
    const std::string& reason() const { return reason_; }  ///< why GPUs cannot be used; empty: they can
    std::string path() const { return library_.path(); }
    int version() const { return version_; }  ///< 13000 for CUDA 13.0; 0: not known
    std::string version_text() const;         ///< the version as text: "13.0"
    int gpu_count() const;
    /// An error in words, such as "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
    std::string error_text(CUresult result) const;

#define QAPFW_DECLARE(name) decltype(&::name) name = nullptr;
    QAPFW_CUDA_FUNCTIONS(QAPFW_DECLARE)
#undef QAPFW_DECLARE

  private:
    CudaDriver();
    std::string load_functions();
    std::string start();

    DynamicLibrary library_;
    int version_ = 0;
    std::string reason_;
};

/// True if the context is broken after this result, so that every later call fails too.
bool is_fatal(CUresult result);

}  // namespace qapfw::framework
