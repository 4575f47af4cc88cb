// SPDX-License-Identifier: Apache-2.0
#include "common/xml_text.hpp"

#include <doctest/doctest.h>

using qapfw::common::xml_character_bytes;

TEST_CASE("characters that XML may hold are told from all other bytes") {
    CHECK(xml_character_bytes("a") == 1);
    CHECK(xml_character_bytes("\u00e9!") == 2);
    CHECK(xml_character_bytes("\u6f06") == 3);
    CHECK(xml_character_bytes("\U0001F600") == 4);
    CHECK(xml_character_bytes("\xf4\x8f\xbf\xbf") == 4);  // U+10FFFF
    for (const char* text : {"\x01", "\x7f", "\x80", "\xc3", "\xc3(", "\xc0\xbc", "\xe0\x80\xbc", "\xed\xa0\x80",
                             "\xef\xbf\xbe", "\xef\xbf\xbf", "\xf4\x90\x80\x80", "\xf7\xbf\xbf\xbf", "\xff"}) {
        CAPTURE(text);
        CHECK(xml_character_bytes(text) == 0);
    }
}
