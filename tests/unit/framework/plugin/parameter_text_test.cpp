// SPDX-License-Identifier: Apache-2.0
// Values as text: numbers, lists, ranges, and the sentence about a parameter's allowed values.
#include "framework/plugin/parameter_text.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("numbers are read whole or not at all") {
    CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
    CHECK(parse_integer("+7") == 7);
    for (const char* text : {"", "7x", " 7", "9223372036854775808", "+-7", "0x10", "1.0"})
        CHECK_FALSE(parse_integer(text));
    CHECK(parse_real("0.5") == 0.5);
    CHECK(parse_real("1e-3") == 0.001);
    for (const char* text : {"", "nan", "inf", "-inf", "1e999", "0.5 ", "0.5s"}) CHECK_FALSE(parse_real(text));
    CHECK(parse_boolean("true") == true);
    CHECK_FALSE(parse_boolean("yes"));
}

TEST_CASE("a list default is read with and without quotes") {
    using List = std::vector<std::string>;
    CHECK(parse_list("") == List{});
    CHECK(parse_list("[]") == List{});
    CHECK(parse_list("[a, \"b c\"]") == List{"a", "b c"});
    for (const char* text : {"a", "[a", "[a,,b]", "[\"a]"}) CHECK_FALSE(parse_list(text));
}

TEST_CASE("the ends of a range belong to it, and no range admits everything") {
    qapfw_parameter parameter{};
    parameter.type = QAPFW_PARAMETER_INTEGER;
    CHECK(in_range(parameter, INT64_MIN));
    parameter.minimum = -2;
    parameter.maximum = 3;
    CHECK(in_range(parameter, std::int64_t{-2}));
    CHECK(in_range(parameter, std::int64_t{3}));
    CHECK_FALSE(in_range(parameter, std::int64_t{4}));
    CHECK_FALSE(in_range(parameter, 3.0000001));
    parameter.maximum = 9007199254740992.0;  // 2^53; no double equals the next integer
    CHECK_FALSE(in_range(parameter, std::int64_t{9007199254740993}));
}

TEST_CASE("what a parameter admits is said with range, alternatives and unit") {
    qapfw_parameter parameter{};
    parameter.type = QAPFW_PARAMETER_SIZE;
    parameter.minimum = 1;
    parameter.maximum = 100;
    parameter.unit = "iterations";
    parameter.flags = QAPFW_PARAMETER_AUTO;
    CHECK(wanted_value(parameter) ==
          "an integer from 1 to 100 or a size such as \"4n\" or \"n/2\" or \"auto\" (iterations)");
    qapfw_parameter choice{};
    choice.type = QAPFW_PARAMETER_CHOICE;
    choice.choices = "first|best";
    CHECK(wanted_value(choice) == "one of \"first\", \"best\"");
}

TEST_CASE("declarations of a later, longer form are found by the size the plugin gives") {
    struct Longer {
        qapfw_parameter known;
        std::uint64_t added;
    };
    const Longer table[2] = {{{"first", 1, 0, "1", 0, 0, nullptr, nullptr, nullptr, "One."}, 7},
                             {{"second", 1, 0, "2", 0, 0, nullptr, nullptr, nullptr, "Two."}, 8}};
    qapfw_component component{};
    component.parameter_count = 2;
    component.parameter_size = sizeof(Longer);
    component.parameters = &table[0].known;
    CHECK(std::string(parameter_at(component, 1).name) == "second");
}
