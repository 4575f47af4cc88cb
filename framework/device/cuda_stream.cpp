// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/cuda_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace qapfw::framework {

CudaStream::CudaStream(std::shared_ptr<const CudaDriver> driver) : driver_(std::move(driver)) {
    result_ = driver_->cuStreamCreate(&handle_, CU_STREAM_NON_BLOCKING);
    void* staging = nullptr;
    if (result_ == CUDA_SUCCESS && driver_->cuMemAllocHost(&staging, kStagingBytes) == CUDA_SUCCESS) {
        staging_ = static_cast<std::byte*>(staging);
    }
}

CudaStream::~CudaStream() {
    if (abandoned_ || handle_ == nullptr) return;
    driver_->cuStreamSynchronize(handle_);  // copies into the staging memory may still be running
    if (staging_ != nullptr) driver_->cuMemFreeHost(staging_);
    if (mark_ != nullptr) driver_->cuEventDestroy(mark_);
    driver_->cuStreamDestroy(handle_);
}

CUresult CudaStream::download(void* bytes, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t room = staging_ != nullptr ? kStagingBytes - staged_ : 0;
    if (size > room) {
        // Earlier downloads must arrive first, so that they do not overwrite these bytes later. The wait costs
        // no time, since the copy into ordinary memory waits for the stream anyway.
        const CUresult result = landings_.empty() ? CUDA_SUCCESS : synchronize();
        return result != CUDA_SUCCESS ? result : driver_->cuMemcpyDtoHAsync(bytes, address, size, handle_);
    }
    std::byte* place = staging_ + staged_;
    const CUresult result = driver_->cuMemcpyDtoHAsync(place, address, size, handle_);
    if (result != CUDA_SUCCESS) return result;
    landings_.push_back({bytes, place, size});
    staged_ = std::min(kStagingBytes, (staged_ + size + 15) / 16 * 16);
    return CUDA_SUCCESS;
}

CUresult CudaStream::synchronize() {
    const CUresult result = driver_->cuStreamSynchronize(handle_);
    if (result == CUDA_SUCCESS) land();
    return result;
}

CUresult CudaStream::query() {
    const CUresult result = driver_->cuStreamQuery(handle_);
    if (result == CUDA_SUCCESS) land();
    return result;
}

CUresult CudaStream::mark() {
    if (mark_ == nullptr) {
        const CUresult result = driver_->cuEventCreate(&mark_, CU_EVENT_DISABLE_TIMING);
        if (result != CUDA_SUCCESS) return result;
    }
    marked_ = landings_.size();
    return driver_->cuEventRecord(mark_, handle_);
}

CUresult CudaStream::reach_mark() {
    if (mark_ == nullptr) return synchronize();
    const CUresult result = driver_->cuEventSynchronize(mark_);
    if (result == CUDA_SUCCESS) land(std::exchange(marked_, 0));
    return result;
}

void CudaStream::land() {
    land(landings_.size());
    marked_ = 0;
    const std::lock_guard lock(launched_mutex_);
    launched_.clear();
}

void CudaStream::land(std::size_t count) {
    const auto end = landings_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto landing = landings_.begin(); landing != end; ++landing) {
        std::memcpy(landing->to, landing->from, landing->size);
    }
    landings_.erase(landings_.begin(), end);
    if (landings_.empty()) staged_ = 0;
}

void CudaStream::note_launch(const CudaKernel* kernel) {
    const std::lock_guard lock(launched_mutex_);
    if (std::ranges::find(launched_, kernel) == launched_.end()) launched_.push_back(kernel);
}

std::vector<const CudaKernel*> CudaStream::launched() const {
    const std::lock_guard lock(launched_mutex_);
    return launched_;
}

}  // namespace qapfw::framework
#endif
