// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "problems/uaflp/layout.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using test::message_of;
using test::random_solution;
using test::Solution;

TEST_CASE("a written layout reads back to the same solution, orientation and cost") {
    UaflpInstance instance = generate_f(40, 2);
    instance.height = 50;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Solution s = random_solution(40, seed);
        const Layout layout = make_layout(instance, s.perm, s.bits);
        const LayoutSolution back = read_layout_json(instance, write_layout_json(instance, layout), "layout.json");
        CHECK(back.perm == s.perm);
        CHECK(back.bits == s.bits);
        CHECK(back.orientation == layout.evaluation.orientation);
        CHECK(back.cost == layout.evaluation.cost);
    }
}

TEST_CASE("layout.json names departments, areas, bays and what is infeasible") {
    GeneratorOptions options;
    options.size = 8;
    options.max_aspect_ratio = 1.5;
    UaflpInstance instance = generate_instance(options);
    instance.departments[2].name = "Paint \"wet\"";
    const Solution s = random_solution(8, 4);
    const Layout layout = make_layout(instance, s.perm, s.bits);
    REQUIRE(layout.evaluation.violations > 0);
    const auto json = nlohmann::json::parse(write_layout_json(instance, layout));
    CHECK(json["feasible"] == false);
    CHECK(json["infeasible_departments"].size() == layout.evaluation.violations);
    CHECK(json["departments"][2]["name"] == "Paint \"wet\"");
    CHECK(json["departments"][2]["area"] == instance.departments[2].area);
    CHECK(json["bays"].size() == layout.bays.size());
    CHECK(json["permutation"].size() == 8);
    CHECK(json["bay_break"].size() == 8);
    CHECK(json["bay_break"][7] == 1);
    CHECK(json["bay_height"] == layout.bay_height);
}

TEST_CASE("a layout of another instance is refused with its position") {
    const UaflpInstance instance = generate_f(3);
    const auto refusal = [&](const std::string& text) {
        return message_of([&] { read_layout_json(instance, text, "l.json"); });
    };
    CHECK(refusal("{\"permutation\": [1, 2, 2], \"bay_break\": [0,0,1]}") ==
          "l.json:1:24: department 2 is listed twice in the permutation");
    CHECK(refusal("{\"permutation\": [1, 2, 4], \"bay_break\": [0,0,1]}").starts_with("l.json:1:24: a department"));
    CHECK(refusal("{\"permutation\": [1, 2, 3], \"bay_break\": [0,2,1]}").starts_with("l.json:1:44: a bay break is 2"));
    CHECK(refusal("{\"permutation\": [1, 2, 3], \"bay_break\": [0,0,0]}").find("the last bay break must be 1") !=
          std::string::npos);
    CHECK(refusal("{\"permutation\": [1, 2], \"bay_break\": [0,0,1]}").find("2 entries, must have 3") !=
          std::string::npos);
    CHECK(refusal("{\"permutation\": [1, 2, 3], \"bay_break\": [0,0,1], \"bay_height\": 44}").find("neither side") !=
          std::string::npos);
    CHECK(refusal("{\"permutation\": [1, 2, 3]}").find("lacks \"bay_break\"") != std::string::npos);
    CHECK(read_layout_json(instance, "{\"permutation\": [3, 1, 2], \"bay_break\": [0, 1]}", "l.json").bits.size() == 2);
}
