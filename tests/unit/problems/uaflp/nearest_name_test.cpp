// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/nearest_name.hpp"

#include <doctest/doctest.h>

using qapfw::uaflp::did_you_mean;

TEST_CASE("the nearest name is suggested, a far one never") {
    CHECK(did_you_mean("widht", {"height", "width"}) == ", did you mean \"width\"?");
    CHECK(did_you_mean("du61", {"du62", "o9"}) == ", did you mean \"du62\"?");
    CHECK(did_you_mean("zzzz", {"height", "width"}).empty());
    CHECK(did_you_mean("", {"height"}).empty());
    CHECK(did_you_mean("x", {}).empty());
}
