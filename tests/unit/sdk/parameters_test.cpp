// SPDX-License-Identifier: Apache-2.0
// Tests declared parameters in the C interface, and mistakes in reading them. Mistakes in declarations do not compile;
// tests/structure/check_parameter_mistakes.sh tests this.
#include "qapfw/sdk/parameters.hpp"

#include <string>

#include "doctest/doctest.h"
#include "qapfw/sdk/problem.hpp"

using namespace qapfw;

namespace {

constexpr sdk::ParameterDeclaration kShared = sdk::size("shared", "n/4").summary("Used by two tables.");

struct Declared {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("size", 128).range(1, 1'000'000).unit("individuals").symbol("N").summary("Individuals."),
        sdk::integer("least", -9'223'372'036'854'775'807 - 1).summary("The least integer."),
        sdk::real("rate", 0.005).range(0, 1).summary("A rate."),
        sdk::real("tolerance", 1e-6).summary("A small number."),
        sdk::choice("crossover", "ox", "pmx|ox").summary("A choice."),
        sdk::flag("align", true).summary("A flag."),
        sdk::size("round").or_auto().range(1, 1e9).summary("Auto."),
        sdk::size("limit", 0).summary("A size that is an integer."),
        sdk::text("instance").required().path().summary("A file."),
        sdk::list("offsets").optional().summary("Texts."),
        sdk::integer("searches", 16).or_auto().summary("Auto, and another default."),
        kShared};
};

struct Plain {
    static constexpr qapfw_parameter kParameters[] = {
        {"n", QAPFW_PARAMETER_INTEGER, 0, "9", 1, 10, nullptr, nullptr, nullptr, "As in C."}};
};

/// Values for the parameters of Declared.
struct Values {
    Values() {
        for (qapfw_value& value : values) value.present = 1;
        values[0].integer = 7;
        values[2].real = 0.25;
        values[4].integer = 1;
        values[4].text = "ox";
        values[5].integer = 1;
        values[6].is_auto = 1;
        values[9].present = 0;
    }
    sdk::Parameters parameters() {
        c = {sizeof c, 12, values};
        return {Declared::kParameters.data(), 12, &c};
    }
    qapfw_value values[12]{};
    qapfw_parameters c{};
};

std::string refusal(auto&& read) {
    try {
        read();
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kInternal);
        return error.what();
    }
    return "";
}

std::string default_of(const sdk::ParameterDeclaration& declaration) {
    char digits[sdk::ParameterDeclaration::kMostDigits]{};
    return declaration.summary("For a test.").finish(digits).default_text;
}

}  // namespace

TEST_CASE("a declared parameter is the C struct that stands for it") {
    const auto& table = Declared::kParameters;
    REQUIRE(table.size() == 12);
    CHECK(std::string(table[0].name) == "size");
    CHECK(table[0].type == QAPFW_PARAMETER_INTEGER);
    CHECK(table[0].flags == 0);
    CHECK(std::string(table[0].default_text) == "128");
    CHECK(table[0].minimum == 1);
    CHECK(table[0].maximum == 1'000'000);
    CHECK(table[0].choices == nullptr);
    CHECK(std::string(table[0].unit) == "individuals");
    CHECK(std::string(table[0].symbol) == "N");
    CHECK(std::string(table[0].summary) == "Individuals.");
    CHECK(std::string(table[4].choices) == "pmx|ox");
    CHECK(std::string(table[6].default_text) == "auto");
    CHECK(table[6].flags == QAPFW_PARAMETER_AUTO);
    CHECK(table[8].flags == (QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_PATH));
    CHECK(table[8].default_text == nullptr);
    CHECK(table[9].type == QAPFW_PARAMETER_LIST);
    CHECK(std::string(table[10].default_text) == "16");
    CHECK(std::string(table[11].name) == "shared");
}

TEST_CASE("defaults are the shortest texts of their numbers") {
    CHECK(default_of(sdk::integer("x", 0)) == "0");
    CHECK(std::string(Declared::kParameters[1].default_text) == "-9223372036854775808");
    CHECK(default_of(sdk::real("x", 0)) == "0");
    CHECK(default_of(sdk::real("x", 0.999)) == "0.999");
    CHECK(default_of(sdk::real("x", -2.5)) == "-2.5");
    CHECK(refusal([] { (void)default_of(sdk::real("x", 0.1 + 0.2)); }) ==
          "the declaration of parameter 'x' is wrong: its default is not finite or needs more than 15 digits");
    CHECK(default_of(sdk::real("x", 1e-6)) == "1e-6");
    CHECK(default_of(sdk::real("x", 123456789.25)) == "123456789.25");
    for (const double value : {0.7, 0.6, 0.005, 1e-9, 0.0001, 3.0, 1e12, 0.3333}) {
        CHECK(std::stod(default_of(sdk::real("x", value))) == value);
    }
}

TEST_CASE("a component may declare its table as in C, or nothing at all") {
    CHECK(sdk::parameter_count<Declared>() == 12);
    CHECK(sdk::parameter_table<Declared>() == &Declared::kParameters[0]);
    CHECK(sdk::parameter_count<Plain>() == 1);
    CHECK(sdk::parameter_table<Plain>() == Plain::kParameters);
    CHECK(sdk::parameter_count<int>() == 0);
}

TEST_CASE("a parameter is read as the type that it was declared as") {
    Values values;
    const sdk::Parameters parameters = values.parameters();
    CHECK(parameters.integer("size") == 7);
    CHECK(parameters.real("rate") == 0.25);
    CHECK(parameters.choice("crossover") == 1);
    CHECK(parameters.text("crossover") == "ox");
    CHECK(parameters.boolean("align"));
    CHECK(parameters.integer("limit") == 0);
    CHECK(parameters.is_auto("round"));
    CHECK_FALSE(parameters.present("offsets"));
    CHECK(parameters.list("offsets").empty());
}

TEST_CASE("a parameter that is read as another type is refused with both types") {
    Values values;
    const sdk::Parameters parameters = values.parameters();
    CHECK(refusal([&] { (void)parameters.choice("size"); }) ==
          "parameter 'size' is declared as an integer and was read as a choice");
    CHECK(refusal([&] { (void)parameters.integer("rate"); }) ==
          "parameter 'rate' is declared as a real number and was read as an integer");
    CHECK(refusal([&] { (void)parameters.real("size"); }) ==
          "parameter 'size' is declared as an integer and was read as a real number");
    CHECK(refusal([&] { (void)parameters.boolean("crossover"); }) ==
          "parameter 'crossover' is declared as a choice and was read as a flag");
    CHECK(refusal([&] { (void)parameters.text("offsets"); }) ==
          "parameter 'offsets' is declared as a list and was read as a text");
    CHECK(refusal([&] { (void)parameters.list("align"); }) ==
          "parameter 'align' is declared as a flag and was read as a list");
    CHECK(refusal([&] { (void)parameters.integer("sise"); }) == "parameter 'sise' was never declared");
}

TEST_CASE("a number that is auto or absent is refused instead of read as 0") {
    Values values;
    values.values[0].present = 0;
    const sdk::Parameters parameters = values.parameters();
    CHECK(refusal([&] { (void)parameters.integer("round"); }) ==
          "parameter 'round' is auto: ask is_auto() before reading it");
    CHECK(refusal([&] { (void)parameters.integer("size"); }) ==
          "parameter 'size' is absent: ask present() before reading it");
}
