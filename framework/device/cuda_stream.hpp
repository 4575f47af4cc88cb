// SPDX-License-Identifier: Apache-2.0
// A CUDA stream with page-locked memory in which small downloads land. So asking for a result does not stop the host,
// as copies into ordinary memory do. The bytes reach the caller when the stream is found to be finished, or to have
// reached a mark after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "framework/device/cuda_driver.hpp"

namespace qapfw::framework {

struct CudaKernel;

class CudaStream {
  public:
    static constexpr std::size_t kStagingBytes = 256 * 1024;

    /// The context must be current whenever a member is called. `result()` says whether the stream could be created.
    /// All but `launched` is for one thread at a time.
    explicit CudaStream(std::shared_ptr<const CudaDriver> driver);
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream();

    CUstream handle() const { return handle_; }
    CUresult result() const { return result_; }
    /// Says that the context is dead; the destructor then makes no call to the driver.
    void abandon() { abandoned_ = true; }

    CUresult download(void* bytes, std::uint64_t address, std::uint64_t size);
    CUresult synchronize();
    /// CUDA_ERROR_NOT_READY as long as there is work.
    CUresult query();
    CUresult mark();
    /// Waits for what was enqueued before the last mark; if there is no mark, for everything.
    CUresult reach_mark();

    void note_launch(const CudaKernel* kernel);
    /// The kernels that were launched since the stream was last found to be finished, each once, in order. For any
    /// thread.
    std::vector<const CudaKernel*> launched() const;

  private:
    struct Landing {
        void* to;
        const void* from;
        std::uint64_t size;
    };
    void land();
    void land(std::size_t count);

    std::shared_ptr<const CudaDriver> driver_;
    CUstream handle_ = nullptr;
    CUresult result_ = CUDA_SUCCESS;
    bool abandoned_ = false;
    std::byte* staging_ = nullptr;  ///< page-locked; null: none could be had
    std::size_t staged_ = 0;        ///< bytes in use
    std::vector<Landing> landings_;
    CUevent mark_ = nullptr;
    std::size_t marked_ = 0;  ///< number of landings before the mark
    mutable std::mutex launched_mutex_;
    std::vector<const CudaKernel*> launched_;
};

}  // namespace qapfw::framework
