// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/pair_lanes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace qapfw;
using namespace qapfw::uaflp;

TEST_CASE("one pair sums to flow times distance in every candidate of every instruction set") {
    PairLanes<double> lanes{};
    const std::uint32_t pair = 0u | 1u << 16;
    const double flow = 3;
    // Lane k has the pairs from begin[k] to begin[k + 1] - 1. So lane 5 has the only pair.
    for (std::uint32_t lane = 6; lane <= kernels::kFbsLanes; ++lane) lanes.begin[lane] = 1;
    lanes.pair = &pair;
    lanes.flow = &flow;
    lanes.inverse_bay_height[0] = 0.5;
    lanes.bay_height[0] = 2;
    lanes.inverse_bay_height[1] = 4;
    lanes.bay_height[1] = 0.25;
    for (const VectorLevel level : {VectorLevel::kPlain, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
        if (level > best_vector_level()) continue;
        const size_t group = candidates_per_call<double>(level);
        std::vector<double> x(2 * group), y(2 * group), sums(2 * group);
        for (size_t c = 0; c < group; ++c) {
            x[c] = static_cast<double>(c);
            x[group + c] = 10;
            y[group + c] = static_cast<double>(c) * 0.5;
        }
        for (const bool euclidean : {false, true}) {
            lanes.euclidean = euclidean;
            pair_sum_function<double>(level)(lanes, x.data(), y.data(), sums.data());
            for (size_t c = 0; c < group; ++c) {
                const double dx = std::abs(static_cast<double>(c) - 10);
                const double dy = static_cast<double>(c) * 0.5;
                CHECK(sums[c] == (euclidean ? 3 * std::sqrt(dx * dx / 4 + dy * dy * 4) : 3 * dx));
                CHECK(sums[group + c] == (euclidean ? 3 * std::sqrt(dx * dx * 16 + dy * dy / 16) : 3 * dy));
            }
        }
    }
}

TEST_CASE("row sums are those of a plain loop on every instruction set") {
    constexpr size_t kStride = 24;
    std::vector<double> rows(5 * kStride), y(kStride), weight(kStride);
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<double>(k * 7 % 11);
    for (size_t k = 0; k < kStride; ++k) {
        y[k] = static_cast<double>(k * 5 % 16) / 16;  // multiples of 1/16, so all sums are exact
        weight[k] = k % 3 == 0 ? 0.5 : 1;
    }
    const std::vector<std::uint16_t> departments{3, 0, 4};
    double expected = 0;
    for (const std::uint16_t d : departments) {
        for (size_t e = 0; e < kStride; ++e) expected += rows[d * kStride + e] * std::abs(y[d] - y[e]) * weight[e];
    }
    for (const VectorLevel level : {VectorLevel::kPlain, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
        if (level > best_vector_level()) continue;
        CHECK(row_sum_function(level)(rows.data(), kStride, departments, y.data(), weight.data()) == expected);
    }
}
