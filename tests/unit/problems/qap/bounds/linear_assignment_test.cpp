// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/linear_assignment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using qapfw::qap::LinearAssignment;

namespace {

int64_t brute_force(const std::vector<int64_t>& costs, std::size_t n, std::size_t stride) {
    std::vector<std::size_t> p(n);
    std::iota(p.begin(), p.end(), std::size_t{0});
    int64_t least = std::numeric_limits<int64_t>::max();
    do {
        int64_t sum = 0;
        for (std::size_t r = 0; r < n; ++r) sum += costs[r * stride + p[r]];
        least = std::min(least, sum);
    } while (std::next_permutation(p.begin(), p.end()));
    return least;
}

}  // namespace

TEST_CASE("a linear assignment has the least cost, and its duals prove it") {
    std::mt19937_64 random(3);
    LinearAssignment assignment;
    for (int round = 0; round < 600; ++round) {
        const std::size_t n = 1 + random() % 7, stride = n + random() % 3;
        const int64_t range = round % 3 == 0 ? 2 : round % 3 == 1 ? 50 : int64_t{1} << 50;
        std::vector<int64_t> costs(n * stride);
        for (int64_t& cost : costs) cost = static_cast<int64_t>(random() % static_cast<uint64_t>(range)) - range / 3;
        const std::vector<int64_t> given = costs;
        const int64_t found = assignment.reduce(costs.data(), n, stride);
        REQUIRE(found == brute_force(given, n, stride));
        int64_t sum = 0;
        std::vector<uint32_t> columns = assignment.columns();
        for (std::size_t r = 0; r < n; ++r) {
            sum += given[r * stride + columns[r]];
            CHECK(costs[r * stride + columns[r]] == 0);
            for (std::size_t c = 0; c < n; ++c) CHECK(costs[r * stride + c] >= 0);
        }
        CHECK(sum == found);
        std::sort(columns.begin(), columns.end());
        for (std::size_t c = 0; c < n; ++c) CHECK(columns[c] == c);
    }
}

TEST_CASE("an empty assignment costs nothing") {
    CHECK(LinearAssignment().reduce(nullptr, 0, 0) == 0);
}
