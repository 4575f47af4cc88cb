// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/operators/replacement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "qapfw/kernels/philox.hpp"

using namespace qapfw::kernels;

namespace {

using IntegerCosts = std::vector<std::int64_t>;

/// Few different ones, so that there are equal ones.
IntegerCosts random_costs(std::uint32_t size, std::uint32_t trial, std::uint32_t different) {
    IntegerCosts costs(size);
    for (std::uint32_t k = 0; k < size; ++k) costs[k] = draw(8, trial, k, 1, 0) % different;
    return costs;
}

}  // namespace

TEST_CASE("a child takes its parent's place if it is better, or not worse") {
    const auto replaces = [](ParentGivesWay rule, int child) {
        return child_replaces_parent(rule, child, 10, std::less<>());
    };
    CHECK(replaces(ParentGivesWay::kToBetter, 9));
    CHECK_FALSE(replaces(ParentGivesWay::kToBetter, 10));
    CHECK_FALSE(replaces(ParentGivesWay::kToBetter, 11));
    CHECK(replaces(ParentGivesWay::kToNotWorse, 9));
    CHECK(replaces(ParentGivesWay::kToNotWorse, 10));
    CHECK_FALSE(replaces(ParentGivesWay::kToNotWorse, 11));
}

TEST_CASE("the best parents take the places of the worst children, as sorting both says") {
    for (const std::uint32_t size : {1u, 2u, 7u, 30u}) {
        for (std::uint32_t trial = 0; trial < 30; ++trial) {
            const IntegerCosts parents = random_costs(size, 2 * trial, 6),
                               children = random_costs(size, 2 * trial + 1, 6);
            const std::uint32_t elites = trial % (size + 1);
            std::vector<std::uint32_t> best(size), worst(size), expected(size, kNoMember);
            std::iota(best.begin(), best.end(), 0u);
            std::iota(worst.begin(), worst.end(), 0u);
            std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) { return parents[a] < parents[b]; });
            std::stable_sort(worst.begin(), worst.end(), [&](auto a, auto b) { return children[a] < children[b]; });
            std::reverse(worst.begin(), worst.end());
            for (std::uint32_t e = 0; e < elites; ++e) expected[worst[e]] = best[e];
            for (std::uint32_t place = 0; place < size; ++place) {
                CHECK(elite_for_place(parents.data(), children.data(), size, elites, std::less<>(), place) ==
                      expected[place]);
            }
        }
    }
}

TEST_CASE("of parents and children the best of different costs live, then the best of the others") {
    for (const std::uint32_t size : {1u, 2u, 7u, 30u}) {
        for (std::uint32_t trial = 0; trial < 30; ++trial) {
            IntegerCosts costs = random_costs(2 * size, trial, trial % 2 == 0 ? 5 : 1000);
            const auto cost = [&](std::uint32_t c) { return costs[c]; };
            std::vector<std::uint32_t> sorted(2 * size), who(size);
            for (std::uint32_t c = 0; c < 2 * size; ++c) sorted[rank_of(cost, std::less<>(), c, 2 * size)] = c;
            for (std::uint32_t c = 1; c < 2 * size; ++c) {
                CHECK(costs[sorted[c - 1]] <= costs[sorted[c]]);
                if (costs[sorted[c - 1]] == costs[sorted[c]]) CHECK(sorted[c - 1] < sorted[c]);
            }
            mark_distinct(cost, std::equal_to<>(), sorted.data(), size);
            std::vector<std::uint8_t> lives(2 * size);
            std::uint32_t living = 0;
            std::set<std::int64_t> seen;
            for (const std::uint32_t c : sorted) {
                lives[c & ~kLives] = static_cast<std::uint8_t>(c >> 31);
                living += lives[c & ~kLives];
                if (lives[c & ~kLives] != 0) seen.insert(costs[c & ~kLives]);
            }
            CHECK(living == size);
            const std::set<std::int64_t> different(costs.begin(), costs.end());
            CHECK(seen.size() == std::min<std::size_t>(different.size(), size));
            CHECK(*seen.begin() == *different.begin());
            take_places(lives.data(), who.data(), size);
            for (std::uint32_t place = 0; place < size; ++place) {
                if (lives[place] != 0) CHECK(who[place] == place);
                CHECK(lives[who[place]] == 1);
            }
            CHECK(std::set<std::uint32_t>(who.begin(), who.end()).size() == size);
        }
    }
}
