// SPDX-License-Identifier: Apache-2.0
// check_parameters: the message about a wrong declaration names the parameter.
#include <doctest/doctest.h>

#include <cmath>

#include "framework/plugin/descriptor.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;
using qapfw::test::contains;

namespace {

std::string check(qapfw_parameter parameter, std::uint32_t kind = QAPFW_KIND_SOLVER) {
    const SampleComponent sample(kind, "sample", {parameter});
    return check_parameters(sample.component);
}

constexpr auto kInteger = QAPFW_PARAMETER_INTEGER;

}  // namespace

TEST_CASE("right declarations of every type pass") {
    const SampleComponent sample(QAPFW_KIND_SOLVER, "sample",
                                 {sample_parameter("integer", kInteger, "-3", -5, 5),
                                  sample_parameter("real", QAPFW_PARAMETER_REAL, "1e-3", 0, 1),
                                  sample_parameter("boolean", QAPFW_PARAMETER_BOOLEAN, "false"),
                                  sample_parameter("text", QAPFW_PARAMETER_TEXT, ""),
                                  sample_parameter("choice", QAPFW_PARAMETER_CHOICE, "best", 0, 0, 0, "first|best"),
                                  sample_parameter("size", QAPFW_PARAMETER_SIZE, "16n", 1, 1e9),
                                  sample_parameter("list", QAPFW_PARAMETER_LIST, "[a, b]"),
                                  sample_parameter("automatic", kInteger, "auto", 1, 9, QAPFW_PARAMETER_AUTO),
                                  sample_parameter("needed", kInteger, nullptr, 1, 9, QAPFW_PARAMETER_REQUIRED),
                                  sample_parameter("absent", QAPFW_PARAMETER_TEXT, nullptr, 0, 0,
                                                   QAPFW_PARAMETER_OPTIONAL | QAPFW_PARAMETER_PATH)});
    CHECK(check_parameters(sample.component).empty());
}

TEST_CASE("a default that is missing, of another type or out of range is refused") {
    for (const auto& wrong :
         {sample_parameter("p", kInteger, nullptr), sample_parameter("p", kInteger, "0.5"),
          sample_parameter("p", kInteger, "9", 1, 8), sample_parameter("p", kInteger, "auto"),
          sample_parameter("p", QAPFW_PARAMETER_REAL, "nan"), sample_parameter("p", QAPFW_PARAMETER_BOOLEAN, "yes"),
          sample_parameter("p", QAPFW_PARAMETER_SIZE, "0n"), sample_parameter("p", QAPFW_PARAMETER_LIST, "a"),
          sample_parameter("p", QAPFW_PARAMETER_CHOICE, "worst", 0, 0, 0, "first|best")}) {
        CAPTURE(wrong.type);
        CHECK(contains(check(wrong), "the parameter `p` is wrong: its default must be"));
    }
}

TEST_CASE("flags that contradict each other are refused") {
    CHECK(
        contains(check(sample_parameter("p", kInteger, "3", 0, 0, QAPFW_PARAMETER_REQUIRED)), "must have no default"));
    CHECK(contains(
        check(sample_parameter("p", kInteger, nullptr, 0, 0, QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_OPTIONAL)),
        "REQUIRED and OPTIONAL at once"));
    CHECK(contains(check(sample_parameter("p", kInteger, "1", 0, 0, QAPFW_PARAMETER_PATH)),
                   "PATH must be used with TEXT only"));
}

TEST_CASE("ranges must be finite and not empty, choices different and not empty") {
    CHECK(contains(check(sample_parameter("p", kInteger, "1", 5, 1)),
                   "its range must be finite and not empty, found 5 to 1"));
    CHECK(contains(check(sample_parameter("p", QAPFW_PARAMETER_REAL, "1", 0, HUGE_VAL)), "its range must be finite"));
    for (const char* choices : {"", "a||b", "a|a", "|a"}) {
        CHECK(contains(check(sample_parameter("p", QAPFW_PARAMETER_CHOICE, "a", 0, 0, 0, choices)),
                       "its choices must be"));
    }
    CHECK(contains(check(sample_parameter("p", QAPFW_PARAMETER_CHOICE, "a")), "its choices must be"));
}

TEST_CASE("names are snake_case, and the framework's own keys are taken") {
    CHECK(contains(check(sample_parameter("Tenure", kInteger, "1")),
                   "the name of parameter 0 must be in snake_case with at most 64 characters, found \"Tenure\""));
    CHECK(contains(check(sample_parameter(nullptr, kInteger, "1")), "found none"));
    CHECK(contains(check(sample_parameter("plugin", kInteger, "1")), "no parameter may be named `plugin`"));
    CHECK(contains(check(sample_parameter("improver", kInteger, "1")), "no parameter may be named `improver`"));
    CHECK(contains(check(sample_parameter("initial", kInteger, "1"), QAPFW_KIND_PROBLEM),
                   "no parameter may be named `initial`"));
    CHECK(check(sample_parameter("initial", kInteger, "1")).empty());
}

TEST_CASE("a problem cannot have a parameter relative to its own size") {
    CHECK(contains(check(sample_parameter("p", QAPFW_PARAMETER_SIZE, "n"), QAPFW_KIND_PROBLEM), "must not be SIZE"));
}
