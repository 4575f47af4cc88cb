// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "qapfw/error.hpp"

namespace qapfw::framework {

PrimaryContext::PrimaryContext(std::shared_ptr<const CudaDriver> driver, int ordinal) : driver_(std::move(driver)) {
    CUresult result = driver_->cuDeviceGet(&device_, ordinal);
    if (result == CUDA_SUCCESS) result = driver_->cuDevicePrimaryCtxRetain(&context_, device_);
    if (result == CUDA_SUCCESS) return;
    throw Error(result == CUDA_ERROR_OUT_OF_MEMORY ? ErrorKind::kMemory : ErrorKind::kDevice,
                fmt::format("GPU {} cannot be opened: {}", ordinal, driver_->error_text(result)));
}

PrimaryContext::~PrimaryContext() {
    driver_->cuCtxSetCurrent(nullptr);
    driver_->cuDevicePrimaryCtxRelease(device_);
}

CudaDevice::CudaDevice(std::shared_ptr<const CudaDriver> driver, std::shared_ptr<KernelCompiler> compiler, int ordinal,
                       std::optional<DeviceProblem> problem, ErrorFunction set_error)
    : driver_(std::move(driver)),
      compiler_(std::move(compiler)),
      context_(driver_, ordinal),
      problem_(std::move(problem)),
      table_(*this, std::move(set_error)) {
    describe_gpu(ordinal);
}

void CudaDevice::describe_gpu(int ordinal) {
    char name[256] = {};
    driver_->cuDeviceGetName(name, sizeof(name) - 1, context_.device());
    name_ = name;
    qapfw_device& table = table_.c_table();
    table.ordinal = static_cast<std::uint32_t>(ordinal);
    table.name = name_.c_str();
    table.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    table.compute_capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                               attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    table.shared_bytes_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    table.shared_bytes_per_multiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    std::size_t free = 0;
    std::size_t total = 0;
    if (context_.make_current() == CUDA_SUCCESS) driver_->cuMemGetInfo(&free, &total);
    table.memory_free = free;
}

CudaDevice::~CudaDevice() {
    const bool alive = failure().empty() && context_.make_current() == CUDA_SUCCESS;
    for (auto& [stream, owner] : streams_) {
        if (!alive) stream->abandon();
    }
    streams_.clear();
    if (!alive) return;
    for (const auto& [address, bytes] : allocations_) driver_->cuMemFree(address);
    for (const auto& [binary, module] : modules_) driver_->cuModuleUnload(module);
}

std::string CudaDevice::description() const {
    const std::uint32_t capability = table_.c_table().compute_capability;
    return fmt::format("{} (GPU {}, compute capability {}.{}, driver {}, NVRTC {})", name_, table_.c_table().ordinal,
                       capability / 10, capability % 10, driver_->version_text(), compiler_->nvrtc().version());
}

std::uint32_t CudaDevice::attribute(CUdevice_attribute which) const {
    int value = 0;
    driver_->cuDeviceGetAttribute(&value, which, context_.device());
    return static_cast<std::uint32_t>(value);
}

std::string CudaDevice::gpu_text() const {
    return fmt::format("GPU {} ({})", table_.c_table().ordinal, name_);
}

// --- failures --------------------------------------------------------------------------------------------------------

/// Names the kernels that may have caused a failure which is noticed now: " after kernel 'a' of plugin p, 'b' of plugin
/// p". Returns "" if there are none.
std::string CudaDevice::launched_text() const {
    constexpr std::size_t kMost = 4;
    const std::lock_guard lock(streams_mutex_);
    std::vector<const CudaKernel*> all;
    for (const auto& [stream, owner] : streams_) {
        for (const CudaKernel* kernel : stream->launched()) {
            if (std::ranges::find(all, kernel) == all.end()) all.push_back(kernel);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
        text += (i == 0 ? " after kernel " : ", ") + all[i]->name;
    }
    if (all.size() > kMost) text += fmt::format(" and {} more", all.size() - kMost);
    return text;
}

void CudaDevice::check(CUresult result, const std::string& what) {
    if (result == CUDA_SUCCESS) return;
    if (is_fatal(result)) {
        table_.mark_dead(fmt::format("{} failed and is no longer used: {}, noticed by {}{}", gpu_text(),
                                     driver_->error_text(result), what, launched_text()));
        throw SlotError(QAPFW_ERROR_DEVICE, failure());
    }
    const qapfw_status status = result == CUDA_ERROR_OUT_OF_MEMORY ? QAPFW_ERROR_MEMORY : QAPFW_ERROR;
    throw SlotError(status, fmt::format("{}: {}: {}", gpu_text(), what, driver_->error_text(result)));
}

void CudaDevice::enter() {
    check(context_.make_current(), "entering its context");
}

CudaStream& CudaDevice::stream_of(qapfw_stream* stream) {
    enter();
    const std::lock_guard lock(streams_mutex_);
    const auto found = streams_.find(reinterpret_cast<CudaStream*>(stream));
    if (found == streams_.end())
        throw SlotError(QAPFW_ERROR, gpu_text() + ": the given stream is not one of this device");
    return *found->second;
}

CudaKernel& CudaDevice::kernel_of(qapfw_kernel* kernel) {
    auto* found = reinterpret_cast<CudaKernel*>(kernel);
    const std::lock_guard lock(mutex_);
    if (!known_kernels_.contains(found))
        throw SlotError(QAPFW_ERROR, gpu_text() + ": the given kernel is not one of this device");
    return *found;
}

void CudaDevice::require_range(std::uint64_t address, std::uint64_t size, const char* what) const {
    const std::lock_guard lock(mutex_);
    const auto after = allocations_.upper_bound(address);
    if (after != allocations_.begin()) {
        const auto& [start, bytes] = *std::prev(after);
        const std::uint64_t offset = address - start;
        if (offset <= bytes && size <= bytes - offset) return;
        if (offset < bytes) {
            throw SlotError(QAPFW_ERROR,
                            fmt::format("{}: {} of {} bytes at byte {} goes beyond its allocation of {} bytes",
                                        gpu_text(), what, size, offset, bytes));
        }
    }
    throw SlotError(QAPFW_ERROR, fmt::format("{}: {} of {} bytes at the address {:#x}, where nothing is allocated",
                                             gpu_text(), what, size, address));
}

// --- memory and streams ----------------------------------------------------------------------------------------------

void CudaDevice::allocate(std::uint64_t bytes, std::uint64_t* address) {
    *address = 0;
    if (bytes == 0) return;
    enter();
    CUdeviceptr pointer = 0;
    const CUresult result = driver_->cuMemAlloc(&pointer, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) fail_allocation(bytes);
    check(result, "allocating " + byte_text(bytes));
    const std::lock_guard lock(mutex_);
    allocations_.emplace(pointer, bytes);
    *address = pointer;
}

void CudaDevice::fail_allocation(std::uint64_t bytes) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(driver_->cuMemGetInfo(&free, &total), "asking for its memory");
    throw SlotError(QAPFW_ERROR_MEMORY, fmt::format("{} has too little memory: {} wanted, {} of {} free", gpu_text(),
                                                    byte_text(bytes), byte_text(free), byte_text(total)));
}

void CudaDevice::release(std::uint64_t address) {
    {
        const std::lock_guard lock(mutex_);
        if (allocations_.erase(address) == 0) return;
    }
    if (!failure().empty()) return;
    enter();
    check(driver_->cuMemFree(address), "releasing memory");
}

void CudaDevice::create_stream(qapfw_stream** out) {
    *out = nullptr;
    enter();
    auto stream = std::make_unique<CudaStream>(driver_);
    check(stream->result(), "creating a stream");
    CudaStream* key = stream.get();
    const std::lock_guard lock(streams_mutex_);
    streams_.emplace(key, std::move(stream));
    *out = reinterpret_cast<qapfw_stream*>(key);
}

void CudaDevice::destroy_stream(qapfw_stream* stream) {
    std::unique_ptr<CudaStream> gone;
    {
        const std::lock_guard lock(streams_mutex_);
        const auto found = streams_.find(reinterpret_cast<CudaStream*>(stream));
        if (found == streams_.end()) return;
        gone = std::move(found->second);
        streams_.erase(found);
    }
    if (!failure().empty() || context_.make_current() != CUDA_SUCCESS) gone->abandon();
}

void CudaDevice::upload(qapfw_stream* stream, std::uint64_t address, const void* bytes, std::uint64_t size) {
    const CudaStream& on = stream_of(stream);
    if (size == 0) return;
    require_range(address, size, "an upload");
    check(driver_->cuMemcpyHtoDAsync(address, bytes, size, on.handle()), "an upload");
}

void CudaDevice::download(qapfw_stream* stream, void* bytes, std::uint64_t address, std::uint64_t size) {
    CudaStream& on = stream_of(stream);
    if (size == 0) return;
    require_range(address, size, "a download");
    check(on.download(bytes, address, size), "a download");
}

void CudaDevice::copy(qapfw_stream* stream, std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    const CudaStream& on = stream_of(stream);
    if (size == 0) return;
    require_range(to, size, "a copy");
    require_range(from, size, "a copy");
    check(driver_->cuMemcpyDtoDAsync(to, from, size, on.handle()), "a copy");
}

void CudaDevice::fill(qapfw_stream* stream, std::uint64_t address, std::uint8_t value, std::uint64_t size) {
    const CudaStream& on = stream_of(stream);
    if (size == 0) return;
    require_range(address, size, "a fill");
    check(driver_->cuMemsetD8Async(address, value, size, on.handle()), "a fill");
}

void CudaDevice::synchronize(qapfw_stream* stream) {
    check(stream_of(stream).synchronize(), "synchronize");
}

void CudaDevice::query(qapfw_stream* stream, bool* finished) {
    const CUresult result = stream_of(stream).query();
    *finished = result == CUDA_SUCCESS;
    if (result != CUDA_ERROR_NOT_READY) check(result, "finished");
}

void CudaDevice::mark(qapfw_stream* stream) {
    check(stream_of(stream).mark(), "mark");
}

void CudaDevice::reach_mark(qapfw_stream* stream) {
    check(stream_of(stream).reach_mark(), "reach_mark");
}

void CudaDevice::problem_view(const void** view, std::uint64_t* size) {
    *view = nullptr;
    *size = 0;
    if (!problem_) throw SlotError(QAPFW_ERROR_UNSUPPORTED, "the problem offers no device code");
    const std::lock_guard lock(view_mutex_);
    if (view_.empty()) {
        enter();
        CudaStream stream(driver_);
        check(stream.result(), "creating a stream");
        view_ = build_view(*problem_->code, [&](const void* bytes, std::uint64_t count) {
            std::uint64_t address = 0;
            allocate(count, &address);
            check(driver_->cuMemcpyHtoDAsync(address, bytes, count, stream.handle()), "uploading the problem");
            check(stream.synchronize(), "uploading the problem");
            return address;
        });
    }
    *view = view_.data();
    *size = view_.size();
}

}  // namespace qapfw::framework
#endif
