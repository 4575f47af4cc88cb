// SPDX-License-Identifier: Apache-2.0
// What the kernels of the genetic algorithms use of CUDA beyond the emulated GPU's own, and how a test launches them.
#pragma once

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "qapfw/abi/device.h"
#include "tests/support/emulated_gpu.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

inline std::uint32_t atomicAdd(std::uint32_t* to, std::uint32_t value) {
    const std::uint32_t before = *to;
    *to += value;
    return before;
}
inline unsigned long long atomicMin(unsigned long long* to, unsigned long long value) {
    const unsigned long long before = *to;
    if (value < before) *to = value;
    return before;
}
inline int __ffs(int bits) {
    return __builtin_ffs(bits);
}
inline std::uint32_t __reduce_add_sync(std::uint32_t, std::uint32_t own) {
    std::uint32_t sum = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) sum += qapfw::test::EmulatedBlock::current().exchange(own, lane);
    return sum;
}
inline std::uint32_t __dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
    for (int k = 0; k < 32; k += 8) sum += ((a >> k) & 0xFFu) * ((b >> k) & 0xFFu);
    return sum;
}
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
    const std::uint64_t bytes = (static_cast<std::uint64_t>(high) << 32) | low;
    std::uint32_t result = 0;
    for (int k = 0; k < 4; ++k) {
        const auto chosen = static_cast<std::uint32_t>(bytes >> (8 * ((selector >> (4 * k)) & 7u))) & 0xFFu;
        result |= chosen << (8 * k);
    }
    return result;
}

namespace qapfw::test {

/// A launch's shared memory, which starts with anything, in an array of the test's: throws where the kernel writes
/// beyond.
template <class T, std::size_t kSize, class Launch>
void with_shared_memory(T (&memory)[kSize], std::uint32_t bytes, const Launch& launch) {
    if (bytes > sizeof memory) throw std::runtime_error("too much shared memory");
    std::memset(memory, 0xA5, sizeof memory);
    launch();
    const auto* const first = reinterpret_cast<const unsigned char*>(memory);
    for (std::size_t k = bytes; k < sizeof memory; ++k) {
        if (first[k] != 0xA5) throw std::runtime_error("a kernel wrote beyond its shared memory");
    }
}

template <class T>
const T& argument(const qapfw_launch& launch, int k) {
    return *static_cast<const T*>(launch.arguments[k]);
}

}  // namespace qapfw::test
