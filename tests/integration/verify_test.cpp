// SPDX-License-Identifier: Apache-2.0
// Checks that `qapfw verify` finds falsified parts of a record, and accepts the records of killed runs.
#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

/// Changes the result in a copy of the record, and returns what verify prints about the copy. Verify must fail.
std::string found_in(const TemporaryFolder& place, const std::string& what, const std::function<void(Json&)>& change) {
    const std::string copy = copy_of(place / "x", place / "y");
    Json json = Json::parse(contents(copy + "/result.json"));
    change(json);
    place.write("y/result.json", forged_result(json));
    const Ended verified = qapfw_run({"verify", copy});
    CHECK_MESSAGE(verified.code == 8, what << "\n" << verified.out);
    return verified.out;
}

}  // namespace

TEST_CASE("verify finds what is falsified in a result, whatever it is") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "20000", "--quiet", "--out", place / "x"})).code == 0);
    const Ended untouched = qapfw_run({"verify", place / "x", "--replay"});
    CHECK_MESSAGE(untouched.code == 0, untouched.out);
    CHECK(untouched.out.find("run repeated for ") != std::string::npos);

    const auto set = [&](const char* key, const Json& value) {
        return found_in(place, key, [&](Json& json) { json[key] = value; });
    };
    CHECK(set("seed", 7).find("seed: 7, config.toml has 42") != std::string::npos);
    CHECK(set("iterations", 19999).find("stop_reason: \"iterations\" does not follow") != std::string::npos);
    CHECK(set("iterations", 20001).find("config.toml ends the run at 20000") != std::string::npos);
    CHECK(set("target_reached", true).find("target_reached: recorded true, recomputed false") != std::string::npos);
    CHECK(set("stop_reason", "target").find("stop_reason: \"target\" does not follow") != std::string::npos);
    CHECK(set("stop_reason", "interrupted").find("stop_reason") != std::string::npos);
    CHECK(set("finished", false).find("finished: false does not fit") != std::string::npos);
    CHECK(set("digest", "0123456789abcdef").find("its digest differs from the result's") != std::string::npos);
    CHECK(set("evaluations", 1).find("more iterations, evaluations or seconds than the result") != std::string::npos);
    CHECK(set("algorithm", "cas").find("algorithm: cas, config.toml has tabu") != std::string::npos);
    CHECK(set("backend", "cuda").find("backend: cuda, config.toml has cpu") != std::string::npos);
    CHECK(set("n", 39).find("n: recorded 39, found 40") != std::string::npos);
    CHECK(set("seconds", 0.0).find("rates: recorded") != std::string::npos);
    CHECK(set("rates", 0).find("rates: recorded 0") != std::string::npos);
    found_in(place, "lower bound", [](Json& json) {
        json["lower_bound"] = 1;
        json["cost_space"]["lower_bound_raw"] = "1";
    });
    found_in(place, "best found", [](Json& json) { json["best_found"]["iteration"] = 1; });
    found_in(place, "solutions", [](Json& json) { json["solutions"].erase(0); });
}

TEST_CASE("verify finds traces, solutions, checkpoints and configurations that are not the run's") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "20000", "--quiet", "--out", place / "x"})).code == 0);
    const std::string trace = contents(place / "x/trace.jsonl");
    const std::vector<std::pair<std::string, std::string>> changes = {
        {"trace.jsonl", ""},
        {"trace.jsonl", trace.substr(0, trace.find('\n') + 1)},
        {"trace.jsonl", trace.substr(0, trace.rfind('\n', trace.size() - 2) + 1)},
        {"trace.jsonl", "{}" + trace.substr(trace.find('\n'))},
        {"solution.sln", "garbage"},
        {"checkpoint.bin", "garbage"},
    };
    for (const auto& change : changes) {
        const std::string name = change.first;
        const std::string copy = copy_of(place / "x", place / "y");
        place.write("y/" + name, change.second);
        const Ended verified = qapfw_run({"verify", copy});
        CHECK_MESSAGE(verified.code == 8, name << "\n" << verified.out);
        CHECK(verified.out.find("FAILED  " + name) != std::string::npos);
    }
    const std::string copy = copy_of(place / "x", place / "y");
    std::filesystem::remove(copy + "/trace.jsonl");
    place.write("y/solution.sln", "garbage");
    const Ended without = qapfw_run({"verify", copy});
    CHECK(without.code == 8);
    CHECK(without.out.find("FAILED  solution.sln") != std::string::npos);
    CHECK(without.out.find("FAILED  trace.jsonl") != std::string::npos);
}

TEST_CASE("a digest that was changed, and whose checkpoint is gone, is found by repeating the run") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "20000", "--quiet", "--out", place / "x"})).code == 0);
    std::filesystem::remove(place / "x/checkpoint.bin");
    std::filesystem::remove(place / "x/checkpoint.previous.bin");
    Json json = Json::parse(contents(place / "x/result.json"));
    json["digest"] = "0123456789abcdef";
    place.write("x/result.json", forged_result(json));
    CHECK(qapfw_run({"verify", place / "x"}).code == 0);
    const Ended repeated = qapfw_run({"verify", place / "x", "--replay"});
    CHECK(repeated.code == 8);
    CHECK(repeated.out.find("digest: recorded 0123456789abcdef, repeated ") != std::string::npos);
    const Ended too_long = qapfw_run({"verify", place / "x", "--replay", "--replay-limit", "1us"});
    CHECK(too_long.code == 0);
    CHECK(too_long.out.find("not repeated: the run took ") != std::string::npos);
}

TEST_CASE("a run that a time limit or a signal ended is repeated as far as it came") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--time-limit", "300ms", "--quiet", "--out", place / "x"})).code == 0);
    const Ended repeated = qapfw_run({"verify", place / "x", "--replay"});
    CHECK_MESSAGE(repeated.code == 0, repeated.out);
    CHECK(repeated.out.find("ok      run repeated for ") != std::string::npos);
}

TEST_CASE("a record of a killed run is unfinished, not a failure") {
    const TemporaryFolder place;
    make_killed_record(place / "x");
    Ended verified = qapfw_run({"verify", place / "x"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("unfinished: the run was killed") != std::string::npos);
    std::filesystem::remove(place.path() / "x/solution.sln");  // written just after result.json
    verified = qapfw_run({"verify", place / "x"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("solution.sln: the run was killed before this file was written") != std::string::npos);
    for (const char* name : {"result.json", "checkpoint.bin", "checkpoint.previous.bin"}) {
        std::filesystem::remove(place.path() / "x" / name);
    }
    verified = qapfw_run({"verify", place / "x"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find("unfinished: ") != std::string::npos);
}
