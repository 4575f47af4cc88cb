// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood with the instruction set that the compiler targets by default: 16-byte vectors of the
// compiler's own vector extension, which become SSE2 on x86-64. This file needs no compiler flags.
#include <cstring>

#include "problems/qap/neighbourhood/swap_neighbourhood_kernel.hpp"

namespace qapfw::qap {
namespace {

template <class T_, class U_, T_ kNone_, class Word_ = T_>
struct PlainVector {
    using T = T_;
    using U = U_;
    using Word = Word_;
    typedef T Vec __attribute__((vector_size(16)));
    typedef U Unsigned __attribute__((vector_size(16)));
    using Mask = Vec;  // a lane has all bits set, or none
    using Bound = int32_t;
    static constexpr uint32_t kLanes = 16 / sizeof(T), kRows = 2, kChunk = 4;
    static constexpr T kNone = kNone_;

    static Unsigned wraps(Vec v) { return reinterpret_cast<Unsigned>(v); }
    static Vec exact(Unsigned v) { return reinterpret_cast<Vec>(v); }
    static Vec zero() { return Vec{}; }
    static Vec load(const T* p) { return *reinterpret_cast<const Vec*>(p); }
    static void store(T* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
    static Vec load_words(const Word* p) {
        Vec v;
        for (uint32_t k = 0; k < kLanes; ++k) v[k] = p[k];
        return v;
    }
    static void store_words(Word* p, Vec v) {
        for (uint32_t k = 0; k < kLanes; ++k) p[k] = static_cast<Word>(v[k]);
    }
    static Vec factor(Word w) { return set1(w); }
    static Vec set1(T t) { return zero() + t; }
    static Mask lanes_after(uint32_t lane) {
        Mask m{};
        for (uint32_t k = 0; k < kLanes; ++k) m[k] = k > lane ? -1 : 0;
        return m;
    }
    static Vec add(Vec a, Vec b) { return exact(wraps(a) + wraps(b)); }
    static Vec sub(Vec a, Vec b) { return exact(wraps(a) - wraps(b)); }
    static Vec mul(Vec a, Vec b) { return exact(wraps(a) * wraps(b)); }
    static Vec bit_and(Vec a, Vec b) { return a & b; }
    static Vec bit_or(Vec a, Vec b) { return a | b; }
    static Vec exclusive_or(Vec a, Vec b) { return a ^ b; }
    static Vec shift_left(Vec v, uint32_t by) { return exact(wraps(v) << by); }
    static Vec shift_right(Vec v, uint32_t by) { return exact(wraps(v) >> by); }
    static Vec shift_right_signed(Vec v, uint32_t by) { return v >> static_cast<int32_t>(by); }
    static Mask mask(const T* p) { return load(p); }
    static Mask mask_all(const T* p) { return set1(*p); }
    static Mask both(Mask a, Mask b) { return a & b; }
    static Mask either(Mask a, Mask b) { return a | b; }
    static Mask greater(Vec a, Vec b) { return reinterpret_cast<Vec>(a > b); }
    static Mask equal(Vec a, Vec b) { return reinterpret_cast<Vec>(a == b); }
    static Vec blend(Mask m, Vec no, Vec yes) { return (no & ~m) | (yes & m); }
    static Vec min(Vec a, Vec b) { return blend(greater(a, b), a, b); }
    static Vec min_where(Vec a, Mask m, Vec b) { return blend(m & greater(a, b), a, b); }
    static uint32_t bits(Mask m) {
        uint32_t lanes = 0;
        for (uint32_t k = 0; k < kLanes; ++k) lanes |= (m[k] != 0 ? 1u : 0u) << k;
        return lanes;
    }
    static bool any(Mask m) { return bits(m) != 0; }
    static T reduce_min(Vec v) {
        T least = v[0];
        for (uint32_t k = 1; k < kLanes; ++k) least = v[k] < least ? v[k] : least;
        return least;
    }
    static Vec spread_min(Vec v) { return set1(reduce_min(v)); }
    static T first(Vec v) { return v[0]; }
    static Bound bound(int32_t v) { return v; }
    static Mask at_most(const int32_t* p, Bound b) {
        Mask m;
        for (uint32_t k = 0; k < kLanes; ++k) m[k] = p[k] <= b ? -1 : 0;
        return m;
    }
    static Mask below(const int32_t* p, Bound b) {
        Mask m;
        for (uint32_t k = 0; k < kLanes; ++k) m[k] = p[k] < b ? -1 : 0;
        return m;
    }
};

struct PlainInt32 : PlainVector<int32_t, uint32_t, INT32_MAX> {
    typedef int16_t Shorts __attribute__((vector_size(16)));
    typedef uint16_t UnsignedShorts __attribute__((vector_size(16)));

    static Vec sub16(Vec a, Vec b) {
        return reinterpret_cast<Vec>(reinterpret_cast<UnsignedShorts>(a) - reinterpret_cast<UnsignedShorts>(b));
    }
    static Vec dot16(Vec sum, Vec a, Vec b) {
        const Vec low = mul(shift_right_signed(shift_left(a, 16), 16), shift_right_signed(shift_left(b, 16), 16));
        return add(sum, add(low, mul(shift_right_signed(a, 16), shift_right_signed(b, 16))));
    }
    static Vec dot16_where(Vec sum, Mask m, Vec a, Vec b) { return blend(m, sum, dot16(sum, a, b)); }
    static Vec dot8(Vec sum, Vec a, Vec b) {
        for (uint32_t k = 0; k < 32; k += 8)
            sum = add(sum, mul(shift_right(shift_left(a, 24 - k), 24), shift_right_signed(shift_left(b, 24 - k), 24)));
        return sum;
    }
};

struct PlainInt64 : PlainVector<int64_t, uint64_t, INT64_MAX> {};
struct PlainInt64Narrow : PlainVector<int64_t, uint64_t, INT64_MAX, int32_t> {};

}  // namespace

const SwapKernels* swap_kernels_plain(SwapWidth width, bool asymmetric) {
    return kernels<PlainInt32, PlainInt64, PlainInt64Narrow>(width, asymmetric);
}

}  // namespace qapfw::qap
