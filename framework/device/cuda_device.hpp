// SPDX-License-Identifier: Apache-2.0
// A GPU through the CUDA driver API: its primary context, memory, streams and kernels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/device/cuda_driver.hpp"
#include "framework/device/cuda_stream.hpp"
#include "framework/device/device_problem.hpp"
#include "framework/device/device_table.hpp"
#include "framework/device/kernel_compiler.hpp"

namespace qapfw::framework {

/// A function of a loaded module, and its launch limits.
struct CudaKernel {
    CUfunction function = nullptr;
    std::string name;  ///< "'round' of plugin qapfw.tabu"
    std::uint32_t argument_count = 0;
    std::uint32_t max_block_threads = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t dynamic_shared_allowed = 0;  ///< bytes of dynamic shared memory that the driver allows at present
};

/// Holds the primary context of one GPU.
class PrimaryContext {
  public:
    /// Throws Error(kDevice or kMemory) if the GPU gives no context.
    PrimaryContext(std::shared_ptr<const CudaDriver> driver, int ordinal);
    PrimaryContext(const PrimaryContext&) = delete;
    PrimaryContext& operator=(const PrimaryContext&) = delete;
    ~PrimaryContext();
    CUdevice device() const { return device_; }
    CUresult make_current() const { return driver_->cuCtxSetCurrent(context_); }

  private:
    std::shared_ptr<const CudaDriver> driver_;
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

/// An opened GPU. Several threads may call the functions of its table, each with streams of its own.
class CudaDevice final : public Device, private DeviceSlots {
  public:
    /// `problem` is empty for kernels that need none. Throws Error(kDevice or kMemory) if the GPU cannot be opened.
    CudaDevice(std::shared_ptr<const CudaDriver> driver, std::shared_ptr<KernelCompiler> compiler, int ordinal,
               std::optional<DeviceProblem> problem, ErrorFunction set_error);
    ~CudaDevice() override;

    const qapfw_device* table() const override { return &table_.c_table(); }
    std::string description() const override;
    const std::string& failure() const override { return table_.failure(); }

  private:
    void allocate(std::uint64_t bytes, std::uint64_t* address) override;
    void release(std::uint64_t address) override;
    void create_stream(qapfw_stream** out) override;
    void destroy_stream(qapfw_stream* stream) override;
    void upload(qapfw_stream* stream, std::uint64_t address, const void* bytes, std::uint64_t size) override;
    void download(qapfw_stream* stream, void* bytes, std::uint64_t address, std::uint64_t size) override;
    void copy(qapfw_stream* stream, std::uint64_t to, std::uint64_t from, std::uint64_t size) override;
    void fill(qapfw_stream* stream, std::uint64_t address, std::uint8_t value, std::uint64_t size) override;
    void synchronize(qapfw_stream* stream) override;
    void query(qapfw_stream* stream, bool* finished) override;
    void mark(qapfw_stream* stream) override;
    void reach_mark(qapfw_stream* stream) override;
    void prepare(const qapfw_kernel_request* requests, std::uint32_t count) override;
    void kernel(const qapfw_kernel_request* request, qapfw_kernel** out) override;
    void launch(qapfw_stream* stream, qapfw_kernel* kernel, const qapfw_launch* launch) override;
    void occupancy(qapfw_kernel* kernel, std::uint32_t block_threads, std::uint32_t dynamic_shared_bytes,
                   std::uint32_t* blocks) override;
    void problem_view(const void** view, std::uint64_t* size) override;

    void describe_gpu(int ordinal);
    std::uint32_t attribute(CUdevice_attribute which) const;
    std::string gpu_text() const;  ///< "GPU 0 (NVIDIA H200)"
    std::string launched_text() const;
    void enter();
    CudaStream& stream_of(qapfw_stream* stream);
    CudaKernel& kernel_of(qapfw_kernel* kernel);
    /// Throws a SlotError unless `result` is success. Marks the device dead if is_fatal(result).
    void check(CUresult result, const std::string& what);
    [[noreturn]] void fail_allocation(std::uint64_t bytes);
    /// Throws unless [address, address + size) lies within one allocation.
    void require_range(std::uint64_t address, std::uint64_t size, const char* what) const;
    CUmodule load(const KernelProgram& program, Binary binary);
    CudaKernel make_kernel(CUmodule module, const KernelProgram& program);
    void allow_shared(CudaKernel& kernel, std::uint32_t dynamic_bytes);

    std::shared_ptr<const CudaDriver> driver_;
    std::shared_ptr<KernelCompiler> compiler_;
    PrimaryContext context_;
    std::optional<DeviceProblem> problem_;
    std::string name_;
    DeviceTable table_;
    // To avoid deadlocks, a thread that holds one of these mutexes locks only mutexes declared after that mutex.
    std::mutex view_mutex_;        ///< guards view_; held while the view is uploaded
    std::vector<std::byte> view_;  ///< the problem's View with device addresses; empty until first requested
    mutable std::mutex mutex_;     ///< guards allocations and kernels; not held while waiting for a stream
    std::map<std::uint64_t, std::uint64_t> allocations_;  ///< for each allocation: its address and its size in bytes
    std::map<Binary, CUmodule> modules_;
    /// The kernels by module and name of their entry function.
    std::map<std::pair<CUmodule, std::string>, std::unique_ptr<CudaKernel>> kernels_;
    std::set<const CudaKernel*> known_kernels_;
    mutable std::mutex streams_mutex_;  ///< guards streams_
    std::map<CudaStream*, std::unique_ptr<CudaStream>> streams_;
};

}  // namespace qapfw::framework
