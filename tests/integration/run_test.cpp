// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

TEST_CASE("--json prints the result and nothing else on standard output") {
    const TemporaryFolder place;
    const Ended run = qapfw_run(small_run({"--iterations", "20000", "--json", "--out", place / "r"}));
    CHECK(run.code == 0);
    const Json json = Json::parse(run.out);
    for (const char* key :
         {"best_cost",    "best_known",     "gap",         "gap_absolute", "iterations",    "evaluations",   "seconds",
          "wall_seconds", "target_reached", "stop_reason", "seed",         "backend",       "threads",       "problem",
          "algorithm",    "solution",       "digest",      "rates",        "random_scheme", "schema_version"}) {
        CHECK_MESSAGE(json.contains(key), key);
    }
    CHECK(json["iterations"] == 20000);
    CHECK(json["stop_reason"] == "iterations");
    CHECK(json["seed"] == 42);
    CHECK(json["backend"] == "cpu");
    CHECK(json["threads"] == 2);
    const auto solution = json["solution"].get<std::vector<int>>();
    CHECK(std::set<int>(solution.begin(), solution.end()).size() == 40);
    CHECK(json["gap"].get<double>() >= 0);
    CHECK(json["gap"].get<double>() < 0.05);
    CHECK(Json::parse(contents(place / "r/result.json"))["best_cost"] == json["best_cost"]);
}

TEST_CASE("the record holds its files, and verify agrees with it") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "20000", "--quiet", "--out", place / "r"})).code == 0);
    for (const char* name :
         {"config.toml", "result.json", "trace.jsonl", "solution.sln", "log.txt", "checkpoint.bin"}) {
        CHECK_MESSAGE(std::filesystem::exists(place.path() / "r" / name), name);
    }
    const Ended verified = qapfw_run({"verify", place / "r"});
    CHECK(verified.code == 0);
    CHECK(verified.out.find("FAILED") == std::string::npos);
    CHECK(verified.out.find("ok      solution.sln") != std::string::npos);
}

TEST_CASE("verify finds a changed result") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "2000", "--quiet", "--out", place / "r"})).code == 0);
    Json json = Json::parse(contents(place / "r/result.json"));
    std::swap(json["solution"][0], json["solution"][1]);
    place.write("r/result.json", json.dump());
    const Ended verified = qapfw_run({"verify", place / "r"});
    CHECK(verified.code == 8);
    CHECK(verified.out.find("FAILED  best solution: recorded cost") != std::string::npos);
    json["solution"][0] = json["solution"][1];
    place.write("r/result.json", json.dump());
    CHECK(qapfw_run({"verify", place / "r"}).out.find("appears twice") != std::string::npos);
}

TEST_CASE("the recorded configuration makes the same run again") {
    const TemporaryFolder place;
    const Ended first = qapfw_run(small_run({"--iterations", "9000", "--json", "--out", place / "r"}));
    const Ended again = qapfw_run({"run", place / "r/config.toml", "--json", "--out", place / "s"});
    REQUIRE(again.code == 0);
    CHECK(Json::parse(first.out)["digest"] == Json::parse(again.out)["digest"]);
    CHECK(Json::parse(first.out)["solution"] == Json::parse(again.out)["solution"]);
}

TEST_CASE("digests are equal on 1, 2 and 16 threads") {
    const auto digest = [](const char* threads) {
        const Ended run = qapfw_run(
            small_run({"--iterations", "6000", "--json", "--set", "output.record=false", "--threads", threads}));
        REQUIRE(run.code == 0);
        return Json::parse(run.out)["digest"].get<std::string>();
    };
    const std::string one = digest("1");
    CHECK(digest("2") == one);
    CHECK(digest("16") == one);
}

TEST_CASE("several runs give a record each, and a summary") {
    const TemporaryFolder place;
    const Ended run = qapfw_run(small_run({"--iterations", "3000", "--runs", "3", "--json", "--out", place / "r"}));
    REQUIRE(run.code == 0);
    const Json json = Json::parse(run.out);
    CHECK(json["runs"].size() == 3);
    CHECK(json["runs"][2]["seed"] == 44);
    CHECK(json["summary"]["min"] == json["best_cost"]);
    for (const char* key : {"min", "median", "mean", "std", "hits"}) CHECK(json["summary"].contains(key));
    for (const char* seed : {"s42", "s43", "s44"}) {
        CHECK(qapfw_run({"verify", place / (std::string("r/") + seed)}).code == 0);
    }
    const Ended verified = qapfw_run({"verify", place / "r"});
    CHECK(verified.code == 0);
    CHECK(verified.out.find("ok      seed 43: best solution") != std::string::npos);
    place.write("r/s43/solution.sln", "40 1\n1 2 3\n");
    const Ended damaged = qapfw_run({"verify", place / "r"});
    CHECK(damaged.code == 8);
    CHECK_MESSAGE(damaged.out.find("FAILED  seed 43: ") != std::string::npos, damaged.out);
}

TEST_CASE("verify finds a changed gap, a changed line of the summary and a missing run") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "500", "--runs", "2", "--quiet", "--out", place / "r"})).code == 0);
    Json json = Json::parse(contents(place / "r/result.json"));
    const auto found_in = [&](const std::string& changed) {
        place.write("r/result.json", changed);
        const Ended verified = qapfw_run({"verify", place / "r"});
        CHECK(verified.code == 8);
        return verified.out;
    };
    CHECK(found_in(json.dump()).find("FAILED  the summary: it was changed after it was written") != std::string::npos);
    Json changed = json;
    changed.erase("checksum");
    CHECK(found_in(changed.dump(2) + "\n")
              .find("FAILED  the summary: it was changed after it was written: its checksum is missing") !=
          std::string::npos);
    changed["gap"] = 0.0;
    CHECK(found_in(forged_result(changed)).find("FAILED  the summary: gap: recorded 0.0, recomputed") !=
          std::string::npos);
    changed = json;
    changed["runs"][1]["best_cost_text"] = "1";
    CHECK(found_in(forged_result(changed))
              .find("FAILED  the summary: runs: seed 43: best_cost_text: recorded \"1\", recomputed") !=
          std::string::npos);
    place.write("r/result.json", forged_result(json));
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    std::filesystem::remove_all(place / "r/s42");
    const Ended missing = qapfw_run({"verify", place / "r"});
    CHECK(missing.code == 8);
    CHECK(missing.out.find("FAILED  the summary: seed 42: its record is missing") != std::string::npos);
}

TEST_CASE("verify compares the problem's files with what the same plugin writes") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run({"run", "--quiet", "--set", "problem.plugin=uaflp", "--set", "problem.instance=F5", "--set",
                       "algorithm.plugin=random_restart", "--iterations", "2", "--out", place / "r"})
                .code == 0);
    CHECK(qapfw_run({"verify", place / "r"}).out.find("ok      layout.json\n") != std::string::npos);
    const std::string drawing = contents(place / "r/layout.svg");
    place.write("r/layout.svg", drawing + " ");
    const Ended changed = qapfw_run({"verify", place / "r"});
    CHECK(changed.code == 8);
    CHECK(changed.out.find("FAILED  layout.svg: it differs from what the problem writes for the best solution") !=
          std::string::npos);
    Json json = Json::parse(contents(place / "r/result.json"));
    for (Json& plugin : json["plugins"]) plugin["hash"] = "0";
    for (const char* name : {"checkpoint.bin", "checkpoint.previous.bin"}) {
        std::filesystem::remove(place.path() / "r" / name);
    }
    place.write("r/result.json", forged_result(json));
    const Ended older = qapfw_run({"verify", place / "r"});
    CHECK_MESSAGE(older.code == 0, older.out);
    CHECK(older.out.find("only solutions are compared") != std::string::npos);
}

TEST_CASE("a target ends the run with success whether it is reached or not") {
    const Ended reached = qapfw_run(
        small_run({"--target", "best-known+3%", "--time-limit", "60", "--json", "--set", "output.record=false"}));
    CHECK(reached.code == 0);
    CHECK(Json::parse(reached.out)["stop_reason"] == "target");
    const Ended missed =
        qapfw_run(small_run({"--target", "1", "--iterations", "500", "--json", "--set", "output.record=false"}));
    CHECK(missed.code == 0);
    CHECK(Json::parse(missed.out)["target_reached"] == false);
}

TEST_CASE("a time limit is kept") {
    check_fastest_below(0.7, [] {
        const Ended run = qapfw_run(small_run({"--time-limit", "500ms", "--json", "--set", "output.record=false"}));
        const double seconds = Json::parse(run.out)["seconds"];
        CHECK(seconds >= 0.5);
        return seconds;
    });
}

TEST_CASE("a warm start from a recorded solution is never lost") {
    const TemporaryFolder place;
    const Ended first = qapfw_run(small_run({"--iterations", "20000", "--json", "--out", place / "r"}));
    const Ended warm = qapfw_run(small_run({"--iterations", "10", "--seed", "7", "--json", "--set",
                                            "problem.initial=" + place / "r/solution.sln", "--out", place / "s"}));
    REQUIRE(warm.code == 0);
    CHECK(Json::parse(warm.out)["best_cost"].get<long>() <= Json::parse(first.out)["best_cost"].get<long>());
}

TEST_CASE("the first iteration begins within 50 ms") {
    if (qapfw::kSanitized) {
        MESSAGE("SKIPPED: sanitizers slow the program down");
        return;
    }
    double best = 1;
    for (int attempt = 0; attempt < 10; ++attempt) {  // the fastest run counts: other programs may slow a run down
        const Ended run = qapfw_run(small_run({"--iterations", "1", "--json", "--set", "output.record=false"}));
        best = std::min(best, Json::parse(run.out)["startup_seconds"].get<double>());
    }
    CHECK(best < 0.05);
}

TEST_CASE("a record is never overwritten") {
    const TemporaryFolder place;
    place.write("mine.txt", "x");
    const Ended run = qapfw_run(small_run({"--iterations", "10", "--out", place.path().string()}));
    CHECK(run.code == 2);
    CHECK(run.err.find("never overwritten") != std::string::npos);
    CHECK(contents(place / "mine.txt") == "x");
}

TEST_CASE("without --out records are named by what they hold") {
    const TemporaryFolder place;
    Process::Options options;
    options.folder = place.path().string();
    REQUIRE(qapfw_run(small_run({"--iterations", "10", "--quiet"}), options).code == 0);
    REQUIRE(qapfw_run(small_run({"--iterations", "10", "--quiet"}), options).code == 0);
    std::size_t records = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place.path() / "runs")) {
        CHECK(entry.path().filename().string().find("Z-qap-tai40a-tabu-s42") != std::string::npos);
        ++records;
    }
    CHECK(records == 2);
}
