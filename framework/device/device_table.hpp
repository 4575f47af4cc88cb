// SPDX-License-Identifier: Apache-2.0
// The C table of a device. Every slot (function of the table) calls a C++ member function and catches its exceptions. A
// slot that returns a status also sets a message if it fails. After the device's death, such a slot fails at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "framework/device/device.hpp"

namespace qapfw::framework {

/// A failing status and its message. A slot's function throws this, and the slot returns the status.
class SlotError : public std::exception {
  public:
    SlotError(qapfw_status status, std::string text) : status_(status), text_(std::move(text)) {}
    qapfw_status status() const { return status_; }
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    qapfw_status status_;
    std::string text_;
};

/// The functions of qapfw_device; abi/device.h has their rules. Functions that destroy something are also called after
/// the device's death.
class DeviceSlots {
  public:
    DeviceSlots() = default;
    DeviceSlots(const DeviceSlots&) = delete;
    DeviceSlots& operator=(const DeviceSlots&) = delete;
    virtual ~DeviceSlots() = default;

    virtual void allocate(std::uint64_t bytes, std::uint64_t* address) = 0;
    virtual void release(std::uint64_t address) = 0;
    virtual void create_stream(qapfw_stream** out) = 0;
    virtual void destroy_stream(qapfw_stream* stream) = 0;
    virtual void upload(qapfw_stream* stream, std::uint64_t address, const void* bytes, std::uint64_t size) = 0;
    virtual void download(qapfw_stream* stream, void* bytes, std::uint64_t address, std::uint64_t size) = 0;
    virtual void copy(qapfw_stream* stream, std::uint64_t to, std::uint64_t from, std::uint64_t size) = 0;
    virtual void fill(qapfw_stream* stream, std::uint64_t address, std::uint8_t value, std::uint64_t size) = 0;
    virtual void synchronize(qapfw_stream* stream) = 0;
    virtual void query(qapfw_stream* stream, bool* finished) = 0;
    virtual void prepare(const qapfw_kernel_request* requests, std::uint32_t count) = 0;
    virtual void kernel(const qapfw_kernel_request* request, qapfw_kernel** out) = 0;
    virtual void launch(qapfw_stream* stream, qapfw_kernel* kernel, const qapfw_launch* launch) = 0;
    virtual void occupancy(qapfw_kernel* kernel, std::uint32_t block_threads, std::uint32_t dynamic_shared_bytes,
                           std::uint32_t* blocks) = 0;
    virtual void problem_view(const void** view, std::uint64_t* size) = 0;
    virtual void mark(qapfw_stream* stream) = 0;
    virtual void reach_mark(qapfw_stream* stream) = 0;
};

class DeviceTable {
  public:
    /// `slots` must outlive the table.
    DeviceTable(DeviceSlots& slots, ErrorFunction set_error);
    DeviceTable(const DeviceTable&) = delete;
    DeviceTable& operator=(const DeviceTable&) = delete;

    /// The C table; all its functions are set. The device that owns this object sets name, ordinal and sizes.
    qapfw_device& c_table() { return table_; }
    const qapfw_device& c_table() const { return table_; }

    /// [thread-safe] From now on, every slot that returns a status fails with QAPFW_ERROR_DEVICE and the message
    /// `cause`. Only the first call has an effect.
    void mark_dead(const std::string& cause);
    /// [thread-safe] The cause of death; empty while the device is alive.
    const std::string& failure() const;

  private:
    template <auto Slot>
    struct Entry;
    template <class Body>
    qapfw_status guarded(Body&& body) noexcept;
    qapfw_status fail(qapfw_status status, const char* text) noexcept;

    DeviceSlots& slots_;
    ErrorFunction set_error_;
    std::once_flag died_;
    std::atomic<bool> dead_{false};
    std::string failure_;  ///< why the device is dead; written once, before dead_ becomes true
    qapfw_device table_{};
};

/// "1.50 GiB (1610612736 bytes)".
std::string byte_text(std::uint64_t bytes);

}  // namespace qapfw::framework
