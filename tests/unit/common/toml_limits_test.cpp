// SPDX-License-Identifier: Apache-2.0
#include "common/toml_limits.hpp"

#include <doctest/doctest.h>

using namespace qapfw::common;

namespace {

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += part;
    return text;
}

std::string message_of(const std::string& toml) {
    const auto excess = find_toml_excess(toml);
    return excess ? excess->message : "";
}

}  // namespace

TEST_CASE("an ordinary document keeps to the bounds of TOML from strangers") {
    CHECK(message_of("[a.b]\nc = [1.5, 2.5, 3.5, 4.5]\n# a.a.a = \"\n\"x.y\" = '''a = [[[['''\n").empty());
    CHECK(message_of("x = \"" + repeated("a.", 1000) + "\"\n").empty());
    CHECK(message_of("x = \"" + repeated("\\\"[", 1000) + "\"\n").empty());
    CHECK(message_of("x = [" + repeated("1.5, ", 1000) + "]\n").empty());
    CHECK(message_of(repeated("a.b = 1\n", 5000)).empty());
}

TEST_CASE("depth, keys and size of TOML from strangers are bounded, with the place") {
    CHECK(message_of("[" + repeated("a.", 10000) + "a]\n") == "there must be at most 16 parts of a key, found 17");
    CHECK(message_of(repeated("a.", 10000) + "a = 1\n") == "there must be at most 16 parts of a key, found 17");
    CHECK(message_of("[" + repeated("\"a\".", 10000) + "a]\n") == "there must be at most 16 parts of a key, found 17");
    CHECK(message_of("a = " + repeated("[", 10000)) == "there must be at most 64 brackets within each other, found 65");
    CHECK(message_of("a = " + repeated("{a=", 10000)) ==
          "there must be at most 64 brackets within each other, found 65");
    CHECK(message_of(repeated("a=1\n", 10001)) == "there must be at most 10000 keys, found 10001");
    CHECK(message_of(repeated("# long comment\n", 100000)).find("1048576 bytes, found") != std::string::npos);
    const auto excess = find_toml_excess("a = 1\nb = [\n  '" + std::string("\0", 1) + "'\n" + std::string("\0", 1));
    REQUIRE(excess);
    CHECK(excess->line == 4);
    CHECK(excess->message == "found a zero byte, which no text has");
}
