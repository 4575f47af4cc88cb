// SPDX-License-Identifier: Apache-2.0
// plan.json is checked like study.toml, since it may be damaged or written by somebody else.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "framework/laboratory/study/plan.hpp"
#include "framework/laboratory/study/run_row.hpp"
#include "framework/laboratory/study/study_folder.hpp"
#include "qapfw/error.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

Plan plan_of_two() {
    Plan plan;
    plan.study.path = "s.toml";
    for (const char* id : {"a", "b"}) {
        Cell cell;
        cell.id = id;
        cell.instance = "tai12a";
        cell.time_limit = 1.0;
        plan.cells.push_back(cell);
    }
    StudySection section;
    section.kind = "ratio";
    plan.study.sections.push_back(section);
    return plan;
}

/// Lets `change` alter a plan's JSON and parses the result. Returns the error's message; "taken" if there is no error.
template <class Change>
std::string refusal_after(const Change& change) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(plan_json(plan_of_two()));
    change(json);
    try {
        parse_plan(json.dump(), "plan.json");
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kInput);
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("a plan reads back as it was written") {
    const std::string written = plan_json(plan_of_two());
    CHECK(plan_json(parse_plan(written, "plan.json")) == written);
}

TEST_CASE("a plan of an earlier version gives all cells the study's seeds") {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(plan_json(plan_of_two()));
    json["study"]["first_seed"] = 7;
    json["study"].erase("own_seeds");
    json["cells"][0].erase("first_seed");
    json["cells"][1]["first_seed"] = 3000007;
    const Plan plan = parse_plan(json.dump(), "plan.json");
    CHECK_FALSE(plan.study.own_seeds);
    CHECK(plan.cells[0].first_seed == 7);
    const std::vector<RunKey> runs = runs_of(plan);
    CHECK(runs.at(0).seed == 7);
    CHECK(runs.at(1).seed == 3000007);
    CHECK(refusal_after([](auto& p) { p["cells"][0]["first_seed"] = UINT64_MAX; }).find("first_seed must be at most") !=
          std::string::npos);
}

TEST_CASE("a cell's id that is no name of a folder is refused, and one that comes twice") {
    for (const char* id : {"../x", "/tmp/x", "..", ".hidden", ""}) {
        CAPTURE(id);
        CHECK(refusal_after([&](auto& plan) {
                  plan["cells"][0]["id"] = id;
              }).starts_with("plan.json: cells: id must be the name of a folder, found \"" + std::string(id) + "\""));
    }
    CHECK(refusal_after([](auto& plan) { plan["cells"][0]["id"] = std::string(300, 'a'); }).find("name of a folder") !=
          std::string::npos);
    CHECK(refusal_after([](auto& plan) { plan["cells"][0]["id"] = "b"; }).find("given once, found \"b\" again") !=
          std::string::npos);
}

TEST_CASE("numbers and names of a plan have the limits of a study file") {
    const auto refused = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["seeds"] = 0; }), "study: seeds must be from 1 to"));
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["seeds"] = 2000000; }), "study: seeds must be"));
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["first_seed"] = UINT64_MAX; }), "first_seed must be"));
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["alpha"] = 7; }), "study: alpha must be from"));
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["measure"] = "x"; }), "study: measure must be cost"));
    CHECK(refused(refusal_after([](auto& plan) { plan["study"]["sections"][0]["kind"] = "x"; }),
                  "sections: kind must be one of ratio"));
    CHECK(refused(refusal_after([](auto& plan) { plan["cells"][0]["time_limit"] = -1; }), "cells: time_limit must be"));
    CHECK(refused(refusal_after([](auto& plan) { plan["cells"][0]["backend"] = "x"; }), "cells: backend must be"));
}

TEST_CASE("lists in lists without end are refused before they exhaust the stack") {
    std::string text = plan_json(plan_of_two());
    const std::string fields = "\"fields\": []";
    const auto at = text.find(fields);
    REQUIRE(at != std::string::npos);
    text.replace(at, fields.size(),
                 "\"fields\": [[\"of\", " + std::string(50000, '[') + std::string(50000, ']') + "]]");
    try {
        parse_plan(text, "plan.json");
        FAIL("it was taken");
    } catch (const qapfw::Error& error) {
        CHECK(std::string(error.what()).find("lists nested at most 64 deep") != std::string::npos);
    }
}

TEST_CASE("a record whose version or trace has other types than they should have is read all the same") {
    CHECK(version_in("{\"qapfw_version\": \"0.2.0\"}") == "0.2.0");
    CHECK(version_in("{\"qapfw_version\": 7}").empty());
    CHECK(version_in("[1]").empty());
    CHECK(version_in("not JSON").empty());
    const auto points =
        parse_trace("{}\n{\"seconds\":1,\"evaluations\":2,\"cost\":3}\n{\"seconds\":\"x\",\"cost\":3}\n{\"cost\":1}\n");
    REQUIRE(points.size() == 1);
    CHECK(points[0].cost == 3);
}
