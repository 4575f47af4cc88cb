// SPDX-License-Identifier: Apache-2.0
// Parts of CUDA that kernels use and emulated_gpu.hpp lacks, and launches of kernels for tests.
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
inline std::uint32_t atomicMax(std::uint32_t* to, std::uint32_t value) {
    const std::uint32_t before = *to;
    if (value > before) *to = value;
    return before;
}
inline unsigned long long atomicMin(unsigned long long* to, unsigned long long value) {
    const unsigned long long before = *to;
    if (value < before) *to = value;
    return before;
}
inline unsigned long long atomicMax(unsigned long long* to, unsigned long long value) {
    const unsigned long long before = *to;
    if (value > before) *to = value;
    return before;
}
struct uint2 {
    std::uint32_t x, y;
};
inline int __clz(int bits) {
    return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits));
}
inline int __ffs(int bits) {
    return __builtin_ffs(bits);
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

/// Functions of problems/qap/device/tensor_core.cuh for the host.
namespace qapfw::kernels {

using SharedAddress = const unsigned char*;

inline SharedAddress shared_address(const void* at) {
    return static_cast<SharedAddress>(at);
}

inline void load_byte_matrices(std::uint32_t (&parts)[4], SharedAddress own_row) {
    const std::uint32_t lane = threadIdx.x & 31u;
    test::EmulatedBlock::current().collect(own_row, [&](std::uint32_t from, SharedAddress row) {
        if (from % 8 == lane / 4) std::memcpy(&parts[from / 8], row + 4 * (lane % 4), 4);
    });
}

inline void add_byte_products(std::int32_t (&sums)[4], std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                              std::uint32_t a3, std::uint32_t b0, std::uint32_t b1) {
    struct Parts {
        std::uint32_t a[4], b[2];
    };
    const std::uint32_t lane = threadIdx.x & 31u;
    Parts all[32];
    test::EmulatedBlock::current().collect(Parts{{a0, a1, a2, a3}, {b0, b1}},
                                           [&](std::uint32_t from, const Parts& parts) { all[from] = parts; });
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t row = lane / 4, column = 2 * (lane % 4) + k % 2, lower = k / 2;
        for (std::uint32_t part = 0; part < 4; ++part)
            for (std::uint32_t half = 0; half < 2; ++half)
                sums[k] = static_cast<std::int32_t>(__dp4a(all[4 * row + part].a[2 * half + lower],
                                                           all[4 * column + part].b[half],
                                                           static_cast<std::uint32_t>(sums[k])));
    }
}

}  // namespace qapfw::kernels

namespace qapfw::test {

/// Launches a kernel whose shared memory is the first `bytes` bytes of `memory`, an array of the test. Their contents
/// are arbitrary at first. Throws if the kernel writes to the rest of the array.
template <class T, std::size_t kSize, class Launch>
void with_shared_memory(T (&memory)[kSize], std::uint32_t bytes, const Launch& launch) {
    if (bytes > sizeof memory) throw std::runtime_error("too much shared memory");
    std::memset(memory, 0xA5, sizeof memory);
    launch();
    const auto* const rest = reinterpret_cast<const unsigned char*>(memory) + bytes;
    const std::size_t count = sizeof memory - bytes;
    if (count > 0 && (rest[0] != 0xA5 || std::memcmp(rest, rest + 1, count - 1) != 0)) {  // not all bytes are 0xA5
        throw std::runtime_error("a kernel wrote beyond its shared memory");
    }
}

template <class T>
const T& argument(const qapfw_launch& launch, int k) {
    return *static_cast<const T*>(launch.arguments[k]);
}

}  // namespace qapfw::test
