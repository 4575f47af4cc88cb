// SPDX-License-Identifier: Apache-2.0
// The part of CudaDevice that deals with kernels: loading compiled programs, limits of launches, launches.
#if QAPFW_HAVE_CUDA
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/device/cuda_device.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Bytes of shared memory that a CUDA block may use without a call of allow_shared: the sum of static and dynamic
/// shared memory.
constexpr std::uint32_t kSharedWithoutAsking = 48 * 1024;

std::string extent_text(const std::uint32_t (&extent)[3]) {
    return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]);
}

/// True if the driver could not load a binary because of the binary's contents. False after success or another failure.
bool is_bad_binary(CUresult result) {
    return result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
           result == CUDA_ERROR_INVALID_SOURCE || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
           result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_FOUND || result == CUDA_ERROR_INVALID_PTX;
}

}  // namespace

void CudaDevice::prepare(const qapfw_kernel_request* requests, std::uint32_t count) {
    std::vector<KernelProgram> programs;
    for (std::uint32_t i = 0; i < count; ++i) programs.emplace_back(problem_, requests[i]);
    compiler_->prepare(std::move(programs), table_.c_table().compute_capability);
}

void CudaDevice::kernel(const qapfw_kernel_request* request, qapfw_kernel** out) {
    *out = nullptr;
    if (request == nullptr) throw SlotError(QAPFW_ERROR, "a kernel was requested, but the request is null");
    enter();
    const KernelProgram program(problem_, *request);
    // Compiles before it takes the lock, so that other threads need not wait.
    Binary binary = compiler_->binary(program, table_.c_table().compute_capability);
    const std::lock_guard lock(mutex_);
    const CUmodule module = load(program, std::move(binary));
    auto& kernel = kernels_[{module, program.entry()}];
    if (kernel == nullptr) {
        kernel = std::make_unique<CudaKernel>(make_kernel(module, program));
        known_kernels_.insert(kernel.get());
    }
    *out = reinterpret_cast<qapfw_kernel*>(kernel.get());
}

CUmodule CudaDevice::load(const KernelProgram& program, Binary binary) {
    const std::uint32_t architecture = table_.c_table().compute_capability;
    if (const auto found = modules_.find(binary); found != modules_.end()) return found->second;
    CUmodule module = nullptr;
    CUresult result = driver_->cuModuleLoadData(&module, binary->data());
    if (is_bad_binary(result)) {
        binary =
            compiler_->replace(program, architecture, binary, "the driver refuses it: " + driver_->error_text(result));
        result = driver_->cuModuleLoadData(&module, binary->data());
    }
    check(result, fmt::format("loading kernel '{}' of plugin {}", program.entry(), program.plugin()));
    modules_.emplace(binary, module);
    return module;
}

CudaKernel CudaDevice::make_kernel(CUmodule module, const KernelProgram& program) {
    CudaKernel kernel;
    kernel.name = fmt::format("'{}' of plugin {}", program.entry(), program.plugin());
    check(driver_->cuModuleGetFunction(&kernel.function, module, program.entry().c_str()),
          "loading kernel " + kernel.name);
    const auto get = [&](CUfunction_attribute which) {
        int value = 0;
        check(driver_->cuFuncGetAttribute(&value, which, kernel.function), "reading kernel " + kernel.name);
        return static_cast<std::uint32_t>(value);
    };
    kernel.max_block_threads = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    kernel.static_shared_bytes = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    kernel.dynamic_shared_allowed = kSharedWithoutAsking - std::min(kSharedWithoutAsking, kernel.static_shared_bytes);
    std::size_t offset = 0;
    std::size_t size = 0;
    // Counts the kernel's arguments. The last call fails on purpose, since there are no more arguments. So
    // compute-sanitizer must run with --report-api-errors no.
    while (driver_->cuFuncGetParamInfo(kernel.function, kernel.argument_count, &offset, &size) == CUDA_SUCCESS) {
        ++kernel.argument_count;
    }
    return kernel;
}

/// Tells the driver how much dynamic shared memory a kernel may use. Without this call, static and dynamic shared
/// memory together have at most 48 KiB. Throws if the GPU has too little shared memory.
void CudaDevice::allow_shared(CudaKernel& kernel, std::uint32_t dynamic_bytes) {
    const std::lock_guard lock(mutex_);
    if (dynamic_bytes <= kernel.dynamic_shared_allowed) return;
    const std::uint64_t total = std::uint64_t{dynamic_bytes} + kernel.static_shared_bytes;
    if (total > table_.c_table().shared_bytes_per_block) {
        throw SlotError(
            QAPFW_ERROR,
            fmt::format("{}: kernel {} needs {} of shared memory per CUDA block, but the GPU has {}", gpu_text(),
                        kernel.name, byte_text(total), byte_text(table_.c_table().shared_bytes_per_block)));
    }
    check(driver_->cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(dynamic_bytes)),
          fmt::format("giving kernel {} {} of shared memory", kernel.name, byte_text(dynamic_bytes)));
    kernel.dynamic_shared_allowed = dynamic_bytes;
}

void CudaDevice::launch(qapfw_stream* stream, qapfw_kernel* kernel, const qapfw_launch* launch) {
    CudaStream& on = stream_of(stream);
    CudaKernel& what = kernel_of(kernel);
    const auto refuse = [&](const std::string& reason) {
        throw SlotError(QAPFW_ERROR, fmt::format("{}: kernel {} {}", gpu_text(), what.name, reason));
    };
    if (launch->argument_count != what.argument_count) {
        refuse(fmt::format("takes {} arguments, but {} are given", what.argument_count, launch->argument_count));
    }
    const std::uint64_t threads = std::uint64_t{launch->block[0]} * launch->block[1] * launch->block[2];
    if (threads == 0 || threads > what.max_block_threads) {
        refuse(fmt::format("is launched with {} threads per CUDA block, but only 1 to {} are possible", threads,
                           what.max_block_threads));
    }
    if (launch->grid[0] == 0 || launch->grid[1] == 0 || launch->grid[2] == 0) {
        refuse(fmt::format("is launched with an empty grid of {}", extent_text(launch->grid)));
    }
    allow_shared(what, launch->dynamic_shared_bytes);
    on.note_launch(&what);
    const CUresult result = driver_->cuLaunchKernel(
        what.function, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
        launch->block[2], launch->dynamic_shared_bytes, on.handle(), const_cast<void**>(launch->arguments), nullptr);
    if (result == CUDA_SUCCESS) return;
    check(result,
          fmt::format("launching kernel {} with grid {}, block {}, {} bytes of dynamic shared memory", what.name,
                      extent_text(launch->grid), extent_text(launch->block), launch->dynamic_shared_bytes));
}

void CudaDevice::occupancy(qapfw_kernel* kernel, std::uint32_t block_threads, std::uint32_t dynamic_shared_bytes,
                           std::uint32_t* blocks) {
    *blocks = 0;
    enter();
    CudaKernel& what = kernel_of(kernel);
    const std::uint64_t shared = std::uint64_t{dynamic_shared_bytes} + what.static_shared_bytes;
    if (block_threads == 0 || block_threads > what.max_block_threads ||
        shared > table_.c_table().shared_bytes_per_block) {
        return;  // not even one CUDA block fits
    }
    allow_shared(what, dynamic_shared_bytes);
    int count = 0;
    check(driver_->cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, what.function, static_cast<int>(block_threads),
                                                               dynamic_shared_bytes),
          "asking for the occupancy of kernel " + what.name);
    *blocks = static_cast<std::uint32_t>(count);
}

}  // namespace qapfw::framework
#endif
