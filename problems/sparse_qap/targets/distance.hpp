// SPDX-License-Identifier: Apache-2.0
// The distance between two locations, computed from their codes. Each metric has a small type of its own, so that loops
// over arcs are compiled for each metric.
#pragma once

#include <emmintrin.h>

#include <cstdint>

#include "problems/sparse_qap/device/distance_of_codes.cuh"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {
namespace {  // this file is compiled for several instruction sets, whose object files must not share functions

template <Metric kMetric>
struct Distance {
    explicit Distance(const DistanceData& d) : data(d) {}
    const DistanceData& data;

    std::int64_t operator()(std::uint64_t a, std::uint64_t b) const {
        if constexpr (kMetric == Metric::kGridBytes || kMetric == Metric::kTorusBytes) return of_bytes(a, b);
        return distance_of_codes<static_cast<int>(kMetric), 8>(data, a, b);
    }

  private:
    /// Returns the distance, computed for all coordinates at once by instructions that every x86-64 processor has. The
    /// function must be fast: at the end of a run the costs of long solutions are summed while the user waits.
    std::int64_t of_bytes(std::uint64_t a, std::uint64_t b) const {
        const __m128i x = _mm_cvtsi64_si128(static_cast<long long>(a)),
                      y = _mm_cvtsi64_si128(static_cast<long long>(b));
        __m128i apart = _mm_or_si128(_mm_subs_epu8(x, y), _mm_subs_epu8(y, x));
        if constexpr (kMetric == Metric::kTorusBytes) {
            const __m128i sides = _mm_cvtsi64_si128(static_cast<long long>(data.sides));
            apart = _mm_min_epu8(apart, _mm_sub_epi8(sides, apart));
        }
        return _mm_cvtsi128_si64(_mm_sad_epu8(apart, _mm_setzero_si128()));
    }
};

/// Calls body(Distance<metric>) for the metric of the data.
template <class Body>
decltype(auto) with_distance(const DistanceData& data, Body&& body) {
    switch (data.metric) {
        case Metric::kGridBytes:
            return body(Distance<Metric::kGridBytes>(data));
        case Metric::kGridWords:
            return body(Distance<Metric::kGridWords>(data));
        case Metric::kTorusBytes:
            return body(Distance<Metric::kTorusBytes>(data));
        case Metric::kTorusWords:
            return body(Distance<Metric::kTorusWords>(data));
        case Metric::kHamming:
            return body(Distance<Metric::kHamming>(data));
        case Metric::kTree:
            return body(Distance<Metric::kTree>(data));
        case Metric::kManhattan:
            return body(Distance<Metric::kManhattan>(data));
        case Metric::kEuclid:
            return body(Distance<Metric::kEuclid>(data));
        default:
            return body(Distance<Metric::kTable>(data));
    }
}

}  // namespace
}  // namespace qapfw::sparse
