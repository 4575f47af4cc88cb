// SPDX-License-Identifier: Apache-2.0
// The distance of two locations from their codes, one small type for each metric, so that loops over arcs are compiled
// for each of them.
#pragma once

#include <cstdint>

#include "problems/sparse_qap/device/distance_of_codes.cuh"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {
namespace {  // compiled for several instruction sets: no two files may share it

template <Metric kMetric>
struct Distance {
    explicit Distance(const DistanceData& d) : data(d) {}
    const DistanceData& data;

    std::int64_t operator()(std::uint64_t a, std::uint64_t b) const {
        return distance_of_codes<static_cast<int>(kMetric), 8>(data, a, b);
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
