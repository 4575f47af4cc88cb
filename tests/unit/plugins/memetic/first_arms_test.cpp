// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/first_arms.hpp"

#include <doctest/doctest.h>

#include "plugins/memetic/arms.hpp"

using namespace qapfw;
using Names = std::vector<std::string>;

namespace {

/// The rounded features of an instance of the class "terminals", with n = 105.
std::map<std::string, double> terminals() {
    return {{"sparser density", 0.05}, {"sparser skew", 5.8}, {"sparser values", 21}, {"sparser symmetric", 1},
            {"sparser rank", 1},       {"denser density", 1}, {"denser skew", 0.21},  {"denser values", 61},
            {"denser symmetric", 1},   {"denser rank", 1}};
}

memetic::Arm arm_named_ahead(const char* name, std::uint32_t ahead) {
    memetic::Arm arm;
    arm.name = name;
    arm.ahead = ahead;
    return arm;
}

}  // namespace

TEST_CASE("an instance that looks like one of a class has that class's arms first") {
    CHECK(memetic::arms_by_features(terminals()) == Names{"break", "2opt"});
}

TEST_CASE("an instance that looks like none, or tells no features, has no arm first") {
    std::map<std::string, double> uniform = terminals();
    uniform["sparser density"] = 0.99;
    CHECK(memetic::arms_by_features(uniform).empty());
    CHECK(memetic::arms_by_features({}).empty());
    std::map<std::string, double> partly = terminals();
    partly.erase("denser values");
    CHECK(memetic::arms_by_features(partly).empty());
}

TEST_CASE("arms are dealt out in turn, and those that are first have two islands more for each time they are named") {
    using Dealt = std::vector<std::uint32_t>;
    const std::vector<memetic::Arm> even = {arm_named_ahead("a", 0), arm_named_ahead("b", 0), arm_named_ahead("c", 0)};
    CHECK(memetic::dealt_arms(even) == Dealt{0, 1, 2});
    const std::vector<memetic::Arm> uneven = {arm_named_ahead("a", 0), arm_named_ahead("b", 1),
                                              arm_named_ahead("c", 2)};
    CHECK(memetic::dealt_arms(uneven) == Dealt{0, 1, 2, 1, 2, 1, 2, 2, 2});
}
