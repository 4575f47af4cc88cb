// SPDX-License-Identifier: Apache-2.0
// The bodies of pair_sums_* and row_sum_*. This file is included once for each instruction set. Each file that includes
// it defines these macros: QAPFW_TARGET (a function attribute, so that no file needs compiler flags of its own),
// QAPFW_VECTOR_BYTES, QAPFW_PAIR_SUMS and QAPFW_ROW_SUM (names of functions), QAPFW_SQRT_PD and QAPFW_SQRT_PS
// (intrinsics). This file has no include guard on purpose.
//
// Two vectors of candidates in each pass hide the latency of the additions. Products and sums are separate operations:
// compile with -ffp-contract=off.

#include <immintrin.h>

#include <cstring>
#include <type_traits>

#include "problems/uaflp/pair_lanes.hpp"

namespace qapfw::uaflp {
namespace {

template <class Real>
struct Vector {
    typedef Real Type __attribute__((vector_size(QAPFW_VECTOR_BYTES)));
    using Word = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
    typedef Word Words __attribute__((vector_size(QAPFW_VECTOR_BYTES)));
    static constexpr size_t kWidth = QAPFW_VECTOR_BYTES / sizeof(Real);
    static constexpr Word kNoSign = static_cast<Word>(~(Word{1} << (8 * sizeof(Real) - 1)));
};

QAPFW_TARGET inline void square_root(Vector<double>::Type& v) {
    v = QAPFW_SQRT_PD(v);
}
QAPFW_TARGET inline void square_root(Vector<float>::Type& v) {
    v = QAPFW_SQRT_PS(v);
}

/// |a - b| for one vector of candidates.
template <class Real>
QAPFW_TARGET inline void distance(const Real* a, const Real* b, typename Vector<Real>::Type& out) {
    using Words = typename Vector<Real>::Words;
    typename Vector<Real>::Type va, vb;
    std::memcpy(&va, a, sizeof va);
    std::memcpy(&vb, b, sizeof vb);
    const Words bits = reinterpret_cast<Words>(va - vb) & Vector<Real>::kNoSign;
    out = reinterpret_cast<typename Vector<Real>::Type>(bits);
}

/// The two sums of FbsSums for one vector of candidates.
template <class Real>
struct Sums {
    typename Vector<Real>::Type first;
    typename Vector<Real>::Type second;
};

/// Adds the flow times the Euclidean distance in orientation o to `sum`.
template <class Real>
QAPFW_TARGET inline void add_euclidean(const PairLanes<Real>& lanes, size_t o, Real flow,
                                       const typename Vector<Real>::Type& dx, const typename Vector<Real>::Type& dy,
                                       typename Vector<Real>::Type& sum) {
    const typename Vector<Real>::Type across = dx * lanes.inverse_bay_height[o];
    const typename Vector<Real>::Type along = dy * lanes.bay_height[o];
    typename Vector<Real>::Type d = across * across + along * along;
    square_root(d);
    sum += flow * d;
}

/// Adds one pair's flow times its distance to `sums`. The pair is the departments at offsets i and j of x and y.
template <bool kEuclidean, class Real>
QAPFW_TARGET inline void add_pair(const PairLanes<Real>& lanes, Real flow, const Real* x, const Real* y, size_t i,
                                  size_t j, Sums<Real>& sums) {
    typename Vector<Real>::Type dx, dy;
    distance<Real>(x + i, x + j, dx);
    distance<Real>(y + i, y + j, dy);
    if constexpr (kEuclidean) {
        add_euclidean<Real>(lanes, 0, flow, dx, dy, sums.first);
        add_euclidean<Real>(lanes, 1, flow, dx, dy, sums.second);
    } else {
        sums.first += flow * dx;
        sums.second += flow * dy;
    }
}

template <class Real>
QAPFW_TARGET inline void fold(Sums<Real>* partial) {
    for (std::uint32_t half = kernels::kFbsLanes / 2; half > 0; half /= 2) {
        for (std::uint32_t lane = 0; lane < half; ++lane) {
            partial[lane].first += partial[lane + half].first;
            partial[lane].second += partial[lane + half].second;
        }
    }
}

template <bool kEuclidean, class Real>
QAPFW_TARGET void sum_pairs(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums) {
    constexpr size_t kWidth = Vector<Real>::kWidth;
    constexpr size_t kGroup = 2 * kWidth;
    Sums<Real> low[kernels::kFbsLanes];
    Sums<Real> high[kernels::kFbsLanes];
    for (std::uint32_t lane = 0; lane < kernels::kFbsLanes; ++lane) {
        Sums<Real> low_sums{};
        Sums<Real> high_sums{};
        for (std::uint32_t p = lanes.begin[lane]; p < lanes.begin[lane + 1]; ++p) {
            const size_t i = (lanes.pair[p] & 0xFFFFu) * kGroup;
            const size_t j = (lanes.pair[p] >> 16) * kGroup;
            const Real flow = lanes.flow[p];
            add_pair<kEuclidean, Real>(lanes, flow, x, y, i, j, low_sums);
            add_pair<kEuclidean, Real>(lanes, flow, x + kWidth, y + kWidth, i, j, high_sums);
        }
        low[lane] = low_sums;
        high[lane] = high_sums;
    }
    fold(low);
    fold(high);
    std::memcpy(sums, &low[0].first, sizeof low[0].first);
    std::memcpy(sums + kWidth, &high[0].first, sizeof high[0].first);
    std::memcpy(sums + kGroup, &low[0].second, sizeof low[0].second);
    std::memcpy(sums + kGroup + kWidth, &high[0].second, sizeof high[0].second);
}

}  // namespace

template <class Real>
QAPFW_TARGET void QAPFW_PAIR_SUMS(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums) {
    if (lanes.euclidean) {
        sum_pairs<true>(lanes, x, y, sums);
    } else {
        sum_pairs<false>(lanes, x, y, sums);
    }
}

QAPFW_TARGET double QAPFW_ROW_SUM(const double* rows, size_t stride, std::span<const std::uint16_t> departments,
                                  const double* y, const double* weight) {
    using V = Vector<double>;
    V::Type sum{};
    for (size_t column = 0; column < stride; column += V::kWidth) {
        V::Type here, by_column{};
        std::memcpy(&here, y + column, sizeof here);
        for (const std::uint16_t d : departments) {
            V::Type flow;
            std::memcpy(&flow, rows + d * stride + column, sizeof flow);
            const V::Words distance = reinterpret_cast<V::Words>(here - y[d]) & V::kNoSign;
            by_column += flow * reinterpret_cast<V::Type>(distance);
        }
        V::Type w;
        std::memcpy(&w, weight + column, sizeof w);
        sum += by_column * w;
    }
    double total = 0;
    for (size_t lane = 0; lane < V::kWidth; ++lane) total += sum[lane];
    return total;
}

template void QAPFW_PAIR_SUMS<double>(const PairLanes<double>&, const double*, const double*, double*);
template void QAPFW_PAIR_SUMS<float>(const PairLanes<float>&, const float*, const float*, float*);

}  // namespace qapfw::uaflp
