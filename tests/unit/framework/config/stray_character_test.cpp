// SPDX-License-Identifier: Apache-2.0
// Characters beyond ASCII are allowed in texts and comments, and reported everywhere else.
#include "framework/config/stray_character.hpp"

#include <doctest/doctest.h>

#include "tests/unit/framework/config/sample_registry.hpp"

using qapfw::framework::find_stray_character;

TEST_CASE("texts and comments may hold any character") {
    for (const char* right :
         {"", "a = 1", "\xEF\xBB\xBF# ü", "a = \"ü\" # ü", "a = 'ü\\' # ü", "a = \"\\\"ü\" # ü",
          "a = \"\"\"\nü\"ü\"\"ü\\\"\"\" \"\"\" # ü", "a = '''\nü'ü''' # ü", "a = \"\"\"x\"\"\"\"\" # ü",
          "a = \"\" # ü", "a = '' # 'ü", "\"ü\" = 1", "a = \"open ü\nb = 1"}) {
        CAPTURE(right);
        CHECK_FALSE(find_stray_character(right).has_value());
    }
}

TEST_CASE("any other place is found by line and column in characters") {
    CHECK(find_stray_character("ü = 1")->column == 1);
    const auto second = find_stray_character("a = 'üü'\nb = \"ü\"ü");
    REQUIRE(second.has_value());
    CHECK(second->line == 2);
    CHECK(second->column == 8);
    for (const char* wrong :
         {"a = ü", "a = \"x\"ü", "a = '''x'''ü", "a = \"\"\"x\"\"\"\"\"ü", "a = 1\xEF\xBB\xBF", "# x\nü"}) {
        CAPTURE(wrong);
        CHECK(find_stray_character(wrong).has_value());
    }
}

TEST_CASE("a configuration with such a character is refused at its place") {
    CHECK(qapfw::framework::testing::check_error("[problem]\n  \xEF\xBB\x97plugin = \"qap\"\n") ==
          "run.toml:2:3: not valid TOML: only ASCII characters may stand outside of quotes and comments, found another "
          "one");
    const auto config = qapfw::framework::testing::check_text(qapfw::framework::testing::after_right(""),
                                                              {{"problem.instance", "größe"}});
    CHECK(config.problem.parameters.values()[0].text == "größe");
}
