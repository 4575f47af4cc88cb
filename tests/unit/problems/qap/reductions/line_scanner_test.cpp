// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/line_scanner.hpp"

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

TEST_CASE("tokens come one by one, with one ahead, or as the rest of a line") {
    const std::string source = "s";
    LineScanner lines("\n a b  c\r\n\nd", source);
    REQUIRE(lines.peek().has_value());
    CHECK(lines.peek()->text == "a");
    const Token first = *lines.next();
    CHECK((first.at.line == 2 && first.at.column == 2));
    const std::vector<Token> rest = lines.rest_of_line(first);
    REQUIRE(rest.size() == 2);
    CHECK(rest[1].text == "c");
    CHECK(lines.rest_of_line(first).empty());
    CHECK((lines.position().line == 4 && lines.position().column == 1));
    CHECK(lines.next()->text == "d");
    CHECK_FALSE(lines.next().has_value());
    CHECK_FALSE(lines.peek().has_value());
    CHECK(lines.position().column == 2);
}

TEST_CASE("whole numbers in a range, or a message") {
    const auto parse = [](const char* text) { return parse_whole({text, {3, 5}}, "s", "a price", -2, 7); };
    CHECK(parse("7") == 7);
    CHECK(parse("-2") == -2);
    CHECK(parse("1e0") == 1);
    CHECK_REFUSED(parse("8"), "s:3:5: ", "a price is \"8\", it must be from -2 to 7");
    CHECK_REFUSED(parse("-3"), "s:3:5: ", "from -2 to 7");
    CHECK_REFUSED(parse("1.5"), "s:3:5: ", "a price was wanted here, but \"1.5\"");
    CHECK_REFUSED(parse("x"), "s:3:5: ", "\"x\" is not a number");
    CHECK_REFUSED(parse("99999999999999999999"), "s:3:5: ", "from -2 to 7");
}
