// SPDX-License-Identifier: Apache-2.0
// Vectors of the swap neighbourhood on AVX-512 (F, BW, DQ, VL; VNNI if the including unit is compiled for it).
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of an operand inside its own intrinsics that is undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace qapfw::qap {
namespace {

struct Avx512Bits {
    using Vec = __m512i;
    static Vec zero() { return _mm512_setzero_si512(); }
    static Vec load(const void* p) { return _mm512_load_si512(p); }
    static void store(void* p, Vec v) { _mm512_store_si512(p, v); }
    static Vec bit_and(Vec a, Vec b) { return _mm512_and_si512(a, b); }
    static Vec bit_or(Vec a, Vec b) { return _mm512_or_si512(a, b); }
    static Vec exclusive_or(Vec a, Vec b) { return _mm512_xor_si512(a, b); }
};

struct Avx512Int32 : Avx512Bits {
    using T = int32_t;
    using U = uint32_t;
    using Word = T;
    using Mask = __mmask16;
    using Bound = __m512i;
    static constexpr uint32_t kLanes = 16, kRows = 4, kChunk = 8;
    static constexpr T kNone = INT32_MAX;

    static Vec load_words(const Word* p) { return load(p); }
    static void store_words(Word* p, Vec v) { store(p, v); }
    static Vec factor(Word w) { return set1(w); }
    static Vec set1(T v) { return _mm512_set1_epi32(v); }
    static Vec add(Vec a, Vec b) { return _mm512_add_epi32(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm512_sub_epi32(a, b); }
    static Vec mul(Vec a, Vec b) { return _mm512_mullo_epi32(a, b); }
    static Vec min(Vec a, Vec b) { return _mm512_min_epi32(a, b); }
    static Vec min_where(Vec a, Mask m, Vec b) { return _mm512_mask_min_epi32(a, m, a, b); }
    static Vec shift_left(Vec v, uint32_t by) { return _mm512_sll_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by))); }
    static Vec shift_right(Vec v, uint32_t by) { return _mm512_srl_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by))); }
    static Vec shift_right_signed(Vec v, uint32_t by) {
        return _mm512_sra_epi32(v, _mm_cvtsi32_si128(static_cast<int>(by)));
    }
    static Vec sub16(Vec a, Vec b) { return _mm512_sub_epi16(a, b); }
#ifdef __AVX512VNNI__
    static Vec dot8(Vec sum, Vec a, Vec b) {
        return _mm512_dpbusd_epi32(sum, a, b);
    }
    static Vec dot16(Vec sum, Vec a, Vec b) {
        return _mm512_dpwssd_epi32(sum, a, b);
    }
    static Vec dot16_where(Vec sum, Mask m, Vec a, Vec b) {
        return _mm512_mask_dpwssd_epi32(sum, m, a, b);
    }
#else
    static Vec dot8(Vec sum, Vec a, Vec b) {
        return add(sum, _mm512_madd_epi16(_mm512_maddubs_epi16(a, b), _mm512_set1_epi16(1)));
    }
    static Vec dot16(Vec sum, Vec a, Vec b) {
        return add(sum, _mm512_madd_epi16(a, b));
    }
    static Vec dot16_where(Vec sum, Mask m, Vec a, Vec b) {
        return _mm512_mask_add_epi32(sum, m, sum, _mm512_madd_epi16(a, b));
    }
#endif
    static Mask mask(const T* p) {
        return _mm512_movepi32_mask(load(p));
    }
    static Mask mask_all(const T* p) {
        return static_cast<Mask>(*p);
    }
    /// The mask of all lanes with a number above `lane`.
    static Mask lanes_after(uint32_t lane) {
        return static_cast<Mask>(~1u << lane);
    }
    static Mask both(Mask a, Mask b) {
        return _kand_mask16(a, b);
    }
    static Mask either(Mask a, Mask b) {
        return _kor_mask16(a, b);
    }
    static Mask greater(Vec a, Vec b) {
        return _mm512_cmpgt_epi32_mask(a, b);
    }
    static Mask equal(Vec a, Vec b) {
        return _mm512_cmpeq_epi32_mask(a, b);
    }
    static Vec blend(Mask m, Vec no, Vec yes) {
        return _mm512_mask_mov_epi32(no, m, yes);
    }
    static bool any(Mask m) {
        return m != 0;
    }
    static uint32_t bits(Mask m) {
        return m;
    }
    static T reduce_min(Vec v) {
        return _mm512_reduce_min_epi32(v);
    }
    static Vec spread_min(Vec v) {
        v = min(v, _mm512_shuffle_i64x2(v, v, 0x4E));
        v = min(v, _mm512_shuffle_i64x2(v, v, 0xB1));
        v = min(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
        return min(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB));
    }
    static T first(Vec v) {
        return _mm512_cvtsi512_si32(v);
    }
    static Bound bound(int32_t v) {
        return _mm512_set1_epi32(v);
    }
    static Mask at_most(const int32_t* p, Bound b) {
        return _mm512_cmple_epi32_mask(_mm512_loadu_si512(p), b);
    }
    static Mask below(const int32_t* p, Bound b) {
        return _mm512_cmplt_epi32_mask(_mm512_loadu_si512(p), b);
    }
};

template <bool kNarrow>
struct Avx512Int64 : Avx512Bits {
    using T = int64_t;
    using U = uint64_t;
    using Word = std::conditional_t<kNarrow, int32_t, T>;
    using Mask = __mmask8;
    using Bound = __m256i;
    static constexpr uint32_t kLanes = 8, kRows = 4, kChunk = 8;
    static constexpr T kNone = INT64_MAX;

    static Vec load_words(const Word* p) {
        if constexpr (!kNarrow) return load(p);
        return _mm512_cvtepi32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(p)));
    }
    static void store_words(Word* p, Vec v) {
        if constexpr (!kNarrow) return store(p, v);
        _mm256_store_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(v));
    }
    /// Puts `w` into all lanes. If words have 32 bits, only `mul` may use the result, since `mul` reads only the lower
    /// half of a lane.
    static Vec factor(Word w) {
        if constexpr (kNarrow) return _mm512_set1_epi32(w);
        return set1(w);
    }
    static Vec set1(T v) { return _mm512_set1_epi64(v); }
    static Vec add(Vec a, Vec b) { return _mm512_add_epi64(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm512_sub_epi64(a, b); }
    static Vec mul(Vec a, Vec b) { return kNarrow ? _mm512_mul_epi32(a, b) : _mm512_mullo_epi64(a, b); }
    static Vec min(Vec a, Vec b) { return _mm512_min_epi64(a, b); }
    static Vec min_where(Vec a, Mask m, Vec b) { return _mm512_mask_min_epi64(a, m, a, b); }
    static Mask mask(const T* p) { return _mm512_movepi64_mask(load(p)); }
    static Mask mask_all(const T* p) { return static_cast<Mask>(*p); }
    static Mask lanes_after(uint32_t lane) { return static_cast<Mask>(~1u << lane); }
    static Mask both(Mask a, Mask b) { return _kand_mask8(a, b); }
    static Mask either(Mask a, Mask b) { return _kor_mask8(a, b); }
    static Mask greater(Vec a, Vec b) { return _mm512_cmpgt_epi64_mask(a, b); }
    static Mask equal(Vec a, Vec b) { return _mm512_cmpeq_epi64_mask(a, b); }
    static Vec blend(Mask m, Vec no, Vec yes) { return _mm512_mask_mov_epi64(no, m, yes); }
    static bool any(Mask m) { return m != 0; }
    static uint32_t bits(Mask m) { return m; }
    static T reduce_min(Vec v) { return _mm512_reduce_min_epi64(v); }
    static Vec spread_min(Vec v) {
        v = min(v, _mm512_shuffle_i64x2(v, v, 0x4E));
        v = min(v, _mm512_shuffle_i64x2(v, v, 0xB1));
        return min(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
    }
    static T first(Vec v) { return _mm_cvtsi128_si64(_mm512_castsi512_si128(v)); }
    static Bound bound(int32_t v) { return _mm256_set1_epi32(v); }
    static Mask at_most(const int32_t* p, Bound b) { return _mm256_cmple_epi32_mask(entries(p), b); }
    static Mask below(const int32_t* p, Bound b) { return _mm256_cmplt_epi32_mask(entries(p), b); }
    static __m256i entries(const int32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
};

}  // namespace
}  // namespace qapfw::qap
