// SPDX-License-Identifier: Apache-2.0
#include "framework/host/quantities.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("durations and counts are short and readable") {
    CHECK(format_duration(0.25) == "0.25 s");
    CHECK(format_duration(12.34) == "12.3 s");
    CHECK(format_duration(60) == "1 m 00 s");
    CHECK(format_duration(245) == "4 m 05 s");
    CHECK(format_duration(36 * 3600 + 600) == "36 h 10 m");
    CHECK(format_count(740000) == "740 k");
    CHECK(format_count(1250000) == "1.25 M");
    CHECK(format_count(12) == "12");
}
