// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/display_text.hpp"

#include <doctest/doctest.h>

using namespace qapfw::uaflp;

TEST_CASE("display width counts columns, not bytes") {
    CHECK(display_width("") == 0);
    CHECK(display_width("abc") == 3);
    CHECK(display_width("Größe") == 5);
    CHECK(display_width("\u6f06\u55b7") == 4);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("\xff\xc3") == 2);
}

TEST_CASE("a shortened text fits and never cuts a character") {
    CHECK(shortened("Press", 5) == "Press");
    CHECK(shortened("Press", 4) == "Pre~");
    CHECK(shortened("\u6f06\u55b7\u6f06", 4) == "\u6f06~");
    CHECK(shortened("Press", 1) == "~");
    CHECK(shortened("Press", 0).empty());
}

TEST_CASE("printable text has no control characters and no malformed bytes") {
    CHECK(printable("a\x1b[31m\n\x7f") == "a?[31m??");
    CHECK(printable("ok \u00e9 \u6f06") == "ok \u00e9 \u6f06");
    CHECK(printable("\xff") == "?");
    CHECK(printable("\xf7\xbf\xbf\xbf.\xc0\xbc.\xed\xa0\x80") == "?.?.?");
    CHECK(printable("\u202e\ufffe") == "??");
}
