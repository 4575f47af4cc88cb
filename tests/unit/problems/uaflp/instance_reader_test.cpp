// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "problems/uaflp/instance.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using qapfw::uaflp::test::message_of;

namespace {

const std::string kGood =
    "name = \"shop\"\n"
    "metric = \"euclidean\"\n"
    "flows = [[\"Store\", \"Press\", 5], [2, 1, 0.5]]\n"
    "[plant]\n"
    "width = 4\n"
    "height = 3.0\n"
    "[shape]\n"
    "max_aspect_ratio = 4\n"
    "[[departments]]\n"
    "name = \"Store\"\n"
    "area = 6\n"
    "[[departments]]\n"
    "name = \"Press\"\n"
    "area = 4\n"
    "min_side = 1\n"
    "[[departments]]\n"
    "name = \"Empty\"\n"
    "area = 2\n"
    "dummy = true\n";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& from, const std::string& to) {
    const std::string text = changed(from, to);
    return message_of([&] { parse_instance(text, "shop.toml"); });
}

std::string json(const std::string& areas, const std::string& rule, const std::string& flow,
                 const std::string& more = "") {
    return "{\"plant\": {\"width\": 2, \"height\": 2},\n\"areas\": " + areas + ",\n\"shape_constraint\": " + rule +
           ",\n" + more + "\"flow\": " + flow + "}";
}

std::string json_refusal(const std::string& text) {
    return message_of([&] { parse_instance(text, "shop.json"); });
}

const std::string kRule = "{\"kind\": \"max_aspect_ratio\", \"value\": 4}";

}  // namespace

TEST_CASE("a TOML instance is read with names, rules, dummies and both directions of flow") {
    const UaflpInstance instance = parse_instance(kGood, "shop.toml");
    REQUIRE(instance.size() == 3);
    CHECK(instance.name == "shop");
    CHECK(instance.metric == Metric::kEuclidean);
    CHECK(instance.width == 4.0);
    CHECK(instance.departments[0].rule.max_aspect_ratio == 4.0);
    CHECK(instance.departments[0].rule.min_side == 0.0);
    CHECK(instance.departments[1].rule.max_aspect_ratio == 0.0);  // the department's own rule replaces the common one
    CHECK(instance.departments[1].rule.min_side == 1.0);
    CHECK(instance.departments[2].dummy);
    CHECK_FALSE(instance.departments[2].rule.any());
    CHECK(instance.flow[0 * 3 + 1] == 5.0);
    CHECK(instance.flow[1 * 3 + 0] == 0.5);
    CHECK(instance.flow_between(0, 1) == 5.5);
}

TEST_CASE("a JSON instance may hold lists by department and a dense matrix") {
    const UaflpInstance instance = parse_instance(
        json("[1, 1, 2]", "{\"kind\": \"min_side\", \"per_department\": [0.5, 0.5, null]}", "[[0,1,0],[2,0,0],[0,0,0]]",
             "\"dummies\": [3], \"n\": 3, \"names\": [\"a\", \"b\", \"c\"],\n"),
        "shop.json");
    CHECK(instance.departments[1].name == "b");
    CHECK(instance.departments[1].rule.min_side == 0.5);
    CHECK(instance.departments[2].dummy);
    CHECK(instance.flow_between(0, 1) == 3.0);
    CHECK(parse_instance(json("[2]", kRule, "[[0]]"), "one.json").departments[0].name == "1");
}

TEST_CASE("areas that do not fit the plant are refused") {
    CHECK(refusal("area = 6", "area = 7") ==
          "shop.toml:9:1: the areas sum to 13, more than the area 12 of the plant (4 x 3)");
    CHECK(json_refusal(json("[3, 2]", kRule, "[[0,0],[0,0]]")).starts_with("shop.json:2:10: the areas sum to 5"));
}

TEST_CASE("areas that are zero, negative, not finite or no numbers are refused") {
    CHECK(refusal("area = 6", "area = 0") == "shop.toml:11:8: the area of department 1 is 0, but it must be above 0");
    CHECK(refusal("area = 6", "area = -1.5").starts_with("shop.toml:11:8: the area of department 1 is -1.5"));
    CHECK(refusal("area = 6", "area = nan") == "shop.toml:11:8: the area of department 1 is nan, not finite");
    CHECK(refusal("area = 6", "area = inf").starts_with("shop.toml:11:8:"));
    CHECK(refusal("area = 6", "area = 1e31") ==
          "shop.toml:11:8: the area of department 1 is 1e+31, but its absolute value must be at most 1e+30");
    CHECK(refusal("width = 4", "width = 1e-31") ==
          "shop.toml:5:9: plant.width is 1e-31, but it must be at least 1e-30");
    CHECK(refusal("area = 6", "area = \"6\"") == "shop.toml:11:8: the area of department 1 must be a number, not text");
    CHECK(refusal("area = 6", "").starts_with("shop.toml:9:1: department 1 lacks \"area\""));
    CHECK(refusal("area = 6", "area = 1e-12").find("less than a billionth") != std::string::npos);
    CHECK(
        json_refusal(json("[1,\n -1]", kRule, "[[0,0],[0,0]]")).starts_with("shop.json:3:2: the area of department 2"));
}

TEST_CASE("a flow given twice is refused with both places") {
    CHECK(refusal("[2, 1, 0.5]", "[2, 1, 0.5], [\"Press\", \"Store\", 9]") ==
          "shop.toml:3:46: the flow from \"Press\" to \"Store\" is given twice, first in line 3 column 33");
    CHECK(refusal("[2, 1, 0.5]", "[1, 1, 0.5]").find("starts and ends at the same department") != std::string::npos);
}

TEST_CASE("a flow that names an unknown department is refused with the nearest name") {
    CHECK(refusal("\"Press\", 5", "\"Pres\", 5") ==
          "shop.toml:3:20: \"to\" of a flow is the unknown department \"Pres\", did you mean \"Press\"?");
    CHECK(refusal("[2, 1, 0.5]", "[4, 1, 0.5]")
              .starts_with("shop.toml:3:34: \"from\" of a flow is 4, but it must be a whole"));
    CHECK(refusal("[2, 1, 0.5]", "[2, 1]").starts_with("shop.toml:3:33: a flow [from, to, flow] has 2 entries"));
}

TEST_CASE("flows that are negative or NaN are refused") {
    CHECK(refusal("[2, 1, 0.5]", "[2, 1, -0.5]")
              .starts_with("shop.toml:3:40: the flow from \"Press\" to \"Store\" is -0.5"));
    CHECK(refusal("[2, 1, 0.5]", "[2, 1, nan]").find("not finite") != std::string::npos);
    CHECK(json_refusal(json("[1, 1]", kRule, "[[0,0],\n[-3,0]]")).starts_with("shop.json:5:2: the flow from 2 to 1"));
}

TEST_CASE("a flow matrix of another size is refused") {
    CHECK(json_refusal(json("[1, 1]", kRule, "[[0,0]]")).find("flow has 1 entries, must have 2") != std::string::npos);
    CHECK(json_refusal(json("[1, 1]", kRule, "[[0,0],[0]]")).find("row 2 of flow") != std::string::npos);
}

TEST_CASE("a department without a shape rule is refused unless it is a dummy") {
    CHECK(refusal("[shape]\nmax_aspect_ratio = 4\n", "") ==
          "shop.toml:7:1: department 1 (\"Store\") has no shape rule: give it max_aspect_ratio or min_side, set one of "
          "them in [shape], or make the department a dummy");
    CHECK(json_refusal(json("[1, 1]", "{\"kind\": \"min_side\", \"per_department\": [1, null]}", "[[0,0],[0,0]]"))
              .find("department 2 has no shape rule") != std::string::npos);
    CHECK(refusal("dummy = true", "dummy = true\nmin_side = 1").find("is a dummy and has a shape rule") !=
          std::string::npos);
}

TEST_CASE("shape rules that no rectangle can keep are refused") {
    CHECK(refusal("max_aspect_ratio = 4", "max_aspect_ratio = 0.5").find("must be at least 1") != std::string::npos);
    CHECK(refusal("min_side = 1", "min_side = 2.1").find("is too small for min_side = 2.1") != std::string::npos);
    CHECK(
        json_refusal(json("[1]", "{\"kind\": \"min_sid\", \"value\": 1}", "[[0]]")).find("did you mean \"min_side\"") !=
        std::string::npos);
    CHECK(json_refusal(json("[1]", "{\"kind\": \"min_side\"}", "[[0]]")).find("either \"value\"") != std::string::npos);
}

TEST_CASE("names must be given once and be known") {
    CHECK(refusal("name = \"Press\"", "name = \"Store\"") ==
          "shop.toml:12:1: departments 1 and 2 are both named \"Store\"");
    CHECK(refusal("name = \"Press\"", "name = \"\"").find("empty name") != std::string::npos);
}

TEST_CASE("unknown keys and words are refused with the nearest one") {
    CHECK(refusal("width = 4", "widht = 4") ==
          "shop.toml:5:1: unknown key \"widht\" in plant, did you mean \"width\"?");
    CHECK(refusal("euclidean", "euclidian").find("did you mean \"euclidean\"") != std::string::npos);
    CHECK(refusal("name = \"shop\"", "nmae = \"shop\"").starts_with("shop.toml:1:1: unknown key \"nmae\""));
}

TEST_CASE("what an instance lacks is named") {
    CHECK(message_of([] { parse_instance("", "e.toml"); }) == "e.toml:1:1: the instance lacks \"plant\"");
    CHECK(message_of([] { parse_instance("[]", "e.json"); }).find("must be a table") != std::string::npos);
    CHECK(refusal("height = 3.0", "").find("plant lacks \"height\"") != std::string::npos);
    CHECK(json_refusal(json("[]", kRule, "[]")).find("at least one department") != std::string::npos);
    CHECK(json_refusal(json("[1]", kRule, "[[0]]", "\"n\": 2,\n")).find("n is 2, but there are 1 departments") !=
          std::string::npos);
}

TEST_CASE("a dummy with flow does not count as empty space") {  // ba14 has two such departments
    CHECK(parse_instance(kGood, "shop.toml").is_empty_space(2));
    const UaflpInstance linked = parse_instance(changed("[2, 1, 0.5]", "[2, 3, 0.5]"), "shop.toml");
    CHECK_FALSE(linked.is_empty_space(2));
    CHECK_FALSE(linked.is_empty_space(0));
}

TEST_CASE("every published instance reads") {
    const std::string folder = test::published_data();
    if (folder.empty()) return;
    const auto names = test::published_names(folder);
    CHECK(names.size() >= 21);
    for (const std::string& name : names) {
        CAPTURE(name);
        const UaflpInstance instance = load_instance(name, {folder + "/.."});
        CHECK(instance.size() >= 7);
        CHECK(instance.best_known.has_value());
    }
}
