// SPDX-License-Identifier: Apache-2.0
// The distance of two locations from their codes, one small type for each metric, so that loops over arcs are compiled
// for each of them.
#pragma once

#include <cstdint>

#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {
namespace {  // compiled for several instruction sets: no two files may share it

template <Metric kMetric>
struct Distance {
    explicit Distance(const DistanceData& d) : data(d) {}
    const DistanceData& data;

    std::int64_t operator()(std::uint64_t a, std::uint64_t b) const {
        if constexpr (kMetric == Metric::kGridBytes || kMetric == Metric::kTorusBytes) {
            return lanes<8>(a, b);
        } else if constexpr (kMetric == Metric::kGridWords || kMetric == Metric::kTorusWords) {
            return lanes<16>(a, b);
        } else if constexpr (kMetric == Metric::kHamming) {
            return __builtin_popcountll(a ^ b);
        } else if constexpr (kMetric == Metric::kTree) {
            const std::uint64_t differ = a ^ b;
            return differ == 0 ? 0 : data.level_costs[(71 - __builtin_clzll(differ)) / 8];
        } else if constexpr (kMetric == Metric::kManhattan) {
            return size_of(x_of(a) - x_of(b)) + size_of(y_of(a) - y_of(b));
        } else if constexpr (kMetric == Metric::kEuclid) {
            // The sum is exact, and roots are rounded as IEEE 754 says: the same on all machines.
            const std::int64_t dx = x_of(a) - x_of(b), dy = y_of(a) - y_of(b);
            return static_cast<std::int64_t>(__builtin_sqrt(static_cast<double>(dx * dx + dy * dy)) + 0.5);
        } else {
            return data.table[a * data.stride + b];
        }
    }

  private:
    static std::int64_t size_of(std::int64_t x) { return x < 0 ? -x : x; }
    static std::int64_t x_of(std::uint64_t code) { return static_cast<std::int32_t>(code); }
    static std::int64_t y_of(std::uint64_t code) { return static_cast<std::int32_t>(code >> 32); }
    template <int kBits>
    std::int64_t lanes(std::uint64_t a, std::uint64_t b) const {
        constexpr std::int64_t kMask = (std::int64_t{1} << kBits) - 1;
        constexpr bool kRing = kMetric == Metric::kTorusBytes || kMetric == Metric::kTorusWords;
        std::int64_t sum = 0;
        for (int shift = 0; shift < 64; shift += kBits) {
            const auto x = static_cast<std::int64_t>(a >> shift) & kMask,
                       y = static_cast<std::int64_t>(b >> shift) & kMask;
            const std::int64_t direct = x > y ? x - y : y - x;
            if constexpr (kRing) {
                const std::int64_t around = (static_cast<std::int64_t>(data.sides >> shift) - direct) & kMask;
                sum += direct < around ? direct : around;
            } else {
                sum += direct;
            }
        }
        return sum;
    }
};

/// Calls body(Distance<metric>) for the data's metric.
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
