// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/offers.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace qapfw;
using namespace qapfw::framework;

TEST_CASE("of offered solutions the best one waits until it is taken") {
    CostSpace costs;
    costs.kind = QAPFW_COST_INT64;
    Offers offers(costs, 2);
    CHECK(!offers.take());
    offers.put("bb", {.i = 7});
    offers.put("aa", {.i = 5});
    offers.put("cc", {.i = 5});
    offers.put("dd", {.i = 6});
    const auto taken = offers.take();
    REQUIRE(taken);
    CHECK(taken->cost.i == 5);
    CHECK(std::memcmp(taken->solution.data(), "aa", 2) == 0);
    CHECK(!offers.take());
    offers.put("ee", {.i = 9});
    CHECK(offers.take()->cost.i == 9);
}
