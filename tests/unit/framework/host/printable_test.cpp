// SPDX-License-Identifier: Apache-2.0
#include "framework/host/printable.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("visible text in any script passes as it is") {
    for (const char* text : {"", "tai60a", "größe 5 µs", "日本語", "a \\x1b b"}) CHECK(printable(text) == text);
}

TEST_CASE("characters that act on a terminal are written out") {
    CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
    CHECK(printable("a\nb\tc\r\x7f") == "a\\nb\\x09c\\x0d\\x7f");
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\x9b31m");  // a C1 control character
    CHECK(printable("\xe2\x80\xae"
                    "dlrow") == "\\u202edlrow");                       // the right-to-left override
    CHECK(printable("\xff\xc3(\xc0\xaf") == "\\xff\\xc3(\\xc0\\xaf");  // not UTF-8
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");             // half of a surrogate pair
    CHECK(printable(std::string("\0a", 2)) == "\\x00a");
}

TEST_CASE("a message has further lines only if the program wrote them") {
    CHECK(printable_message("changed:\n  - a\n  + b") == "changed:\n  - a\n  + b");
    CHECK(printable_message("no file \"x\nqapfw: all is well\"") == "no file \"x\\nqapfw: all is well\"");
    CHECK(printable_lines("a\nb\x1b") == "a\nb\\x1b");
}
