// SPDX-License-Identifier: Apache-2.0
// Proposals with AVX-512: eight arcs at a time.
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns wrongly here: an intrinsic has an operand that is undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "problems/sparse_qap/walk/scalar_rows.hpp"

namespace qapfw::sparse {
namespace {

/// Distances from one location to eight others. The locations are given by their codes.
template <Metric kMetric>
class EightDistances {
  public:
    explicit EightDistances(const DistanceData& data)
        : sides_(_mm512_set1_epi64(static_cast<long long>(data.sides))),
          table_(data.table),
          n_(data.stride),
          levels_(data.levels) {
        for (std::uint32_t k = 0; k < levels_; ++k) steps_[k] = data.level_costs[k + 1] - data.level_costs[k];
    }

    __m512i operator()(std::uint64_t code, __m512i codes) const {
        const __m512i one = _mm512_set1_epi64(static_cast<long long>(code));
        if constexpr (kMetric == Metric::kGridBytes || kMetric == Metric::kTorusBytes) {
            __m512i apart = _mm512_or_si512(_mm512_subs_epu8(one, codes), _mm512_subs_epu8(codes, one));
            if constexpr (kMetric == Metric::kTorusBytes)
                apart = _mm512_min_epu8(apart, _mm512_sub_epi8(sides_, apart));
            return _mm512_sad_epu8(apart, _mm512_setzero_si512());
        } else if constexpr (kMetric == Metric::kGridWords || kMetric == Metric::kTorusWords) {
            __m512i apart = _mm512_or_si512(_mm512_subs_epu16(one, codes), _mm512_subs_epu16(codes, one));
            if constexpr (kMetric == Metric::kTorusWords)
                apart = _mm512_min_epu16(apart, _mm512_sub_epi16(sides_, apart));
            return halves(_mm512_madd_epi16(apart, _mm512_set1_epi16(1)));
        } else if constexpr (kMetric == Metric::kHamming) {
            const __m512i differ = _mm512_xor_si512(one, codes), nibble = _mm512_set1_epi8(15);
            const __m512i counts =
                _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            const __m512i low = _mm512_shuffle_epi8(counts, _mm512_and_si512(differ, nibble));
            const __m512i high = _mm512_shuffle_epi8(counts, _mm512_and_si512(_mm512_srli_epi16(differ, 4), nibble));
            return _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
        } else if constexpr (kMetric == Metric::kTree) {
            // Adds steps_[k] = level_costs[k + 1] - level_costs[k] for each k if the codes differ in byte k or above.
            const __m512i differ = _mm512_xor_si512(one, codes);
            __m512i sum = _mm512_setzero_si512(), above = _mm512_set1_epi64(-1);
            for (std::uint32_t k = 0; k < levels_; ++k) {
                const __mmask8 part = _mm512_test_epi64_mask(differ, above);
                sum = _mm512_mask_add_epi64(sum, part, sum, _mm512_set1_epi64(steps_[k]));
                above = _mm512_slli_epi64(above, 8);
            }
            return sum;
        } else if constexpr (kMetric == Metric::kManhattan) {
            return halves(_mm512_abs_epi32(_mm512_sub_epi32(one, codes)));
        } else if constexpr (kMetric == Metric::kEuclid) {
            const __m512i apart = _mm512_sub_epi32(one, codes);
            const __m512i high = _mm512_srli_epi64(apart, 32);
            const __m512i sum = _mm512_add_epi64(_mm512_mul_epi32(apart, apart), _mm512_mul_epi32(high, high));
            const __m512d root = _mm512_sqrt_pd(_mm512_cvtepi64_pd(sum));
            return _mm512_cvttpd_epi64(_mm512_add_pd(root, _mm512_set1_pd(0.5)));
        } else {
            const __m256i entries = _mm512_i64gather_epi32(codes, table_ + code * n_, 4);
            return _mm512_cvtepi32_epi64(entries);
        }
    }

  private:
    /// The sum of the two 32-bit halves of each 64 bits.
    static __m512i halves(__m512i x) {
        const __m512i low = _mm512_set1_epi64(0xffffffff);
        return _mm512_add_epi64(_mm512_and_si512(x, low), _mm512_srli_epi64(x, 32));
    }
    __m512i sides_;
    const std::int32_t* table_;
    std::uint64_t n_;
    std::uint32_t levels_;
    long long steps_[8] = {};
};

template <Metric kMetric>
class EightRows {
  public:
    explicit EightRows(const WalkView& view) : view_(view), distances_(*view.distance) {}

    std::int64_t delta(std::uint64_t u_begin, std::uint64_t u_end, std::uint32_t v, std::uint64_t v_begin,
                       std::uint64_t v_end, std::uint32_t u, std::uint64_t a, std::uint64_t b) const {
        __m512i sum = _mm512_setzero_si512();
        add_row(u_begin, u_end, v, a, b, sum);
        add_row(v_begin, v_end, u, b, a, sum);
        return _mm512_reduce_add_epi64(sum);
    }

  private:
    void add_row(std::uint64_t begin, std::uint64_t end, std::uint32_t other, std::uint64_t from, std::uint64_t to,
                 __m512i& sum) const {
        for (; begin < end; begin += 8) {
            const std::uint64_t left = end - begin;
            const auto some = static_cast<__mmask8>(left >= 8 ? 255 : (1u << left) - 1);
            const __m512i arcs = _mm512_maskz_loadu_epi64(some, view_.arcs + begin);
            const __m512i ends = _mm512_and_si512(arcs, _mm512_set1_epi64(0xffffffff));
            const __mmask8 others = _mm512_mask_cmpneq_epi64_mask(some, ends, _mm512_set1_epi64(other));
            const __m512i codes = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), others, ends, view_.code_of, 8);
            const __m512i change = _mm512_sub_epi64(distances_(to, codes), distances_(from, codes));
            const __m512i product = _mm512_mul_epi32(_mm512_srli_epi64(arcs, 32), change);
            sum = _mm512_mask_add_epi64(sum, others, sum, product);
        }
    }
    const WalkView& view_;
    EightDistances<kMetric> distances_;
};

}  // namespace

Propose propose_avx512(Metric metric) {
    return propose_of<EightRows>(metric);
}

}  // namespace qapfw::sparse
