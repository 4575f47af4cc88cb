// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/size_form.hpp"

#include <doctest/doctest.h>

using qapfw::sdk::SizeForm;

TEST_CASE("a size form is [int] n [/ int], rounded down and at least 1") {
    CHECK(SizeForm::parse("n")->of(30) == 30);
    CHECK(SizeForm::parse("16n")->of(30) == 480);
    CHECK(SizeForm::parse("n/4")->of(30) == 7);
    CHECK(SizeForm::parse("3n/2")->of(5) == 7);
    CHECK(SizeForm::parse(" 3 n / 2 ")->of(5) == 7);
    CHECK(SizeForm::parse("n/100")->of(30) == 1);
    CHECK(SizeForm::parse("1000000000n")->of(4294967295U) == 4294967295000000000);
}

TEST_CASE("any other text is not a size form") {
    for (const char* text : {"", "16", "nn", "n n", "0n", "-3n", "+-3n", "n/0", "n/", "/2", "1.5n", "n*2", "16m",
                             "2000000000n", "n/2/2", "99999999999999999999n", "n/-2", "tenure"}) {
        CAPTURE(text);
        CHECK_FALSE(SizeForm::parse(text).has_value());
    }
}
