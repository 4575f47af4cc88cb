// SPDX-License-Identifier: Apache-2.0
// A CUDA stream with page-locked memory for small downloads. A download straight into ordinary memory would make the
// host wait. The bytes are copied to the caller's memory by `synchronize`, by `query` once the stream is finished, or
// by `reach_mark` if the mark was set after the download.
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
    /// Only `launched` may be called while another thread calls a member.
    explicit CudaStream(std::shared_ptr<const CudaDriver> driver);
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream();

    CUstream handle() const { return handle_; }
    CUresult result() const { return result_; }
    /// Notes that the context is dead. The destructor then makes no call to the driver.
    void abandon() { abandoned_ = true; }

    CUresult download(void* bytes, std::uint64_t address, std::uint64_t size);
    CUresult synchronize();
    /// Returns CUDA_ERROR_NOT_READY as long as enqueued work is unfinished.
    CUresult query();
    CUresult mark();
    /// Waits for the work enqueued before the last mark; without a mark, for all work.
    CUresult reach_mark();

    void note_launch(const CudaKernel* kernel);
    /// [thread-safe] The kernels launched since the stream was last known to be finished, each once, in order.
    std::vector<const CudaKernel*> launched() const;

  private:
    /// A download whose bytes must still be copied from page-locked memory to the memory of the caller.
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
    std::byte* staging_ = nullptr;  ///< page-locked memory; null: the memory could not be allocated
    std::size_t staged_ = 0;        ///< number of bytes of staging_ that are in use
    std::vector<Landing> landings_;
    CUevent mark_ = nullptr;
    std::size_t marked_ = 0;  ///< number of entries of landings_ at the last mark(); 0 once their bytes are copied
    mutable std::mutex launched_mutex_;
    std::vector<const CudaKernel*> launched_;
};

}  // namespace qapfw::framework
