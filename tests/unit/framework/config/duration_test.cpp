// SPDX-License-Identifier: Apache-2.0
// Durations: numbers with units, and nothing else.
#include "framework/config/duration.hpp"

#include <doctest/doctest.h>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"

using namespace qapfw::framework;

TEST_CASE("a duration is a number with its unit, or several") {
    CHECK(parse_duration("90s") == 90);
    CHECK(parse_duration("500ms") == doctest::Approx(0.5));
    CHECK(parse_duration("1.5h") == 5400);
    CHECK(parse_duration("2m") == 120);
    CHECK(parse_duration("2 min") == 120);
    CHECK(parse_duration("36h") == 129600);
    CHECK(parse_duration("1d") == 86400);
    CHECK(parse_duration("1h30m") == 5400);
    CHECK(parse_duration(" 1h 30m ") == 5400);
    CHECK(parse_duration("0s") == 0);
    CHECK(parse_duration("1e-05s") == doctest::Approx(1e-5));
}

TEST_CASE("a text without a unit, with a sign, or beyond the limit is not a duration") {
    for (const char* text :
         {"", " ", "90", "s", "-1s", "1 week", "1H", "infs", "nans", "1e99d", "1s2", "1s,2s", "0x10s", "1e10s"}) {
        CAPTURE(text);
        CHECK_FALSE(try_parse_duration(text).has_value());
        CHECK_THROWS_AS(parse_duration(text), qapfw::Error);
    }
}
