// SPDX-License-Identifier: Apache-2.0
// The distance between two locations from their codes, which targets/target.hpp describes. Host and device compile the
// same text.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::sparse {

// The functions are static: source files are compiled for different instruction sets, so each needs its own functions.

/// Returns the number of zeros above the highest bit of x. x is not 0.
static QAPFW_HD int sparse_leading_zeros(uint64_t x) {
#if defined(__CUDA_ARCH__)
    return __clzll(static_cast<long long>(x));
#else
    return __builtin_clzll(x);
#endif
}

static QAPFW_HD int sparse_ones(uint64_t x) {
#if defined(__CUDA_ARCH__)
    return __popcll(x);
#else
    return __builtin_popcountll(x);
#endif
}

/// Returns the square root, rounded as IEEE 754 demands, so it is the same on all machines.
static QAPFW_HD double sparse_root(double x) {
#if defined(__CUDA_ARCH__)
    return sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

static QAPFW_HD int64_t sparse_size_of(int64_t x) {
    return x < 0 ? -x : x;
}

/// Returns the sum of the absolute differences between the lowest kLanes numbers of two codes. Each number has kBits
/// bits. With kRing, each number is a place on a ring, and the shorter way around the ring counts.
template <int kBits, int kLanes, bool kRing, class Data>
static QAPFW_HD int32_t sparse_lanes(const Data& data, uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
    if constexpr (kBits == 8 && kLanes <= 4) {
        const uint32_t direct = __vabsdiffu4(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
        const uint32_t around = __vsub4(static_cast<uint32_t>(data.sides), direct);
        // A ring of 256 places has 0 in its byte of `sides`. Modulo 256, `around` is then 256 - direct, or 0 if direct
        // is 0. Both are right.
        return static_cast<int32_t>(__dp4a(kRing ? __vminu4(direct, around) : direct, 0x01010101u, 0u));
    }
#endif
    constexpr uint64_t kMask = (uint64_t{1} << kBits) - 1;
    int32_t sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int shift = 0; shift < kBits * kLanes; shift += kBits) {
        const auto x = static_cast<int32_t>((a >> shift) & kMask), y = static_cast<int32_t>((b >> shift) & kMask);
        const int32_t direct = x > y ? x - y : y - x;
        const int32_t around = (static_cast<int32_t>(data.sides >> shift) - direct) & static_cast<int32_t>(kMask);
        sum += kRing && around < direct ? around : direct;
    }
    return sum;
}

/// Returns the absolute differences of the bytes of two words, in the four bytes of one word. sum_of_bytes_apart adds
/// up these differences.
static QAPFW_HD uint32_t bytes_apart(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __vabsdiffu4(a, b);
#else
    uint32_t apart = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const uint32_t x = (a >> shift) & 0xff, y = (b >> shift) & 0xff;
        apart |= (x > y ? x - y : y - x) << shift;
    }
    return apart;
#endif
}
static QAPFW_HD int32_t sum_of_bytes_apart(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
    return static_cast<int32_t>(__vsadu4(a, b));
#else
    const uint32_t apart = bytes_apart(a, b);
    return static_cast<int32_t>((apart & 0xff) + (apart >> 8 & 0xff) + (apart >> 16 & 0xff) + (apart >> 24));
#endif
}

/// Returns the distance from `to` to `code` minus the distance from `from` to `code`. All codes must be four bytes, and
/// no side of a torus may be 256. The two ways around a ring add up to its length. So the shorter way is half of the
/// length minus half of the two ways' difference.
template <bool kRing>
static QAPFW_HD int32_t change_of_bytes(uint32_t sides, uint32_t from, uint32_t to, uint32_t code) {
    if constexpr (!kRing) {
        return sum_of_bytes_apart(to, code) - sum_of_bytes_apart(from, code);
    } else {
        const uint32_t near = bytes_apart(from, code), far = bytes_apart(to, code);
        return (sum_of_bytes_apart(near, sides - near) - sum_of_bytes_apart(far, sides - far)) / 2;
    }
}

/// Returns the distance of two codes. `kMetric` is a number of enum Metric. `data` has the members of DistanceData that
/// this metric needs. In the code of a location in a grid or torus, all coordinates after the first kLanes are 0.
template <int kMetric, int kLanes, class Data>
static QAPFW_HD int64_t distance_of_codes(const Data& data, uint64_t a, uint64_t b) {
    if constexpr (kMetric <= 3) {
        constexpr int kBits = kMetric % 2 == 0 ? 8 : 16;
        return sparse_lanes < kBits, kLanes * kBits <= 64 ? kLanes : 64 / kBits, kMetric >= 2 > (data, a, b);
    } else if constexpr (kMetric == 4) {
        return sparse_ones(a ^ b);
    } else if constexpr (kMetric == 5) {  // the highest byte in which the codes differ gives the level
        const uint64_t differ = a ^ b;
        return differ == 0 ? 0 : data.level_costs[(71 - sparse_leading_zeros(differ)) / 8];
    } else if constexpr (kMetric == 8) {
        return data.table[a * data.stride + b];
    } else {
        const int64_t dx = static_cast<int64_t>(static_cast<int32_t>(a)) - static_cast<int32_t>(b);
        const int64_t dy = static_cast<int64_t>(static_cast<int32_t>(a >> 32)) - static_cast<int32_t>(b >> 32);
        if constexpr (kMetric == 6) return sparse_size_of(dx) + sparse_size_of(dy);
        return static_cast<int64_t>(sparse_root(static_cast<double>(dx * dx + dy * dy)) + 0.5);
    }
}

}  // namespace qapfw::sparse
