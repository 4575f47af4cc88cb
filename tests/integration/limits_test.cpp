// SPDX-License-Identifier: Apache-2.0
// Time limits hold even if one iteration takes long. The result is the best solution seen until the limit.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

std::vector<std::string> large_batch(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",
                                          "--set",
                                          "problem.plugin=qap",
                                          "--set",
                                          "problem.instance=tai100a",
                                          "--set",
                                          "algorithm.plugin=random_restart",
                                          "--set",
                                          "algorithm.batch=1000000",
                                          "--backend",
                                          "cpu",
                                          "--threads",
                                          "1",
                                          "--json",
                                          "--set",
                                          "output.record=false"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST_CASE("a batch of a million ends with its time limit, with the best of those that were drawn") {
    check_fastest_below(1, [] {
        const Ended run = qapfw_run(large_batch({"--time-limit", "500ms"}));
        REQUIRE(run.code == 0);
        const Json json = Json::parse(run.out);
        CHECK(json["best_cost"].is_number());
        CHECK(json["evaluations"] > 1);
        CHECK(json["evaluations"] < 1000000);
        return json["seconds"].get<double>();
    });
}

TEST_CASE("a batch of a million ends with a signal, with a solution") {
    check_fastest_below(0.5, [] {
        Process process(large_batch({}));
        process.wait_for_work(1);
        process.send(SIGTERM);
        const auto sent = std::chrono::steady_clock::now();
        const Ended ended = process.wait();
        CHECK(ended.code == 143);
        CHECK(Json::parse(ended.out)["best_cost"].is_number());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
    });
}

namespace {

struct LongStep {
    const char* instance;
    const char* solver;
    const char* improver;     ///< empty: none
    const char* formulation;  ///< empty: the default
};

/// Runs in which a single step takes seconds. They end in time only if such a step asks whether to stop. The steps:
/// tables of deltas in O(n^3), neighbourhoods without tables, costs by products of matrices.
const std::vector<LongStep> kLongSteps = {{"tai2000a", "imga", "", "trace"},
                                          {"tai2000a", "tabu", "", ""},
                                          {"tai2000a", "random_restart", "greedy_two_opt", ""},
                                          {"F1000", "random_restart", "two_opt", ""},
                                          {"F1000", "imga", "tabu", ""}};

std::vector<std::string> arguments_of(const LongStep& step, const std::string& limit) {
    const auto set = [](const std::string& key, const std::string& value) {
        return std::vector<std::string>{"--set", key + "=" + value};
    };
    std::vector<std::string> arguments{"solve",  step.instance, "--backend", "cpu",   "--threads",          "1",
                                       "--json", "--time",      limit,       "--set", "output.record=false"};
    const auto add = [&](const std::vector<std::string>& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
    };
    add(set("algorithm.plugin", step.solver));
    if (*step.improver != 0) add(set("algorithm.improver.plugin", step.improver));
    if (*step.formulation != 0) add(set("problem.formulation", step.formulation));
    return arguments;
}

}  // namespace

TEST_CASE("a run whose single steps take long ends with its time limit, with the best that was seen") {
    for (const LongStep& step : kLongSteps) {
        CAPTURE(step.instance);
        CAPTURE(step.solver);
        check_fastest_below(0.8, [&] {
            const Ended run = qapfw_run(arguments_of(step, "500ms"));
            REQUIRE(run.code == 0);
            const Json json = Json::parse(run.out);
            CHECK(json["best_cost"].is_number());
            return run.seconds - json["startup_seconds"].get<double>();
        });
    }
}

TEST_CASE("a run whose single steps take long ends soon after a signal, with the best that was seen") {
    for (const LongStep& step : kLongSteps) {
        CAPTURE(step.instance);
        CAPTURE(step.solver);
        check_fastest_below(0.4, [&] {
            Process run(arguments_of(step, "60s"));
            run.wait_for_work(1);
            const auto sent = std::chrono::steady_clock::now();
            run.send(SIGINT);
            const Ended ended = run.wait();
            CHECK(ended.code == 128 + SIGINT);
            CHECK(Json::parse(ended.out)["best_cost"].is_number());
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
        });
    }
}

TEST_CASE("a mapping of a million vertices ends with a limit that falls before its first construction's end") {
    check_fastest_below(0.1, [] {
        const Ended run = qapfw_run({"solve", "torus:1000x1000", "--distance", "grid:1000x1000", "--backend", "cpu",
                                     "--threads", "1", "--time", "1ms", "--json", "--no-record"});
        REQUIRE(run.code == 0);
        const Json json = Json::parse(run.out);
        CHECK(json["best_cost"].is_number());
        return json["seconds"].get<double>();
    });
}

TEST_CASE("there is always an evaluated solution: no time, one facility, all facilities fixed") {
    const TemporaryFolder place;
    const std::string one = place.write("one.dat", "1\n3\n5\n");
    const std::string three = place.write("three.dat", "3\n0 1 2\n1 0 3\n2 3 0\n0 4 5\n4 0 6\n5 6 0\n");
    for (const char* solver :
         {"memetic", "tabu", "imga", "cas", "ga_independent", "ga_distributed", "pga_grid", "random_restart"}) {
        CAPTURE(solver);
        const std::string algorithm = std::string("algorithm.plugin=") + solver;
        const auto solved = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = {
                "run",    "--backend", "cpu",   "--threads",          "1", "--set", algorithm,
                "--json", "--quiet",   "--set", "output.record=false"};
            words.insert(words.end(), more.begin(), more.end());
            const Ended ended = qapfw_run(words);
            CHECK(ended.code == 0);
            REQUIRE(Json::accept(ended.out));
            const Json json = Json::parse(ended.out);
            CHECK(json["best_cost"].is_number());
            CHECK(json["solution"].size() == json["n"]);
            return json;
        };
        solved({"--set", "problem.instance=tai100a", "--time-limit", "1us"});
        CHECK(solved({"--set", "problem.instance=" + one, "--time-limit", "100ms"})["best_cost"] == 15);
        const std::vector<std::string> fixed = {"--set", "problem.instance=" + three, "--set",
                                                "problem.fixed=[\"1->2\", \"2->3\", \"3->1\"]"};
        for (const char* limit : {"1us", "100ms"}) {
            std::vector<std::string> words = fixed;
            words.insert(words.end(), {"--time-limit", limit});
            CHECK(solved(words)["solution"] == Json::parse("[1, 2, 0]"));
        }
    }
}

TEST_CASE("a run without any time left has a sound record") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run({"run", "--set", "problem.instance=tai100a", "--backend", "cpu", "--time-limit", "1us", "--quiet",
                       "--out", place / "r"})
                .code == 0);
    const Ended verified = qapfw_run({"verify", place / "r"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
}
