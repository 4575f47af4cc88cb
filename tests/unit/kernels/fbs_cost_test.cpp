// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/fbs_cost.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "qapfw/kernels/philox.hpp"

using namespace qapfw::kernels;

namespace {

/// A plant of width 6 and height 4, and three departments with the areas 8, 4 and 12.
struct Example {
    std::vector<double> area{8, 4, 12};
    std::vector<double> least{0, 0, 0};
    std::vector<double> greatest{100, 100, 100};
    std::vector<double> weight{0, 1, 8, 27};
    std::vector<std::uint32_t> pair{0u | 1u << 16, 0u | 2u << 16};
    std::vector<double> flow{5, 2};
    FbsView<double> view{};
    Example() {
        view.departments = 3;
        view.pairs = 2;
        view.orientations = 1;
        view.penalty_weight = weight.data();
        view.area = area.data();
        view.pair = pair.data();
        view.flow = flow.data();
        view.orientation[0] = {4, 0.25, least.data(), greatest.data()};
        view.orientation[1] = {6, 1.0 / 6, least.data(), greatest.data()};
    }
    FbsResult<double> evaluate(const std::vector<std::uint16_t>& perm, const std::vector<std::uint8_t>& bits) const {
        double x[3], y[3];
        return fbs_evaluate(view, fbs_solution(perm.data(), bits.data()), x, y);
    }
};

}  // namespace

TEST_CASE("the cost of a layout worked by hand") {
    // Both bays have width 3. Department 0 is 3 x 8/3 with its centre at (1.5, 4/3), department 1 is 3 x 4/3 at
    // (1.5, 10/3), and department 2 is 3 x 4 at (4.5, 2).
    const Example example;
    const FbsResult<double> found = example.evaluate({0, 1, 2}, {0, 1});
    CHECK(found.cost == doctest::Approx(5 * 2.0 + 2 * (3 + 2.0 / 3)));
    CHECK(found.feasible());
    Example euclidean;
    euclidean.view.euclidean = 1;
    CHECK(euclidean.evaluate({0, 1, 2}, {0, 1}).cost == doctest::Approx(5 * 2.0 + 2 * std::sqrt(9 + 4.0 / 9)));
}

TEST_CASE("limits of bay areas are closed intervals") {
    Example example;
    example.least = {12, 0, 0};
    example.greatest = {12, 100, 12};
    CHECK(example.evaluate({0, 1, 2}, {0, 1}).violations == 0);
    CHECK(example.evaluate({0, 1, 2}, {1, 1}).violations == 1);  // department 0 alone in a bay: its area 8 is below 12
    // All departments are in one bay: its area 24 is above 12, the limit for departments 0 and 2.
    CHECK(example.evaluate({0, 1, 2}, {0, 0}).violations == 2);
    example.view.penalty = kFbsPenaltyPower;
    const FbsResult<double> bad = example.evaluate({0, 1, 2}, {0, 0});
    CHECK(bad.objective == bad.cost * 9);
}

TEST_CASE("pairs fold as 32 strided partial sums, then in halves") {
    std::vector<FbsSums<double>> partial(kFbsLanes);
    double tree[kFbsLanes];
    for (std::uint32_t lane = 0; lane < kFbsLanes; ++lane) {
        tree[lane] = static_cast<double>(draw(1, 2, 3, 4, lane)) * 1e-3;
        partial[lane] = {{tree[lane], -tree[lane]}};
    }
    fbs_fold(partial.data());
    for (std::uint32_t half = 16; half > 0; half /= 2) {
        for (std::uint32_t lane = 0; lane < half; ++lane) tree[lane] = tree[lane] + tree[lane + half];
    }
    CHECK(partial[0].sum[0] == tree[0]);
    CHECK(partial[0].sum[1] == -tree[0]);
}
