// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/csv.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

TEST_CASE("a field is quoted where it must be") {
    CHECK(csv_field("plain text") == "plain text");
    CHECK(csv_field("a,b") == "\"a,b\"");
    CHECK(csv_field("say \"so\"") == "\"say \"\"so\"\"\"");
    CHECK(csv_field("two\nlines") == "\"two\nlines\"");
    CHECK(csv_field("#1") == "\"#1\"");  // without quotes the line would be a comment
}

TEST_CASE("a text that a spreadsheet would calculate with is marked, a number is not") {
    for (const char* text :
         {"=1+1", "+cmd|'/c calc'!A0", "-x", "@SUM(A1)", "＝1", "＋a", "－a", "＠a", "-", "=", "''=x"})
        CHECK_MESSAGE(csv_field(text).find('\'') == 0, text);
    CHECK(csv_field("\tx") == "\"'\tx\"");
    CHECK(csv_field("\rx") == "\"'\rx\"");
    for (const char* number : {"-1", "+1", "-1.5e-07", "-Inf", "0", "1e5", "a-b", "T+1", "'quoted'"})
        CHECK(csv_field(number) == number);
}

TEST_CASE("what was written is read as it was") {
    const std::vector<std::string> texts{"=1+1",  "'=1+1", "''-x", "'a'", "-1.5",       "#x", "a,b",
                                         "\"q\"", "\tt",   "\r",   "",    "two\nlines", ";",  "＝"};
    const auto rows = parse_csv(csv_line(texts), "t");
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().fields == texts);
}
