// SPDX-License-Identifier: Apache-2.0
// Memory for large tables. The memory is zero at first; large objects cost nothing before a page is used.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace qapfw::sdk {

/// Bytes that are 0 until written. They begin at a 64-byte boundary. From kLarge bytes on, Linux provides each page
/// only when it is first used. So even making a large object takes hardly any time. Pages have 2 MiB if possible.
class ZeroedMemory {
  public:
    static constexpr std::size_t kLarge = std::size_t{4} << 20;  ///< smallest size of a large object, in bytes

    /// Allocates nothing; data() is null.
    ZeroedMemory() = default;
    /// Allocates `bytes` bytes, all 0. Throws std::bad_alloc.
    explicit ZeroedMemory(std::size_t bytes) : memory_(bytes < kLarge ? small(bytes) : large(bytes), Free{bytes}) {}

    std::byte* data() const { return memory_.get(); }  ///< the first byte

  private:
    static constexpr std::size_t kPage = std::size_t{2} << 20;
    static constexpr std::align_val_t kAlignment{64};

    static std::size_t mapped(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

    struct Free {
        std::size_t bytes;
        void operator()(std::byte* p) const {
            if (bytes < kLarge) {
                ::operator delete(p, kAlignment);
            } else {
                ::munmap(p, mapped(bytes));
            }
        }
    };

    static std::byte* small(std::size_t bytes) {
        void* const p = ::operator new(bytes, kAlignment);
        std::memset(p, 0, bytes);
        return static_cast<std::byte*>(p);
    }

    /// Returns a mapping that begins at a multiple of 2 MiB. Maps more than is wanted, and unmaps the rest again.
    static std::byte* large(std::size_t bytes) {
        const std::size_t wanted = mapped(bytes);
        void* const p = wanted < bytes ? MAP_FAILED
                                       : ::mmap(nullptr, wanted + kPage, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        auto* const begin = static_cast<std::byte*>(p);
        const std::size_t before = (kPage - reinterpret_cast<std::size_t>(p) % kPage) % kPage;
        if (before > 0) ::munmap(begin, before);
        if (before < kPage) ::munmap(begin + before + wanted, kPage - before);
        ::madvise(begin + before, wanted, MADV_HUGEPAGE);  // if refused, pages stay small
        return begin + before;
    }

    std::unique_ptr<std::byte, Free> memory_{nullptr, Free{0}};
};

}  // namespace qapfw::sdk
