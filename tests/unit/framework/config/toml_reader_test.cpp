// SPDX-License-Identifier: Apache-2.0
// TOML text to nodes: types, positions, and errors with line and column.
#include "framework/config/toml_reader.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

namespace {

std::string parse_error(const std::string& text) {
    try {
        parse_toml(text, "f.toml");
    } catch (const qapfw::Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("every type of value arrives with its position") {
    const Node root = parse_toml("a = 1\nb = 0.5\n[t]\n  c = \"x\"\nd = [true, 2]\ne = 1979-05-27\n", "f.toml");
    CHECK(root.find("a")->type == Node::Type::kInteger);
    CHECK(root.find("a")->integer == 1);
    CHECK(root.find("b")->real == 0.5);
    const Node& table = *root.find("t");
    CHECK(table.find("c")->text == "x");
    CHECK(table.find("c")->where == "f.toml:4:7");
    CHECK(table.members[0].where == "f.toml:4:3");
    CHECK(table.find("d")->items.size() == 2);
    CHECK(table.find("d")->items[0].boolean);
    CHECK(table.find("e")->type == Node::Type::kOther);
    CHECK(root.find("missing") == nullptr);
}

TEST_CASE("keys keep the order of the file") {
    const Node root = parse_toml("z = 1\na = 2\nm = 3\n", "f.toml");
    REQUIRE(root.members.size() == 3);
    CHECK(root.members[0].key == "z");
    CHECK(root.members[2].key == "m");
}

TEST_CASE("what is not TOML is an error at its place") {
    CHECK(parse_error("a = 1\na = 2\n").starts_with("f.toml:2:"));
    CHECK(parse_error("[t]\n[t]\n").starts_with("f.toml:2:"));
    CHECK(parse_error("a = \n").starts_with("f.toml:1:"));
    CHECK(parse_error("blah blah").starts_with("f.toml:1:"));
    CHECK(parse_error("a = 99999999999999999999").find("not representable in 64 bits") != std::string::npos);
    CHECK(parse_error("a = \"\xFF\"").starts_with("f.toml:1:"));
    CHECK(parse_error(std::string("a = 1\0", 6)).starts_with("f.toml:1:"));
    CHECK(parse_error(std::string(1000, '[')).starts_with("f.toml:1:"));
    CHECK(parse_error("a = 1\n# b\n[[[c]]]\nd = 2\n") == "f.toml:3:1: not valid TOML: this line cannot be read");
    CHECK(parse_error("a = " + std::string(100000, '[')).starts_with("f.toml:1:"));
}

TEST_CASE("line ends of other systems and an empty text are fine") {
    CHECK(parse_toml("a = 1\r\nb = 2\r\n", "f").find("b")->where == "f:2:5");
    CHECK(parse_toml("", "f").members.empty());
    CHECK(parse_toml("\xEF\xBB\xBF"
                     "a = 1",
                     "f")
              .find("a")
              ->integer == 1);
}

TEST_CASE("a command-line value is exactly one TOML value") {
    CHECK(parse_toml_value("8", "--set a")->integer == 8);
    CHECK(parse_toml_value("[1, 2]", "--set a")->items[1].where == "--set a");
    for (const char* text : {"", "8n", "8\nb = 3", "\"x", "1 2", "8 = 9", "tabu", "60s", "truer", "infinity"})
        CHECK_FALSE(parse_toml_value(text, "--set a"));
    for (const char* text :
         {"true", "false", "inf", "nan", "0x1f", "0b1", "1e5", "true # yes", "8 # it", "1979-05-27T07:32:00Z"})
        CHECK(parse_toml_value(text, "--set a"));
}

TEST_CASE("a quoted text reads back as it was") {
    std::string all;
    for (int code = 1; code < 128; ++code) all += static_cast<char>(code);
    for (const std::string& text : {all, std::string("Schütt\"gut\\"), std::string("a\0b", 3), std::string()}) {
        CHECK(parse_toml("a = " + toml_quoted(text), "f").find("a")->text == text);
    }
}
