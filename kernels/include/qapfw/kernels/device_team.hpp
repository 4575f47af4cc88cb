// SPDX-License-Identifier: Apache-2.0
// Groups of threads that work on one solution: a warp, a team of warps, or a CUDA block (for a single thread see
// thread_group.hpp). A CUDA block may hold several teams, which use the same constant data (matrices). Each team has a
// named barrier of its own, so teams never wait for one another.
#pragma once

#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

constexpr uint32_t kAllLanes = 0xFFFFFFFFu;  ///< the mask of a whole warp

/// @{
/// Returns `value`, but hides from the compiler that the result equals `value`. The compiler then repeats cheap
/// arithmetic with the result wherever needed, and does not keep the outcomes in registers during a loop.
QAPFW_DEVICE int opaque(int value) {
    asm volatile("" : "+r"(value));
    return value;
}

QAPFW_DEVICE float opaque(float value) {
    return __int_as_float(opaque(__float_as_int(value)));
}
QAPFW_DEVICE int64_t opaque(int64_t value) {
    asm volatile("" : "+l"(value));
    return value;
}
QAPFW_DEVICE double opaque(double value) {
    return __longlong_as_double(opaque(static_cast<int64_t>(__double_as_longlong(value))));
}
/// @}

/// Keeps the compiler from moving memory accesses across this call. This saves registers in unrolled loops. Use the
/// call only in loops that take little of the run's time.
QAPFW_DEVICE void keep_order() {
    asm volatile("" ::: "memory");
}

/// A number that is known when the program is compiled.
template <int kValue>
struct Constant {
    static constexpr int value = kValue;  ///< the number
};

/// Calls body(Constant<index>) for an index below kCount (at most 16). The call takes one jump, and the body's code is
/// not predicated.
template <int kCount, class Body>
QAPFW_DEVICE void dispatch(int index, Body body) {
    static_assert(kCount >= 1 && kCount <= 16);
    if constexpr (kCount == 1) {
        body(Constant<0>{});
    } else {
        switch (index) {
#define QAPFW_CASE(k)                                  \
    case k:                                            \
        if constexpr (k < kCount) body(Constant<k>{}); \
        break
            QAPFW_CASE(0);
            QAPFW_CASE(1);
            QAPFW_CASE(2);
            QAPFW_CASE(3);
            QAPFW_CASE(4);
            QAPFW_CASE(5);
            QAPFW_CASE(6);
            QAPFW_CASE(7);
            QAPFW_CASE(8);
            QAPFW_CASE(9);
            QAPFW_CASE(10);
            QAPFW_CASE(11);
            QAPFW_CASE(12);
            QAPFW_CASE(13);
            QAPFW_CASE(14);
            QAPFW_CASE(15);
#undef QAPFW_CASE
        }
    }
}

/// The 32 lanes of a warp.
struct WarpGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x & 31u); }  ///< number of the lane, from 0
    QAPFW_DEVICE static constexpr int size() { return 32; }                        ///< number of lanes
    QAPFW_DEVICE void sync() const { __syncwarp(); }                               ///< A barrier of the warp.
    /// The sum of the lanes' values, added in a fixed order; all lanes get it.
    template <class T>
    QAPFW_DEVICE T sum(T value) const {
        for (int distance = 16; distance > 0; distance >>= 1)
            value = value + __shfl_xor_sync(kAllLanes, value, distance);
        return value;
    }
    /// The least of the lanes' values; all lanes get it.
    QAPFW_DEVICE uint32_t least(uint32_t value) const { return __reduce_min_sync(kAllLanes, value); }
    /// The largest of the lanes' values; all lanes get it.
    QAPFW_DEVICE uint32_t most(uint32_t value) const { return __reduce_max_sync(kAllLanes, value); }
    /// The value of the lane whose number differs from this lane's number only in `bit` (1, 2, 4, 8 or 16).
    QAPFW_DEVICE uint32_t partner(uint32_t value, int bit) const { return __shfl_xor_sync(kAllLanes, value, bit); }
    /// Returns how many of the lanes before this lane have a true `own`. `all` becomes the number of lanes in the whole
    /// warp that have a true `own`.
    QAPFW_DEVICE uint32_t count_before(bool own, uint32_t& all) const {
        const uint32_t lanes = __ballot_sync(kAllLanes, own);
        all = static_cast<uint32_t>(__popc(lanes));
        return static_cast<uint32_t>(__popc(lanes & ((1u << rank()) - 1u)));
    }
};

/// The kBlockThreads threads of a CUDA block.
template <uint32_t kBlockThreads>
struct BlockGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x); }               ///< number of the thread
    QAPFW_DEVICE static constexpr int size() { return static_cast<int>(kBlockThreads); }  ///< threads of the block
    QAPFW_DEVICE void sync() const { __syncthreads(); }                                   ///< A barrier of the block.
    /// The sum of the threads' 64-bit integers; all threads get it.
    template <class T>
    QAPFW_DEVICE T sum(T own) const {
        static_assert(sizeof(T) == sizeof(uint64_t) && T(1) / T(2) == 0);
        __shared__ uint64_t of_warps[kBlockThreads / 32];
        const uint64_t of_warp = sum_of_lanes(static_cast<uint64_t>(own));
        if ((threadIdx.x & 31u) == 0) of_warps[threadIdx.x / 32] = of_warp;
        __syncthreads();
        uint64_t total = 0;
        for (const uint64_t one : of_warps) total += one;
        __syncthreads();
        return static_cast<T>(total);
    }

  private:
    /// The sum of the lanes' values modulo 2^64, made of three sums. Each of them adds at most 22 bits of every value.
    static QAPFW_DEVICE uint64_t sum_of_lanes(uint64_t own) {
        constexpr uint32_t kBits = 22, kPart = (1u << kBits) - 1;
        uint64_t sum = 0;
        for (uint32_t shift = 0; shift < 64; shift += kBits) {
            const uint32_t part = static_cast<uint32_t>(own >> shift) & kPart;
            sum += static_cast<uint64_t>(__reduce_add_sync(kAllLanes, part)) << shift;
        }
        return sum;
    }
};

/// `kWarps` consecutive warps of a CUDA block. The block holds blockDim.x / kThreads teams.
template <int kWarps>
struct Team {
    static constexpr int kThreads = 32 * kWarps;  ///< threads of a team
    static constexpr int kMostTeams = 15;         ///< largest number of teams in one CUDA block

    /// Number of the team in its CUDA block, from 0.
    QAPFW_DEVICE int index() const { return static_cast<int>(threadIdx.x) / kThreads; }
    /// Number of the thread in its team.
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x) % kThreads; }
    QAPFW_DEVICE int warp() const { return rank() >> 5; }          ///< number of the warp in its team
    QAPFW_DEVICE int lane() const { return rank() & 31; }          ///< number of the thread in its warp
    QAPFW_DEVICE static constexpr int size() { return kThreads; }  ///< threads of the team
    /// A barrier of this team alone.
    QAPFW_DEVICE void sync() const {
        if constexpr (kWarps == 1) {
            __syncwarp();
        } else {
#if defined(__CUDA_ARCH__)
            asm volatile("bar.sync %0, %1;" ::"r"(index() + 1), "n"(kThreads) : "memory");
#else
            named_barrier(index() + 1, kThreads);  // provided by emulated GPUs
#endif
        }
    }
};

/// A team that is alone in its CUDA block. So index() is the constant 0.
template <int kWarps>
struct SoleTeam {
    static constexpr int kThreads = 32 * kWarps;  ///< threads of a team
    static constexpr int kMostTeams = 1;          ///< largest number of teams in one CUDA block

    QAPFW_DEVICE static constexpr int index() { return 0; }                  ///< number of the team in its CUDA block
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x); }  ///< number of the thread in its team
    QAPFW_DEVICE int warp() const { return rank() >> 5; }                    ///< number of the warp in its team
    QAPFW_DEVICE int lane() const { return rank() & 31; }                    ///< number of the thread in its warp
    QAPFW_DEVICE static constexpr int size() { return kThreads; }            ///< threads of the team
    /// A barrier of the team, which is the whole CUDA block.
    QAPFW_DEVICE void sync() const {
        if constexpr (kWarps == 1)
            __syncwarp();
        else
            __syncthreads();
    }
};

/// @{
/// Maps `value` to an unsigned integer: the larger the value, the larger the integer. No value may be NaN. `unordered`
/// converts back.
QAPFW_DEVICE uint32_t ordered(float value) {
    const int32_t bits = __float_as_int(value);
    return static_cast<uint32_t>(bits ^ ((bits >> 31) & 0x7FFFFFFF)) ^ 0x80000000u;
}
QAPFW_DEVICE uint32_t ordered(int32_t value) {
    return static_cast<uint32_t>(value) ^ 0x80000000u;
}
QAPFW_DEVICE uint64_t ordered(int64_t value) {
    return static_cast<uint64_t>(value) ^ 0x8000000000000000ull;
}
QAPFW_DEVICE uint64_t ordered(double value) {
    const int64_t bits = __double_as_longlong(value);
    return static_cast<uint64_t>(bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFFll)) ^ 0x8000000000000000ull;
}
/// @}
/// @{
/// Sets `value` to the value for which `ordered` returns `key`.
QAPFW_DEVICE void unordered(uint32_t key, float& value) {
    const int32_t bits = static_cast<int32_t>(key ^ 0x80000000u);
    value = __int_as_float(bits ^ ((bits >> 31) & 0x7FFFFFFF));
}
QAPFW_DEVICE void unordered(uint32_t key, int32_t& value) {
    value = static_cast<int32_t>(key ^ 0x80000000u);
}
QAPFW_DEVICE void unordered(uint64_t key, int64_t& value) {
    value = static_cast<int64_t>(key ^ 0x8000000000000000ull);
}
QAPFW_DEVICE void unordered(uint64_t key, double& value) {
    const int64_t bits = static_cast<int64_t>(key ^ 0x8000000000000000ull);
    value = __longlong_as_double(bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFFll));
}
/// @}

/// The pair i < j < 2^16 as one number. The numbers are ordered by i, then by j.
QAPFW_DEVICE uint32_t code_of_pair(int i, int j) {
    return static_cast<uint32_t>(i << 16 | j);
}
/// The i of the pair with this code; see code_of_pair.
QAPFW_DEVICE int first_of_pair(uint32_t code) {
    return static_cast<int>(code >> 16);
}
/// The j of the pair with this code; see code_of_pair.
QAPFW_DEVICE int second_of_pair(uint32_t code) {
    return static_cast<int>(code & 0xFFFFu);
}

/// @{
/// The least of the keys of a warp's lanes; all lanes get it.
QAPFW_DEVICE uint32_t warp_min(uint32_t key) {
    return __reduce_min_sync(kAllLanes, key);
}
QAPFW_DEVICE uint64_t warp_min(uint64_t key) {
    const uint32_t high = static_cast<uint32_t>(key >> 32);
    const uint32_t least_high = warp_min(high);
    const uint32_t least_low = warp_min(high == least_high ? static_cast<uint32_t>(key) : 0xFFFFFFFFu);
    return (static_cast<uint64_t>(least_high) << 32) | least_low;
}
/// @}

/// A value that is above every delta of this type. The value means "no pair here".
template <class Value>
struct Nothing;
/// The value that means "no pair here" if deltas have the type float.
template <>
struct Nothing<float> {
    static QAPFW_DEVICE float value() { return 1e30f; }  ///< above every delta
};
/// The value that means "no pair here" if deltas have the type int32_t.
template <>
struct Nothing<int32_t> {
    static QAPFW_DEVICE int32_t value() { return 0x7FFFFFFF; }  ///< above every delta
};
/// The value that means "no pair here" if deltas have the type int64_t.
template <>
struct Nothing<int64_t> {
    static QAPFW_DEVICE int64_t value() { return 0x7FFFFFFFFFFFFFFFll; }  ///< above every delta
};
/// The value that means "no pair here" if deltas have the type double.
template <>
struct Nothing<double> {
    static QAPFW_DEVICE double value() { return 1e300; }  ///< above every delta
};

/// @{
/// The smaller of two values. No value may be NaN.
QAPFW_DEVICE float least(float a, float b) {
    return fminf(a, b);
}
QAPFW_DEVICE double least(double a, double b) {
    return fmin(a, b);
}
QAPFW_DEVICE int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}
QAPFW_DEVICE int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}
QAPFW_DEVICE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
QAPFW_DEVICE uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
/// @}

}  // namespace qapfw::kernels
