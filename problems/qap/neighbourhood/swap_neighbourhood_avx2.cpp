// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood on AVX2. Compile with -mavx2.
#include <immintrin.h>

#include <type_traits>

#include "problems/qap/neighbourhood/swap_neighbourhood_kernel.hpp"

namespace qapfw::qap {
namespace {

struct Avx2Bits {
    using Vec = __m256i;
    using Mask = __m256i;  // a lane has all bits set, or none
    static Vec zero() { return _mm256_setzero_si256(); }
    static Vec load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
    static Vec unaligned(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
    static void store(void* p, Vec v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
    static Vec bit_and(Vec a, Vec b) { return _mm256_and_si256(a, b); }
    static Vec bit_or(Vec a, Vec b) { return _mm256_or_si256(a, b); }
    static Vec exclusive_or(Vec a, Vec b) { return _mm256_xor_si256(a, b); }
    static Mask both(Mask a, Mask b) { return _mm256_and_si256(a, b); }
    static Mask either(Mask a, Mask b) { return _mm256_or_si256(a, b); }
    static Vec blend(Mask m, Vec no, Vec yes) { return _mm256_blendv_epi8(no, yes, m); }
    static bool any(Mask m) { return !_mm256_testz_si256(m, m); }
};

struct Avx2Int32 : Avx2Bits {
    using T = int32_t;
    using U = uint32_t;
    using Word = T;
    using Bound = __m256i;
    static constexpr uint32_t kLanes = 8, kRows = 4, kChunk = 4;
    static constexpr T kNone = INT32_MAX;

    static Vec load_words(const Word* p) { return load(p); }
    static void store_words(Word* p, Vec v) { store(p, v); }
    static Vec factor(Word w) { return set1(w); }
    static Vec set1(T v) { return _mm256_set1_epi32(v); }
    static Mask lanes_after(uint32_t lane) {
        return greater(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), set1(static_cast<T>(lane)));
    }
    static Vec add(Vec a, Vec b) { return _mm256_add_epi32(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm256_sub_epi32(a, b); }
    static Vec mul(Vec a, Vec b) { return _mm256_mullo_epi32(a, b); }
    static Vec min(Vec a, Vec b) { return _mm256_min_epi32(a, b); }
    static Vec min_where(Vec a, Mask m, Vec b) { return min(a, blend(m, set1(kNone), b)); }
    static Vec shift_left(Vec v, uint32_t by) { return _mm256_sll_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by))); }
    static Vec shift_right(Vec v, uint32_t by) { return _mm256_srl_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by))); }
    static Vec shift_right_signed(Vec v, uint32_t by) {
        return _mm256_sra_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by)));
    }
    static Vec sub16(Vec a, Vec b) { return _mm256_sub_epi16(a, b); }
    static Vec dot8(Vec sum, Vec a, Vec b) {
        return add(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)));
    }
    static Vec dot16(Vec sum, Vec a, Vec b) { return add(sum, _mm256_madd_epi16(a, b)); }
    static Vec dot16_where(Vec sum, Mask m, Vec a, Vec b) { return add(sum, bit_and(m, _mm256_madd_epi16(a, b))); }
    static Mask mask(const T* p) { return load(p); }
    static Mask mask_all(const T* p) { return set1(*p); }
    static Mask greater(Vec a, Vec b) { return _mm256_cmpgt_epi32(a, b); }
    static Mask equal(Vec a, Vec b) { return _mm256_cmpeq_epi32(a, b); }
    static uint32_t bits(Mask m) { return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(m))); }
    static T reduce_min(Vec v) {
        __m128i m = _mm_min_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0x4E));
        return _mm_cvtsi128_si32(_mm_min_epi32(m, _mm_shuffle_epi32(m, 0xB1)));
    }
    static Vec spread_min(Vec v) {
        v = min(v, _mm256_permute2x128_si256(v, v, 1));
        v = min(v, _mm256_shuffle_epi32(v, 0x4E));
        return min(v, _mm256_shuffle_epi32(v, 0xB1));
    }
    static T first(Vec v) { return _mm256_cvtsi256_si32(v); }
    static Bound bound(int32_t v) { return set1(v); }
    static Mask at_most(const int32_t* p, Bound b) { return exclusive_or(greater(unaligned(p), b), set1(-1)); }
    static Mask below(const int32_t* p, Bound b) { return greater(b, unaligned(p)); }
};

template <bool kNarrow>
struct Avx2Int64 : Avx2Bits {
    using T = int64_t;
    using U = uint64_t;
    using Word = std::conditional_t<kNarrow, int32_t, T>;
    using Bound = __m128i;
    static constexpr uint32_t kLanes = 4, kRows = 4, kChunk = 4;
    static constexpr T kNone = INT64_MAX;

    static Vec load_words(const Word* p) {
        if constexpr (!kNarrow) return load(p);
        return _mm256_cvtepi32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(p)));
    }
    static void store_words(Word* p, Vec v) {
        if constexpr (!kNarrow) return store(p, v);
        const Vec low = _mm256_permutevar8x32_epi32(v, _mm256_set_epi32(6, 4, 2, 0, 6, 4, 2, 0));
        _mm_store_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(low));
    }
    /// Puts `w` into all lanes. If words have 32 bits, only `mul` may use the result, since `mul` reads only the lower
    /// half of a lane.
    static Vec factor(Word w) {
        if constexpr (kNarrow) return _mm256_set1_epi32(w);
        return set1(w);
    }
    static Vec set1(T v) { return _mm256_set1_epi64x(v); }
    static Mask lanes_after(uint32_t lane) { return greater(_mm256_set_epi64x(3, 2, 1, 0), set1(lane)); }
    static Vec add(Vec a, Vec b) { return _mm256_add_epi64(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm256_sub_epi64(a, b); }
    static Vec mul(Vec a, Vec b) {
        if constexpr (kNarrow) return _mm256_mul_epi32(a, b);
        const Vec cross =
            add(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b), _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
        return add(_mm256_mul_epu32(a, b), _mm256_slli_epi64(cross, 32));
    }
    static Vec min(Vec a, Vec b) { return blend(greater(a, b), a, b); }
    static Vec min_where(Vec a, Mask m, Vec b) { return blend(both(m, greater(a, b)), a, b); }
    static Mask mask(const T* p) { return load(p); }
    static Mask mask_all(const T* p) { return set1(*p); }
    static Mask greater(Vec a, Vec b) { return _mm256_cmpgt_epi64(a, b); }
    static Mask equal(Vec a, Vec b) { return _mm256_cmpeq_epi64(a, b); }
    static uint32_t bits(Mask m) { return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(m))); }
    static T reduce_min(Vec v) {
        alignas(32) T lane[4];
        store(lane, v);
        T least = lane[0];
        for (const T t : lane) least = t < least ? t : least;
        return least;
    }
    static Vec spread_min(Vec v) {
        v = min(v, _mm256_permute2x128_si256(v, v, 1));
        return min(v, _mm256_shuffle_epi32(v, 0x4E));
    }
    static T first(Vec v) { return _mm_cvtsi128_si64(_mm256_castsi256_si128(v)); }
    static Bound bound(int32_t v) { return _mm_set1_epi32(v); }
    static Mask at_most(const int32_t* p, Bound b) {
        return _mm256_cvtepi32_epi64(_mm_xor_si128(_mm_cmpgt_epi32(entries(p), b), _mm_set1_epi32(-1)));
    }
    static Mask below(const int32_t* p, Bound b) { return _mm256_cvtepi32_epi64(_mm_cmpgt_epi32(b, entries(p))); }
    static __m128i entries(const int32_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
};

}  // namespace

const SwapKernels* swap_kernels_avx2(SwapWidth width, bool asymmetric) {
    return kernels<Avx2Int32, Avx2Int64<false>, Avx2Int64<true>>(width, asymmetric);
}

}  // namespace qapfw::qap
