// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/exact_cost.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

QapMatrices random_matrices(uint32_t n, int64_t least, int64_t greatest, std::mt19937_64& random) {
    std::uniform_int_distribution<int64_t> entry(least, greatest);
    QapMatrices out{n, std::vector<int64_t>(std::size_t{n} * n), std::vector<int64_t>(std::size_t{n} * n)};
    for (int64_t& x : out.a) x = entry(random);
    for (int64_t& x : out.b) x = entry(random);
    return out;
}

}  // namespace

TEST_CASE("the cost is the sum of a_ij b_p(i)p(j), diagonal and asymmetry included") {
    const QapMatrices matrices{3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, -20, 30, 40, 50, -60, 70, 80, 90}};
    const std::vector<uint16_t> p{2, 0, 1};
    int64_t expected = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) expected += matrices.a[i * 3 + j] * matrices.b[p[i] * 3u + p[j]];
    }
    CHECK(evaluate(matrices, p.data()) == expected);
    CHECK(expected == 1 * 90 + 2 * 70 + 3 * 80 + 4 * 30 + 5 * 10 + 6 * -20 + 7 * -60 + 8 * 40 + 9 * 50);
}

TEST_CASE("the bounds hold for every permutation of small instances") {
    std::mt19937_64 random(7);
    for (int round = 0; round < 30; ++round) {
        const QapMatrices matrices =
            random_matrices(static_cast<uint32_t>(1 + round % 6), round % 2 == 0 ? -9 : 0, 9, random);
        const CostBounds bounds = cost_bounds(matrices, "r");
        std::vector<uint16_t> p(matrices.n);
        std::iota(p.begin(), p.end(), uint16_t{0});
        do {
            const int64_t cost = evaluate(matrices, p.data());
            CHECK(bounds.lower <= cost);
            CHECK(cost <= bounds.upper);
            CHECK(std::abs(cost) <= bounds.magnitude);
        } while (std::next_permutation(p.begin(), p.end()));
    }
}

TEST_CASE("the bounds of one facility are its cost") {
    const CostBounds bounds = cost_bounds({1, {-7}, {3}}, "one");
    CHECK(bounds.lower == -21);
    CHECK(bounds.upper == -21);
    CHECK(bounds.magnitude == 21);
}

TEST_CASE("overflow is decided from the data, at the limit and beyond it") {
    constexpr int64_t kHalf = int64_t{1} << 31;
    CHECK(cost_bounds({1, {kHalf - 1}, {kHalf + 1}}, "x").upper == kCostLimit);
    CHECK_REFUSED(cost_bounds({1, {kHalf}, {kHalf}}, "x"), "x: ", "too large for exact 64-bit costs");
    // The costs of the two permutations would be 2^62 and -2^62.
    CHECK_REFUSED(cost_bounds({2, {0, kHalf, -kHalf, 0}, {0, kHalf / 2, -kHalf / 2, 0}}, "x"), "x: ", "too large");
    CHECK_REFUSED(cost_bounds({1, {kHalf}, {kHalf + 1}}, "x"), "x: ", "too large for exact 64-bit costs");
    CHECK_REFUSED(cost_bounds({1, {INT64_MIN}, {INT64_MIN}}, "x"), "x: ", "too large");
    CHECK_REFUSED(cost_bounds({1, {INT64_MAX}, {INT64_MIN}}, "x"), "x: ", "too large");
    CHECK(cost_bounds({1, {INT64_MIN}, {0}}, "x").magnitude == 0);
    // A partial sum that is too large must be found, even if later terms of another sign reduce it.
    CHECK_REFUSED(cost_bounds({2, {0, kHalf, -kHalf, 0}, {0, kHalf, kHalf, 0}}, "x"), "x: ", "too large");
}

TEST_CASE("costs near the limit are exact") {
    const int64_t big = 1'500'000'000;
    const QapMatrices matrices{2, {0, big, -big + 1, 0}, {0, big - 2, big - 7, 0}};
    const CostBounds bounds = cost_bounds(matrices, "x");
    const std::vector<uint16_t> p{0, 1};
    const std::vector<uint16_t> q{1, 0};
    CHECK(evaluate(matrices, p.data()) == big * (big - 2) + (1 - big) * (big - 7));
    CHECK(evaluate(matrices, q.data()) == big * (big - 7) + (1 - big) * (big - 2));
    CHECK(bounds.magnitude <= kCostLimit);
}
