// SPDX-License-Identifier: Apache-2.0
#include "framework/host/substitution.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("marks are filled everywhere, and what they are filled with is not searched") {
    CHECK(with_marks_filled("@A@ and @B@ and @A@", {{"@A@", "@B@"}, {"@B@", "@A@"}}) == "@B@ and @A@ and @B@");
    CHECK(with_marks_filled("@A@@A@ @C@ @", {{"@A@", ""}}) == " @C@ @");
    CHECK(with_marks_filled("@name@x", {{"@name@", "n"}, {"@name", "other"}}) == "nx");
    CHECK(with_marks_filled("text", {}) == "text");
}

TEST_CASE("characters are replaced once") {
    CHECK(with_characters_replaced("a\\b'", {{'\\', "\\\\"}, {'\'', "\\'"}}) == "a\\\\b\\'");
    CHECK(with_characters_replaced("abc", {{'a', "b"}, {'b', "c"}}) == "bcc");
}
