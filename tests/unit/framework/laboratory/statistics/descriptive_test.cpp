// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/descriptive.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tests/unit/framework/laboratory/statistics/reference_values.hpp"

using namespace qapfw::statistics;

TEST_CASE("descriptive statistics equal R's") {
    for (const auto& c : reference::kDescriptive) {
        CAPTURE(c.name);
        const Description d = describe(c.values);
        CHECK(d.mean == doctest::Approx(c.mean).epsilon(1e-12));
        CHECK(d.median == doctest::Approx(c.median).epsilon(1e-12));
        CHECK(d.std == doctest::Approx(c.std).epsilon(1e-12));
        CHECK(d.mad == doctest::Approx(c.mad).epsilon(1e-12));
        CHECK(quantile(c.values, 0.1) == doctest::Approx(c.q10).epsilon(1e-12));
        CHECK(quantile(c.values, 0.9) == doctest::Approx(c.q90).epsilon(1e-12));
    }
}

TEST_CASE("one value, equal values and two values give no NaN and no false spread") {
    const Description one = describe(std::vector{7.5});
    CHECK(one.n == 1);
    CHECK(one.std == 0);
    CHECK(one.mad == 0);
    CHECK(one.median == 7.5);
    const Description same = describe(std::vector(9, 0.1));
    CHECK(same.std == doctest::Approx(0));
    CHECK(same.mean == 0.1);
    const Description two = describe(std::vector{1.0, 4.0});
    CHECK(two.median == 2.5);
    CHECK(two.mad == 1.5);
    CHECK(two.std == doctest::Approx(std::sqrt(4.5)));
    CHECK_THROWS_AS(describe({}), std::invalid_argument);
    CHECK_THROWS_AS(median({}), std::invalid_argument);
}

TEST_CASE("a mean of large and small numbers loses nothing") {
    CHECK(mean(std::vector{1e16, 1.0, -1e16, 1.0}) == 0.5);
}

TEST_CASE("equal values share their rank") {
    CHECK(midranks(std::vector{10.0, 20.0, 20.0, 5.0}) == std::vector<double>{2, 3.5, 3.5, 1});
    CHECK(tie_term(std::vector{1.0, 1.0, 1.0, 2.0, 2.0}) == 30);
    CHECK(midranks({}).empty());
}
