// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/document.hpp"

#include <doctest/doctest.h>

#include <string>

#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using qapfw::uaflp::test::message_of;

namespace {

std::string place(const Node& node) {
    return std::to_string(node.position.line) + ":" + std::to_string(node.position.column);
}

}  // namespace

TEST_CASE("a JSON document knows the place of every value and key") {
    const std::string text =
        "{\n"
        "  \"a\": [1, -2.5e3,\n"
        "        \"x\\\"y\\\\\", true, null],\n"
        "  \"b\" : { \"c\":3 }\n"
        "}\n";
    const Node root = parse_document(text, Syntax::kJson, "f.json");
    REQUIRE(root.kind == Node::Kind::kTable);
    CHECK(place(root) == "1:1");
    CHECK(root.key_positions[0].line == 2);
    CHECK(root.key_positions[0].column == 3);
    const Node& a = *root.find("a");
    CHECK(place(a) == "2:8");
    REQUIRE(a.items.size() == 5);
    CHECK(place(a.items[0]) == "2:9");
    CHECK(a.items[0].is_integer);
    CHECK(place(a.items[1]) == "2:12");
    CHECK(a.items[1].number == -2500.0);
    CHECK(place(a.items[2]) == "3:9");
    CHECK(a.items[2].text == "x\"y\\");
    CHECK(place(a.items[3]) == "3:19");
    CHECK(a.items[3].boolean);
    CHECK(place(a.items[4]) == "3:25");
    CHECK(place(*root.find("b")->find("c")) == "4:15");
    CHECK(place(parse_document("  42", Syntax::kJson, "f.json")) == "1:3");
}

TEST_CASE("a TOML document knows the place of every value and key") {
    const Node root = parse_document("x = 1.5\n[t]\n  y = [1, 'z']\n", Syntax::kToml, "f.toml");
    CHECK(place(*root.find("x")) == "1:5");
    CHECK(root.find("t")->find("y")->items[1].text == "z");
    CHECK(place(root.find("t")->find("y")->items[1]) == "3:11");
    CHECK(root.find("t")->key_positions[0].column == 3);
}

TEST_CASE("malformed text is refused with its place") {
    CHECK(
        message_of([] { parse_document("{\"a\": 1,\n \"b\" 2}", Syntax::kJson, "f.json"); }).starts_with("f.json:2:"));
    CHECK(message_of([] { parse_document("", Syntax::kJson, "f.json"); }).starts_with("f.json:1:1: not JSON"));
    CHECK(message_of([] {
              parse_document("{\"a\": NaN}", Syntax::kJson, "f.json");
          }).starts_with("f.json:1:7: not JSON"));
    CHECK(message_of([] { parse_document("{\"a\": 1e999}", Syntax::kJson, "f.json"); }).starts_with("f.json:1:"));
    CHECK(message_of([] {
              parse_document("a = 1\nb = = 2\n", Syntax::kToml, "f.toml");
          }).starts_with("f.toml:2:5: not TOML"));
    CHECK(message_of([] {
              parse_document("a = 1979-05-27\n", Syntax::kToml, "f.toml");
          }).starts_with("f.toml:1:5: found a date"));
}

TEST_CASE("texts that toml++ takes for impossible are refused with their line") {
    CHECK(message_of([] { parse_document("a = 1\n[[[a]]]\nb = 2\n", Syntax::kToml, "f.toml"); }) ==
          "f.toml:2:1: not TOML: this line cannot be parsed");
    CHECK(message_of([] { parse_document("[[`a]]", Syntax::kToml, "f.toml"); }).starts_with("f.toml:1:1: not TOML"));
    CHECK(message_of([] {
              parse_document("a = 1\n\xEF\xAC\xA6 = 2\n", Syntax::kToml, "f.toml");
          }).starts_with("f.toml:2:1: not TOML"));
}

TEST_CASE("a key that stands twice is refused with both places") {
    const std::string message = message_of([] { parse_document("{\"a\": 1,\n\"a\": 2}", Syntax::kJson, "f.json"); });
    CHECK(message == "f.json:2:1: key \"a\" is listed twice, first in line 1");
    CHECK(message_of([] { parse_document("a = 1\na = 2\n", Syntax::kToml, "f.toml"); }).starts_with("f.toml:2:"));
}

TEST_CASE("deep nesting is refused before it can exhaust the stack") {
    const std::string deep = std::string(100000, '[');
    CHECK(message_of([&] { parse_document(deep, Syntax::kJson, "f.json"); }).find("nest too deeply") !=
          std::string::npos);
    CHECK(message_of([&] { parse_document("a = " + deep, Syntax::kToml, "f.toml"); }).starts_with("f.toml:1:"));
}

TEST_CASE("the syntax follows from the file's name") {
    CHECK(syntax_of("o9.json") == Syntax::kJson);
    CHECK(syntax_of("O9.JSON") == Syntax::kJson);
    CHECK(syntax_of("o9.toml") == Syntax::kToml);
    CHECK(syntax_of("o9") == Syntax::kToml);
}
