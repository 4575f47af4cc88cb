// SPDX-License-Identifier: Apache-2.0
// Proposals with AVX2: four arcs at a time, but one at a time for kEuclid and kTable.
#include <immintrin.h>

#include "problems/sparse_qap/walk/scalar_rows.hpp"

namespace qapfw::sparse {
namespace {

/// Distances from one code to four others, for all metrics except kEuclid and kTable.
template <Metric kMetric>
class FourDistances {
  public:
    explicit FourDistances(const DistanceData& data)
        : sides_(_mm256_set1_epi64x(static_cast<long long>(data.sides))), levels_(data.levels) {
        for (std::uint32_t k = 0; k < levels_; ++k) steps_[k] = data.level_costs[k + 1] - data.level_costs[k];
    }

    __m256i operator()(std::uint64_t code, __m256i codes) const {
        const __m256i one = _mm256_set1_epi64x(static_cast<long long>(code));
        if constexpr (kMetric == Metric::kGridBytes || kMetric == Metric::kTorusBytes) {
            __m256i apart = _mm256_or_si256(_mm256_subs_epu8(one, codes), _mm256_subs_epu8(codes, one));
            if constexpr (kMetric == Metric::kTorusBytes)
                apart = _mm256_min_epu8(apart, _mm256_sub_epi8(sides_, apart));
            return _mm256_sad_epu8(apart, _mm256_setzero_si256());
        } else if constexpr (kMetric == Metric::kGridWords || kMetric == Metric::kTorusWords) {
            __m256i apart = _mm256_or_si256(_mm256_subs_epu16(one, codes), _mm256_subs_epu16(codes, one));
            if constexpr (kMetric == Metric::kTorusWords)
                apart = _mm256_min_epu16(apart, _mm256_sub_epi16(sides_, apart));
            return both_halves(_mm256_madd_epi16(apart, _mm256_set1_epi16(1)));
        } else if constexpr (kMetric == Metric::kHamming) {
            const __m256i differ = _mm256_xor_si256(one, codes), nibble = _mm256_set1_epi8(15);
            const __m256i counts =
                _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(differ, nibble));
            const __m256i high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(differ, 4), nibble));
            return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
        } else if constexpr (kMetric == Metric::kTree) {
            // Adds steps_[k] = level_costs[k + 1] - level_costs[k] for each k if the codes differ in byte k or above.
            __m256i differ = _mm256_xor_si256(one, codes), sum = _mm256_setzero_si256();
            for (std::uint32_t k = 0; k < levels_; ++k) {
                const __m256i same = _mm256_cmpeq_epi64(differ, _mm256_setzero_si256());
                sum = _mm256_add_epi64(sum, _mm256_andnot_si256(same, _mm256_set1_epi64x(steps_[k])));
                differ = _mm256_srli_epi64(differ, 8);
            }
            return sum;
        } else {
            static_assert(kMetric == Metric::kManhattan);
            return both_halves(_mm256_abs_epi32(_mm256_sub_epi32(one, codes)));
        }
    }

  private:
    static __m256i both_halves(__m256i x) {
        const __m256i low = _mm256_set1_epi64x(0xffffffff);
        return _mm256_add_epi64(_mm256_and_si256(x, low), _mm256_srli_epi64(x, 32));
    }
    __m256i sides_;
    long long steps_[8] = {};
    std::uint32_t levels_;
};

template <Metric kMetric>
class FourRows {
  public:
    explicit FourRows(const WalkView& view) : view_(view), distances_(*view.distance) {}

    std::int64_t delta(std::uint64_t u_begin, std::uint64_t u_end, std::uint32_t v, std::uint64_t v_begin,
                       std::uint64_t v_end, std::uint32_t u, std::uint64_t a, std::uint64_t b) const {
        __m256i sum = _mm256_setzero_si256();
        add_row(u_begin, u_end, v, a, b, sum);
        add_row(v_begin, v_end, u, b, a, sum);
        const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        return _mm_extract_epi64(half, 0) + _mm_extract_epi64(half, 1);
    }

  private:
    void add_row(std::uint64_t begin, std::uint64_t end, std::uint32_t other, std::uint64_t from, std::uint64_t to,
                 __m256i& sum) const {
        const __m256i numbers = _mm256_setr_epi64x(0, 1, 2, 3), low = _mm256_set1_epi64x(0xffffffff);
        for (; begin < end; begin += 4) {
            const __m256i left = _mm256_set1_epi64x(static_cast<long long>(end - begin));
            __m256i some = _mm256_cmpgt_epi64(left, numbers);
            const __m256i arcs = _mm256_maskload_epi64(reinterpret_cast<const long long*>(view_.arcs + begin), some);
            const __m256i ends = _mm256_and_si256(arcs, low);
            some = _mm256_andnot_si256(_mm256_cmpeq_epi64(ends, _mm256_set1_epi64x(other)), some);
            const __m256i codes = _mm256_mask_i64gather_epi64(
                _mm256_setzero_si256(), reinterpret_cast<const long long*>(view_.code_of), ends, some, 8);
            const __m256i change = _mm256_sub_epi64(distances_(to, codes), distances_(from, codes));
            const __m256i product = _mm256_mul_epi32(_mm256_srli_epi64(arcs, 32), change);
            sum = _mm256_add_epi64(sum, _mm256_and_si256(some, product));
        }
    }
    const WalkView& view_;
    FourDistances<kMetric> distances_;
};

}  // namespace

Propose propose_avx2(Metric metric) {
    switch (metric) {
        case Metric::kEuclid:
            return propose_blocks<NarrowRows<Metric::kEuclid>>;
        case Metric::kTable:
            return propose_blocks<NarrowRows<Metric::kTable>>;
        case Metric::kGridBytes:
            return propose_blocks<FourRows<Metric::kGridBytes>>;
        case Metric::kGridWords:
            return propose_blocks<FourRows<Metric::kGridWords>>;
        case Metric::kTorusBytes:
            return propose_blocks<FourRows<Metric::kTorusBytes>>;
        case Metric::kTorusWords:
            return propose_blocks<FourRows<Metric::kTorusWords>>;
        case Metric::kHamming:
            return propose_blocks<FourRows<Metric::kHamming>>;
        case Metric::kTree:
            return propose_blocks<FourRows<Metric::kTree>>;
        default:
            return propose_blocks<FourRows<Metric::kManhattan>>;
    }
}

}  // namespace qapfw::sparse
