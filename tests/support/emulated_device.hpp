// SPDX-License-Identifier: Apache-2.0
// The SDK's device table, with host memory in place of a GPU's memory. Kernels are compiled for the host and run by an
// emulated GPU. Any number of threads may use the table.
#pragma once

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "qapfw/abi/device.h"

namespace qapfw::test {

/// The toy problem's view for kernels, with host addresses.
struct ToyView {
    const std::int64_t* weights;  ///< n x n
    const std::uint16_t* place;   ///< for each position of a kernel, the position in ToyOrdering
    std::int32_t n;
};

void launch_emulated(const char* entry, const qapfw_launch& launch);

class EmulatedDevice {
  public:
    explicit EmulatedDevice(const ToyView& toy) : view_(toy) {
        device_.struct_size = sizeof device_;
        device_.context = this;
        device_.name = "emulated";
        device_.multiprocessors = 4;
        offer_memory();
        offer_kernels();
    }
    EmulatedDevice(const EmulatedDevice&) = delete;
    EmulatedDevice& operator=(const EmulatedDevice&) = delete;
    const qapfw_device* get() const { return &device_; }

    std::atomic<int> launches = 0;
    std::uint32_t shared_bytes_per_block = 0;  ///< most shared memory that `occupancy` allows; a test sets it

  private:
    static EmulatedDevice& self(void* context) { return *static_cast<EmulatedDevice*>(context); }
    static qapfw_status move(void* to, const void* from, std::uint64_t size) {
        if (size > 0) std::memmove(to, from, size);
        return QAPFW_OK;
    }

    void offer_memory() {
        device_.allocate = [](void* c, std::uint64_t bytes, std::uint64_t* address) -> qapfw_status {
            auto memory = std::make_unique<unsigned char[]>(bytes);
            std::memset(memory.get(), 0xA5, bytes);  // so a kernel that reads unwritten bytes gives wrong results
            *address = reinterpret_cast<std::uint64_t>(memory.get());
            const std::lock_guard lock(self(c).mutex_);
            self(c).memory_[*address] = std::move(memory);
            return QAPFW_OK;
        };
        device_.release = [](void* c, std::uint64_t address) {
            const std::lock_guard lock(self(c).mutex_);
            self(c).memory_.erase(address);
        };
        device_.create_stream = [](void* c, qapfw_stream** out) -> qapfw_status {
            *out = reinterpret_cast<qapfw_stream*>(c);
            return QAPFW_OK;
        };
        device_.destroy_stream = [](void*, qapfw_stream*) {};
        device_.upload = [](void*, qapfw_stream*, std::uint64_t to, const void* bytes, std::uint64_t size) {
            return move(reinterpret_cast<void*>(to), bytes, size);
        };
        device_.download = [](void*, qapfw_stream*, void* bytes, std::uint64_t from, std::uint64_t size) {
            return move(bytes, reinterpret_cast<const void*>(from), size);
        };
        device_.copy = [](void*, qapfw_stream*, std::uint64_t to, std::uint64_t from, std::uint64_t size) {
            return move(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size);
        };
        device_.fill = [](void*, qapfw_stream*, std::uint64_t to, std::uint8_t value,
                          std::uint64_t size) -> qapfw_status {
            if (size > 0) std::memset(reinterpret_cast<void*>(to), value, size);
            return QAPFW_OK;
        };
        device_.synchronize = [](void*, qapfw_stream*) -> qapfw_status { return QAPFW_OK; };
        device_.finished = [](void*, qapfw_stream*) -> std::int32_t { return 1; };
        device_.mark = [](void*, qapfw_stream*) -> qapfw_status { return QAPFW_OK; };
        device_.reach_mark = [](void*, qapfw_stream*) -> qapfw_status { return QAPFW_OK; };
    }
    void offer_kernels() {
        device_.prepare = [](void*, const qapfw_kernel_request*, std::uint32_t) -> qapfw_status { return QAPFW_OK; };
        device_.kernel = [](void* c, const qapfw_kernel_request* request, qapfw_kernel** out) -> qapfw_status {
            const std::lock_guard lock(self(c).mutex_);
            self(c).entries_.push_back(std::make_unique<std::string>(request->entry));
            *out = reinterpret_cast<qapfw_kernel*>(self(c).entries_.back().get());
            return QAPFW_OK;
        };
        device_.launch = [](void* c, qapfw_stream*, qapfw_kernel* kernel, const qapfw_launch* launch) -> qapfw_status {
            ++self(c).launches;
            launch_emulated(reinterpret_cast<std::string*>(kernel)->c_str(), *launch);
            return QAPFW_OK;
        };
        device_.occupancy = [](void* c, qapfw_kernel*, std::uint32_t, std::uint32_t dynamic_shared_bytes,
                               std::uint32_t* blocks) -> qapfw_status {
            *blocks = dynamic_shared_bytes <= self(c).shared_bytes_per_block ? 4 : 0;
            return QAPFW_OK;
        };
        device_.problem_view = [](void* c, const void** view, std::uint64_t* size) -> qapfw_status {
            *view = &self(c).view_;
            *size = sizeof(ToyView);
            return QAPFW_OK;
        };
    }
    ToyView view_;
    qapfw_device device_{};
    std::mutex mutex_;  ///< protects memory_ and entries_
    std::map<std::uint64_t, std::unique_ptr<unsigned char[]>> memory_;
    std::vector<std::unique_ptr<std::string>> entries_;
};

}  // namespace qapfw::test
