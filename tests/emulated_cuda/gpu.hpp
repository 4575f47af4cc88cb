// SPDX-License-Identifier: Apache-2.0
// The resources of an emulated GPU. Addresses are those of the host. Each GPU has its own range of addresses, and no
// address is given out twice.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/emulated_cuda/gpu_model.hpp"
#include "tests/emulated_cuda/kernel_description.hpp"

namespace qapfw::emulated_cuda {

/// Exception for a refused call. Its message is the reason, and `result` is what the call returns.
struct Refusal : std::runtime_error {
    Refusal(CUresult its_result, const std::string& text) : std::runtime_error(text), result(its_result) {}
    CUresult result;
};

/// Memory between two pages that must not be accessed. It ends less than 16 bytes before the second page. At first all
/// of its bytes are 0xA5, so that reading uninitialised memory is noticed.
class GuardedMemory {
  public:
    /// `place`: address at which the mapping should begin; 0: any address. Throws Refusal if the host gives no memory.
    GuardedMemory(std::size_t size, std::uint64_t place);
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    ~GuardedMemory();
    unsigned char* begin() const { return begin_; }
    std::size_t size() const { return size_; }
    std::size_t mapped() const { return mapped_; }
    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(begin_); }

  private:
    std::size_t size_, mapped_;
    unsigned char* mapping_ = nullptr;
    unsigned char* begin_ = nullptr;
};

/// The work of a stream, in order. It is done when a thread synchronises with the stream.
struct Stream {
    void do_next();

    std::deque<std::function<void()>> work;
};

/// A point in the work of a stream.
struct Event {
    CUstream stream = nullptr;
    std::uint64_t recorded = 0, reached = 0;  ///< how often recorded; number of the last record that was reached
};

/// A loaded program of the emulated NVRTC.
class Module {
  public:
    /// Throws Refusal if the bytes at `image` are not a program of the emulated NVRTC.
    explicit Module(const void* image);
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module();
    /// Returns null if there is no such kernel.
    const KernelDescription* kernel(const std::string& entry) const;

  private:
    void* handle_ = nullptr;
};

struct Function {
    std::string entry;
    const KernelDescription* kernel;
    const Module* module;
    std::uint32_t shared_allowed = 48 * 1024;  ///< largest allowed dynamic shared memory, in bytes
};

struct Gpu {
    static constexpr std::uint32_t kShared = 101376;  ///< bytes of shared memory that a CUDA block may use

    void allocate(CUdeviceptr* address, std::size_t size);
    void release(CUdeviceptr address);
    /// Returns the range [address, address + size) as host memory. Throws Refusal unless one buffer holds the range.
    void* range(CUdeviceptr address, std::size_t size) const;
    Stream& stream(CUstream handle) const;
    Event& event(CUevent handle) const;
    Module& module(CUmodule handle) const;
    Function& function(CUfunction handle) const;
    void unload(CUmodule handle);
    /// Does all work that waits in the stream.
    void synchronize(Stream& stream);
    void synchronize_all();
    /// Throws Refusal if the bytes at `argument` contain an emulated GPU's address that is in no buffer of this GPU.
    void check_addresses(const void* argument, std::size_t size) const;
    void close();

    std::mutex mutex;
    int ordinal = 0, references = 0;
    std::uint64_t context = 0;  ///< number of the primary context; each new one has a new number
    std::set<std::thread::id> threads;
    CUresult failure = CUDA_SUCCESS;  ///< error by which the context was lost; CUDA_SUCCESS: not lost
    std::size_t used = 0;             ///< bytes
    std::uint64_t next_place = 0;
    std::map<CUdeviceptr, std::unique_ptr<GuardedMemory>> buffers;
    std::map<CUstream, std::unique_ptr<Stream>> streams;
    std::map<CUevent, std::unique_ptr<Event>> events;
    std::map<CUmodule, std::unique_ptr<Module>> modules;
    std::map<CUfunction, std::unique_ptr<Function>> functions;
};

}  // namespace qapfw::emulated_cuda
