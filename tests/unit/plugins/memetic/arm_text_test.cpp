// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/arm_text.hpp"

#include <doctest/doctest.h>

namespace {

using namespace qapfw;
using memetic::read_arm;
using memetic::Replacement;

std::string refusal(const std::string& text) {
    try {
        read_arm(text, "here");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("an arm's words are its own keys, the others are settings of its improver") {
    const memetic::Arm arm = read_arm(
        "name=a crossover=cycle crossover_rate=0.75 align=true mutation=0.25 moves=2-9 replacement=worst elites=5 "
        "broods=3 improver=tabu iterations=4n tenure=n/4",
        "here");
    CHECK(arm.name == "a");
    CHECK(arm.crossover == kernels::Crossover::kCycle);
    CHECK(arm.crossover_rate == 0.75);
    CHECK(arm.align);
    CHECK(arm.mutation == 0.25);
    CHECK(arm.least_moves == 2);
    CHECK(arm.most_moves == 9);
    CHECK(arm.replacement == Replacement::kWorst);
    CHECK(arm.elites == 5);
    CHECK(arm.children(7) == 21);
    CHECK(arm.children(1) == 1);
    CHECK(arm.improver == "tabu");
    CHECK(arm.settings == "iterations=4n tenure=n/4");
}

TEST_CASE("an arm without crossover has children of one parent, and moves may be one number") {
    const memetic::Arm arm = read_arm("crossover=none moves=6 replacement=walk", "here");
    CHECK(!arm.crossover.has_value());
    CHECK(arm.least_moves == 6);
    CHECK(arm.most_moves == 6);
    CHECK(arm.improver.empty());
}

TEST_CASE("wrong words are refused with the place, what was wanted and what was found") {
    CHECK(refusal("crossover=zip") ==
          "here: crossover must be one of none, pmx, ox, mox, uniform, cycle and path_relinking, found \"zip\"");
    CHECK(refusal("replacement=best") == "here: replacement must be one of parent, worst and walk, found \"best\"");
    for (const char* moves : {"0", "5-2", "x", "1-", "-3", "70000"}) {
        CHECK(refusal(std::string("moves=") + moves) ==
              std::string("here: moves must be a number from 1 to 60000 or a range such as 1-4, found \"") + moves +
                  "\"");
    }
    for (const char* rate : {"1.5", "-0.1", "nan", "much"}) {
        for (const std::string key : {"mutation", "crossover_rate"}) {
            CHECK(refusal(key + "=" + rate) ==
                  "here: " + key + " must be a number from 0 to 1, found \"" + rate + "\"");
        }
    }
    for (const char* elites : {"1", "65537", "99999999999"}) {
        CHECK(refusal(std::string("elites=") + elites) ==
              std::string("here: elites must be a number from 2 to 65536, found \"") + elites + "\"");
    }
    CHECK(refusal("improver=tabu tenure=n tenure=5") == "here: key \"tenure\" is given twice");
    CHECK(refusal("moves=3 moves=4") == "here: key \"moves\" is given twice");
    CHECK(refusal("broods=0") == "here: broods must be a number from 1 to 1000, found \"0\"");
    CHECK(refusal("align=yes") == "here: align must be true or false, found \"yes\"");
    CHECK(refusal("tabu") == "here: every word must be of the form key=value, found \"tabu\"");
    CHECK(refusal("iterations=5").find("\"iterations=5\" is unknown; the keys of an arm are ") != std::string::npos);
}
