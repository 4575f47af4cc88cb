// SPDX-License-Identifier: Apache-2.0
#include "common/text_cursor.hpp"

#include <doctest/doctest.h>

#include <string>

#include "qapfw/error.hpp"

namespace qapfw::common {
namespace {

std::string whole_number_refusal(const std::string& text) {
    TextCursor cursor(text, "f");
    cursor.next_line('\0', true);
    try {
        cursor.whole_number("a weight");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("whole numbers may have a point or an exponent") {
    for (const char* text : {"3", "3.0", "30e-1"}) {
        TextCursor cursor(text, "f");
        cursor.next_line('\0', true);
        CHECK(cursor.whole_number("a weight") == 3);
    }
}

TEST_CASE("only where a number was found does the refusal propose to multiply") {
    CHECK(whole_number_refusal("0.5").find("found \"0.5\"; multiply all weights until they are whole") !=
          std::string::npos);
    for (const char* text : {"abc", "0.5x", "inf", "nan", "-"}) {
        CAPTURE(text);
        CHECK(whole_number_refusal(text).find("a weight was wanted, a whole number; found \"") != std::string::npos);
        CHECK(whole_number_refusal(text).find("multiply") == std::string::npos);
    }
    for (const char* text : {"1,5", "1,234", "1.234.000", "1'000"}) {
        CAPTURE(text);
        CHECK(whole_number_refusal(text).find("write it without thousands separators; if it has decimals, multiply") !=
              std::string::npos);
    }
}

}  // namespace
}  // namespace qapfw::common
