// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/zeroed_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

using qapfw::sdk::ZeroedMemory;

namespace {

/// Checks that the memory begins at a multiple of 64, that all bytes are 0, and that all can be written.
void check_usable(const ZeroedMemory& memory, std::size_t bytes) {
    REQUIRE(memory.data() != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % 64 == 0);
    CHECK(std::all_of(memory.data(), memory.data() + bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(memory.data(), bytes, std::byte{0xA5});
}

}  // namespace

TEST_CASE("small and large memory is zero at first and may be written to its last byte") {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, ZeroedMemory::kLarge - 1, ZeroedMemory::kLarge,
                                    ZeroedMemory::kLarge + 1, 3 * ZeroedMemory::kLarge + 4097}) {
        CAPTURE(bytes);
        // The second object may get the memory that the first one freed.
        for (int again = 0; again < 2; ++again) check_usable(ZeroedMemory(bytes), bytes);
    }
}

TEST_CASE("zeroed memory can be moved and swapped, small for large and back") {
    ZeroedMemory one(100), other(ZeroedMemory::kLarge);
    std::byte* const large = other.data();
    large[ZeroedMemory::kLarge - 1] = std::byte{7};
    one = std::move(other);
    CHECK(one.data() == large);
    CHECK(one.data()[ZeroedMemory::kLarge - 1] == std::byte{7});
    CHECK(other.data() == nullptr);
    one = ZeroedMemory(100);
    check_usable(one, 100);
    one = ZeroedMemory();
    CHECK(one.data() == nullptr);
}

TEST_CASE("memory that nobody has is refused") {
    CHECK_THROWS_AS(ZeroedMemory(~std::size_t{0}), std::bad_alloc);
    CHECK_THROWS_AS(ZeroedMemory(~std::size_t{0} / 2), std::bad_alloc);
}
