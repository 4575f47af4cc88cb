// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"
#include "tests/unit/framework/record/sample_result.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("a result reads back as it was written") {
    const RunResult before = sample_result();
    const RunResult after = parse_result(to_json(before), "result.json");
    CHECK(to_json(after) == to_json(before));
    CHECK(after.seed == before.seed);
    CHECK(after.best->cost.i == before.best->cost.i);
    CHECK(after.best->values == before.best->values);
    CHECK(after.solutions[1].cost.i == before.solutions[1].cost.i);
    CHECK(after.counters.digest == before.counters.digest);
    CHECK(after.counters.evaluations == before.counters.evaluations);
    CHECK(after.target->i == before.target->i);
    CHECK(after.best_known->i == before.best_known->i);
    CHECK(after.statistics == before.statistics);
    CHECK(differences(after.identity, before.identity).empty());
    CHECK(after.folder == before.folder);
}

TEST_CASE("what JSON readers lose above 2^53 is there as text too") {
    const Json json = Json::parse(to_json(sample_result()));
    CHECK(json["best_cost"] == 9007199254740993);
    CHECK(json["best_cost_text"] == "9007199254740993");
    CHECK(json["seed_text"] == "18446744073709551615");
    CHECK(json["digest"] == "fedcba9876543210");
    CHECK(json["gap_absolute"] == 993);
    CHECK(json["schema_version"] == 1);
}

TEST_CASE("fields without a value are null") {
    RunResult result = sample_result();
    result.best.reset();
    result.best_known.reset();
    result.solutions.clear();
    result.seconds = 0;
    const Json json = Json::parse(to_json(result));
    for (const char* key : {"best_cost", "best_known", "gap", "gap_absolute", "solution", "lower_bound", "error"}) {
        CHECK(json[key].is_null());
    }
    CHECK(json["rates"]["iterations_per_second"].is_null());
    result = sample_result();
    result.best_known = cost_of(0);
    CHECK(Json::parse(to_json(result))["gap"].is_null());
}

TEST_CASE("solutions of several segments are arrays of arrays") {
    RunResult result = sample_result();
    result.best->values = {{1, 0, 2}, {1, 0}};
    result.solutions = {*result.best};
    const Json json = Json::parse(to_json(result));
    CHECK(json["solution"] == Json::parse("[[1, 0, 2], [1, 0]]"));
    CHECK(parse_result(to_json(result), "r").best->values == result.best->values);
}

TEST_CASE("several runs give the best one's result, a line each and the statistics") {
    RunSummary summary{{sample_result(), sample_result()}, 2};
    summary.runs[1].best->cost = cost_of(9007199254740990);
    const Json json = Json::parse(to_json(summary));
    CHECK(json["best_cost"] == 9007199254740990);
    CHECK(json["runs"].size() == 2);
    for (const char* key : {"min", "median", "mean", "std", "hits"}) CHECK(json["summary"].contains(key));
    CHECK_FALSE(Json::parse(to_json(RunSummary{{sample_result()}, 1})).contains("summary"));
}

TEST_CASE("a file that is not a result is refused with its name") {
    for (const char* text : {"", "{", "[]", "{}", "{\"schema_version\": 2}", "null"}) {
        try {
            parse_result(text, "r/result.json");
            FAIL("accepted " << text);
        } catch (const qapfw::Error& error) {
            CHECK(std::string(error.what()).rfind("r/result.json: ", 0) == 0);
        }
    }
}

TEST_CASE("a result's checksum tells of any byte that was changed") {
    const std::string json = to_json(sample_result());
    CHECK(checksum_defect(json).empty());
    CHECK(Json::accept(json));
    for (std::size_t k = 0; k + 40 < json.size(); k += 7) {  // every seventh byte before the checksum
        std::string changed = json;
        changed[k] = static_cast<char>(changed[k] ^ 1);
        CHECK_MESSAGE((!checksum_defect(changed).empty() || !Json::accept(changed)), k);
    }
    const std::string without = json.substr(0, json.rfind(",\n  \"checksum\"")) + "\n}\n";
    CHECK(Json::accept(without));
    CHECK(checksum_defect(without) == "it was changed after it was written: its checksum is missing");
    CHECK(with_checksum(without) == json);
    CHECK_THROWS_WITH_AS(parse_result(without, "r"), "r: it was changed after it was written: its checksum is missing",
                         qapfw::Error);
    CHECK(parse_unchecked_result(without, "r").seed == sample_result().seed);
}

TEST_CASE("a space of costs that would divide by zero is refused") {
    std::string json = to_json(sample_result());
    json.replace(json.find("\"divisor\": 1"), 12, "\"divisor\": 0");
    CHECK_THROWS_WITH_AS(parse_result(json, "r"), "r: the divisor of costs must be at least 1, found 0", qapfw::Error);
}

TEST_CASE("a result whose counters are not whole numbers in range is refused") {
    const std::string json = to_json(sample_result());
    for (const std::string key : {"n", "threads", "rounds", "iterations", "evaluations", "resumes", "divisor"}) {
        for (const char* number : {"1e91", "1.5", "18446744073709551616", "true"}) {
            CAPTURE(key);
            CAPTURE(number);
            std::string changed = json;
            const std::size_t at = changed.find("\"" + key + "\": ");
            REQUIRE(at != std::string::npos);
            const std::size_t begin = at + key.size() + 4;
            changed.replace(begin, changed.find_first_of(",\n", begin) - begin, number);
            CHECK_THROWS_WITH_AS(parse_result(changed, "r"),
                                 doctest::Contains("wanted a whole number in range, found "), qapfw::Error);
        }
    }
}

TEST_CASE("of many runs the summary keeps the solutions of the best alone") {
    RunSummary summary;
    summary.wanted = RunSummary::kFewRuns + 1;
    for (const std::int64_t cost : {30, 20, 40, 20}) {
        RunResult run = sample_result();
        run.best->cost = cost_of(cost);
        summary.add(std::move(run));
    }
    CHECK(&best_of(summary) == &summary.runs[1]);
    for (const std::size_t k : {0u, 2u, 3u}) CHECK(summary.runs[k].best->values.empty());
    CHECK(best_of(summary).best->values == sample_result().best->values);
    CHECK(statistics_of(summary).median == 25);
}
