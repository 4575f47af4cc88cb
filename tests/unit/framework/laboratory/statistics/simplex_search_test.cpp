// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/simplex_search.hpp"

#include <doctest/doctest.h>

using namespace qapfw::statistics;

TEST_CASE("the lowest point of a curved valley is found") {
    const Point found = minimum(
        [](const Point& p) {
            const double across = p[1] - p[0] * p[0];
            return 100 * across * across + (1 - p[0]) * (1 - p[0]);
        },
        {-1.2, 1});
    CHECK(found[0] == doctest::Approx(1).epsilon(1e-6));
    CHECK(found[1] == doctest::Approx(1).epsilon(1e-6));
}
