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
    for (std::uint32_t lane = 6; lane <= kernels::kFbsLanes; ++lane) lanes.begin[lane] = 1;  // the pair is in lane 5
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
