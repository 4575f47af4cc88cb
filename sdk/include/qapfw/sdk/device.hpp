// SPDX-License-Identifier: Apache-2.0
// A GPU for plugin authors: C++ classes for the buffers, streams and kernels of the C table in qapfw/abi/device.h. All
// work is in stream order, and nothing is copied implicitly. A device failure throws StatusError; the SDK's C functions
// return the error's status.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/abi/device.h"
#include "qapfw/error.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// A queue of work on one device. The device does the work in the order in which it was queued. Only one thread at a
/// time may use a Stream. The device must outlive the Stream. Members throw StatusError if the device fails.
class Stream {
  public:
    /// A new stream of `device`.
    explicit Stream(const qapfw_device& device) : device_(&device) {
        check(device.create_stream(device.context, &stream_), "create_stream");
    }
    /// Uses a stream that somebody else owns, such as the stream with which an improver is called.
    static Stream borrow(const qapfw_device& device, qapfw_stream* stream) { return Stream(device, stream); }
    /// Takes over the stream. Afterwards `other` may only be destroyed or assigned to.
    Stream(Stream&& other) noexcept
        : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)), owned_(other.owned_) {}
    /// Swaps the two streams.
    Stream& operator=(Stream&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(stream_, other.stream_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~Stream() {
        if (owned_ && stream_ != nullptr) device_->destroy_stream(device_->context, stream_);
    }

    /// Waits until all work in the stream is done. Downloads have then arrived.
    void synchronize() { check(device_->synchronize(device_->context, stream_), "synchronize"); }
    /// True if all work in the stream is done. Downloads have then arrived.
    bool finished() {
        const std::int32_t state = device_->finished(device_->context, stream_);
        if (state < 0) check(-state, "finished");
        return state > 0;
    }
    /// Marks the work in the stream so far; replaces an earlier mark.
    void mark() { check(device_->mark(device_->context, stream_), "mark"); }
    /// Waits until the marked work is done and its downloads have arrived. Does not wait for later work. If there is no
    /// mark, waits for all work, like synchronize.
    void reach_mark() { check(device_->reach_mark(device_->context, stream_), "reach_mark"); }
    const qapfw_device& device() const { return *device_; }  ///< device that owns the stream
    qapfw_stream* get() const { return stream_; }            ///< the C form

  private:
    Stream(const qapfw_device& device, qapfw_stream* stream) : device_(&device), stream_(stream), owned_(false) {}

    const qapfw_device* device_;
    qapfw_stream* stream_ = nullptr;
    bool owned_ = true;
};

/// `size()` elements in a device's memory, owned by the buffer. Movable; copying needs copy_from. The device must
/// outlive the buffer. Throws Error(kInternal) for a range beyond the end, StatusError for a failure of the device.
template <class T>
class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes, so T must be trivially copyable");

  public:
    /// An empty buffer.
    DeviceBuffer() = default;
    /// Uninitialised memory for `size` elements. Throws Error(kMemory) or StatusError if there is too little.
    DeviceBuffer(const qapfw_device& device, std::size_t size) : device_(&device), size_(size) {
        if (size > static_cast<std::size_t>(-1) / sizeof(T)) {
            throw Error(ErrorKind::kMemory, "a device buffer of " + std::to_string(size) + " elements is too large");
        }
        if (size > 0) check(device.allocate(device.context, size * sizeof(T), &address_), "allocate");
    }
    /// A copy of `values`, which must stay alive and unchanged until the stream is synchronised.
    DeviceBuffer(Stream& stream, std::span<const T> values) : DeviceBuffer(stream.device(), values.size()) {
        upload(stream, values);
    }
    /// Takes over the memory; `other` is empty afterwards.
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : device_(other.device_), address_(std::exchange(other.address_, 0)), size_(std::exchange(other.size_, 0)) {}
    /// Swaps the memory of the two buffers.
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(address_, other.address_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceBuffer() {
        if (address_ != 0) device_->release(device_->context, address_);
    }

    std::size_t size() const { return size_; }                 ///< number of elements
    std::uint64_t bytes() const { return size_ * sizeof(T); }  ///< bytes of all elements
    /// Address of element `index` on the device. If the buffer is empty, the address of element 0 is 0.
    std::uint64_t address(std::size_t index = 0) const { return address_ + index * sizeof(T); }

    /// Copies all of `values` to the elements from `first` on. `values` must stay alive and unchanged until the stream
    /// is synchronised.
    void upload(Stream& stream, std::span<const T> values, std::size_t first = 0) {
        require(first, values.size(), "upload");
        check(device_of(stream).upload(stream.device().context, stream.get(), address(first), values.data(),
                                       values.size_bytes()),
              "upload");
    }
    /// Fills `values` with the elements from `first` on. They have arrived once the stream is synchronised.
    void download(Stream& stream, std::span<T> values, std::size_t first = 0) const {
        require(first, values.size(), "download");
        check(device_of(stream).download(stream.device().context, stream.get(), values.data(), address(first),
                                         values.size_bytes()),
              "download");
    }
    /// Copies `count` elements of `source`, beginning with `source_first`, to this buffer's elements from `first` on.
    void copy_from(Stream& stream, const DeviceBuffer& source, std::size_t count, std::size_t source_first = 0,
                   std::size_t first = 0) {
        require(first, count, "copy");
        source.require(source_first, count, "copy");
        check(device_of(stream).copy(stream.device().context, stream.get(), address(first),
                                     source.address(source_first), count * sizeof(T)),
              "copy");
    }
    /// Sets every byte to `value`.
    void fill(Stream& stream, std::uint8_t value) { fill(stream, value, size_); }
    /// Sets every byte of `count` elements from `first` on to `value`.
    void fill(Stream& stream, std::uint8_t value, std::size_t count, std::size_t first = 0) {
        require(first, count, "fill");
        check(device_of(stream).fill(stream.device().context, stream.get(), address(first), value, count * sizeof(T)),
              "fill");
    }

  private:
    void require(std::size_t first, std::size_t count, const char* what) const {
        if (first <= size_ && count <= size_ - first) return;
        throw Error(ErrorKind::kInternal, std::string(what) + " of " + std::to_string(count) + " elements from " +
                                              std::to_string(first) + " on: the device buffer has " +
                                              std::to_string(size_));
    }
    static const qapfw_device& device_of(const Stream& stream) { return stream.device(); }

    const qapfw_device* device_ = nullptr;
    std::uint64_t address_ = 0;
    std::size_t size_ = 0;
};

/// Sources and options of a kernel. Owns its strings but not the bytes of `texts` (embedded texts live for ever).
struct KernelRequest {
    std::vector<qapfw_text> texts;     ///< CUDA C++, joined in this order after those of the problem
    std::string entry;                 ///< name of an `extern "C" __global__` function of the texts
    std::vector<std::string> defines;  ///< "NAME=value"
    bool with_problem = true;          ///< the texts use qapfw::device::Problem
};

namespace detail {

/// A request as a C struct. The struct points into the KernelRequest and into this object. Both must live as long as
/// the struct is used.
class KernelRequestView {
  public:
    explicit KernelRequestView(const KernelRequest& request) {
        for (const std::string& define : request.defines) defines_.push_back(define.c_str());
        c_ = {sizeof(qapfw_kernel_request),
              static_cast<std::uint32_t>(request.texts.size()),
              request.texts.data(),
              request.entry.c_str(),
              static_cast<std::uint32_t>(defines_.size()),
              request.with_problem ? 1u : 0u,
              defines_.data()};
    }
    const qapfw_kernel_request& get() const { return c_; }

  private:
    std::vector<const char*> defines_;
    qapfw_kernel_request c_{};
};

}  // namespace detail

/// Announces kernels, so that they are compiled in parallel while the caller continues with other work.
inline void prepare(const qapfw_device& device, std::span<const KernelRequest> requests) {
    std::vector<detail::KernelRequestView> views;
    std::vector<qapfw_kernel_request> c_requests;
    views.reserve(requests.size());
    for (const KernelRequest& request : requests) c_requests.push_back(views.emplace_back(request).get());
    check(device.prepare(device.context, c_requests.data(), static_cast<std::uint32_t>(c_requests.size())), "prepare");
}

/// Numbers of CUDA blocks or threads along x, y and z.
struct Extent {
    /// A single number is the extent along x.
    constexpr Extent(std::uint32_t x_size, std::uint32_t y_size = 1, std::uint32_t z_size = 1)  // NOLINT: implicit
        : x(x_size), y(y_size), z(z_size) {}
    std::uint32_t x, y, z;  ///< each at least 1
};

/// The problem's View with its device addresses. Pass it as the kernel argument `Problem::View`.
class ProblemView {
  public:
    /// Throws StatusError if the problem has no device code. The device must outlive this object.
    explicit ProblemView(const qapfw_device& device) {
        check(device.problem_view(device.context, &bytes_, &size_), "problem_view");
    }
    /// The bytes of the View, valid as long as the device lives.
    const void* bytes() const { return bytes_; }
    std::uint64_t size() const { return size_; }  ///< number of the View's bytes

  private:
    const void* bytes_ = nullptr;
    std::uint64_t size_ = 0;
};

/// A kernel argument whose layout is known only at run time, such as a struct that begins with the problem's View.
/// Members are appended one by one, aligned as by the device's compiler.
class ArgumentBytes {
  public:
    /// Appends the problem's View, aligned to 8 bytes.
    void append_view(const ProblemView& view) { append(view.bytes(), view.size(), 8); }
    /// Appends a trivially copyable value, aligned as its type.
    template <class T>
    void append(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>,
                      "kernel arguments are passed as bytes, so their types must be trivially copyable");
        append(&value, sizeof value, alignof(T));
    }
    /// Appends the buffer's device address.
    template <class T>
    void append(const DeviceBuffer<T>& buffer) {
        append(buffer.address());
    }
    /// The bytes that were appended so far; the pointer is valid until the next append.
    const void* bytes() const { return bytes_.data(); }

  private:
    void append(const void* data, std::size_t size, std::size_t alignment) {
        const std::size_t at = (size_ + alignment - 1) / alignment * alignment;
        size_ = at + size;
        bytes_.resize((size_ + kPadding - 1) / kPadding * kPadding);
        std::memcpy(bytes_.data() + at, data, size);
    }
    /// The bytes are padded to a multiple of this number, since the driver also reads the padding at the struct's end.
    static constexpr std::size_t kPadding = 16;
    std::vector<unsigned char> bytes_;
    std::size_t size_ = 0;  ///< size without the padding
};

/// A compiled kernel. The device owns the kernel and must outlive this object. Copies refer to the same kernel.
class Kernel {
  public:
    /// Compiles the kernel, or finds it already compiled; waits until it is ready. Throws StatusError if a text does
    /// not compile.
    Kernel(const qapfw_device& device, const KernelRequest& request) : device_(&device) {
        const detail::KernelRequestView view(request);
        check(device.kernel(device.context, &view.get(), &kernel_), request.entry.c_str());
    }

    /// Enqueues one launch of `grid` CUDA blocks of `block` threads, each block with `shared_bytes` of dynamic shared
    /// memory. Arguments must have exactly the parameters' types. A DeviceBuffer<T> is passed as a T*, a ProblemView as
    /// the View, ArgumentBytes as a struct, everything else as itself. The values are copied before this returns.
    template <class... Arguments>
    void launch(Stream& stream, Extent grid, Extent block, std::uint32_t shared_bytes, const Arguments&... arguments) {
        [[maybe_unused]] std::array<std::uint64_t, sizeof...(Arguments) + 1> addresses{};
        std::array<void*, sizeof...(Arguments) + 1> pointers{};
        [[maybe_unused]] std::size_t next = 0;
        ((pointers[next] = pack(arguments, addresses[next]), ++next), ...);
        const qapfw_launch launch{{grid.x, grid.y, grid.z},
                                  {block.x, block.y, block.z},
                                  shared_bytes,
                                  static_cast<std::uint32_t>(sizeof...(Arguments)),
                                  pointers.data()};
        check(device_->launch(device_->context, stream.get(), kernel_, &launch), "launch");
    }

    /// Number of CUDA blocks of this kernel that fit on one multiprocessor at a time.
    std::uint32_t occupancy(std::uint32_t block_threads, std::uint32_t shared_bytes) const {
        std::uint32_t blocks = 0;
        check(device_->occupancy(device_->context, kernel_, block_threads, shared_bytes, &blocks), "occupancy");
        return blocks;
    }

  private:
    template <class T>
    static void* pack(const DeviceBuffer<T>& buffer, std::uint64_t& address) {
        address = buffer.address();
        return &address;
    }
    static void* pack(const ProblemView& view, std::uint64_t&) { return const_cast<void*>(view.bytes()); }
    static void* pack(const ArgumentBytes& argument, std::uint64_t&) { return const_cast<void*>(argument.bytes()); }
    template <class T>
    static void* pack(const T& value, std::uint64_t&) {
        static_assert(std::is_trivially_copyable_v<T>,
                      "kernel arguments are passed as bytes, so their types must be trivially copyable");
        return const_cast<void*>(static_cast<const void*>(&value));
    }

    const qapfw_device* device_;
    qapfw_kernel* kernel_ = nullptr;
};

}  // namespace qapfw::sdk
