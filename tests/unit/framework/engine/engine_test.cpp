// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/engine.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "framework/host/log.hpp"
#include "framework/record/folder.hpp"
#include "framework/record/trace.hpp"
#include "tests/unit/framework/engine/test_algorithms.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

const bool quiet = [] {
    set_console_level(LogLevel::kOff);
    return true;
}();

using Keys = std::vector<std::pair<std::string, std::string>>;

Keys plus(Keys keys, const Keys& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

EngineOutcome run(const Keys& keys, EngineOptions options = {}) {
    return Engine(test_config(plus({{"output.record", "false"}}, keys)), std::move(options)).run();
}

RunResult single(const Keys& keys) {
    return run(keys).summary.runs.at(0);
}

std::string error_of(const Keys& keys) {
    try {
        run(keys);
    } catch (const qapfw::Error& error) {
        return error.what();
    }
    return "no error";
}

std::string failure_of(const EngineOutcome& outcome) {
    REQUIRE(outcome.failure);
    try {
        std::rethrow_exception(outcome.failure);
    } catch (const std::exception& error) {
        return error.what();
    }
}

void check_same_run(const RunResult& a, const RunResult& b) {
    CHECK(a.counters.digest == b.counters.digest);
    CHECK(a.counters.rounds == b.counters.rounds);
    CHECK(a.counters.iterations == b.counters.iterations);
    CHECK(a.counters.evaluations == b.counters.evaluations);
    CHECK(a.best->values == b.best->values);
    CHECK(a.found.iteration == b.found.iteration);
    CHECK(a.found.search == b.found.search);
}

/// Trace lines without their times.
std::vector<std::string> timeless(const std::filesystem::path& trace) {
    std::vector<std::string> lines;
    std::ifstream file(trace);
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find("\"iterations\"");
        lines.push_back(at == std::string::npos ? line : line.substr(at));
    }
    return lines;
}

}  // namespace

TEST_CASE("a run counts what the solver reports and keeps the recomputed best") {
    const RunResult result = single({{"run.iterations", "42"}});
    CHECK(result.stop_reason == "iterations");
    CHECK(result.finished);
    CHECK(result.counters.iterations == 42);
    CHECK(result.counters.evaluations == 126);
    CHECK(result.counters.rounds == 9);  // eight rounds of 5 iterations and one of 2
    CHECK(result.statistics.at("steps") == 42);
    CHECK(result.backend == "cpu");
    CHECK(result.identity.instance == "toy");
    REQUIRE(result.best);
    CHECK(result.solutions.front().values == result.best->values);
}

TEST_CASE("the trajectory depends on the seed alone, not on the threads") {
    const RunResult one = single({{"run.iterations", "60"}, {"run.threads", "1"}});
    for (const char* threads : {"2", "7", "16"}) {
        check_same_run(one, single({{"run.iterations", "60"}, {"run.threads", threads}}));
    }
    CHECK(one.counters.digest != single({{"run.iterations", "60"}, {"run.seed", "2"}}).counters.digest);
}

TEST_CASE("targets, evaluations and stagnation end a run at the end of a round") {
    const RunResult long_run = single({{"run.iterations", "400"}});
    const std::string target = std::to_string(long_run.best->cost.i);
    const RunResult reached = single({{"run.iterations", "400"}, {"run.target", target}});
    CHECK(reached.stop_reason == "target");
    CHECK(reached.target_reached);
    CHECK(reached.counters.iterations < 400);
    CHECK(reached.counters.iterations % 5 == 0);
    CHECK(single({{"run.evaluations", "100"}}).counters.evaluations == 105);
    const RunResult stagnant = single({{"run.stagnation", "100"}});
    CHECK(stagnant.stop_reason == "stagnation");
    CHECK(stagnant.counters.iterations >= 100);
    const RunResult missed = single({{"run.iterations", "5"}, {"run.target", "-100000"}});
    CHECK_FALSE(missed.target_reached);
    CHECK(missed.stop_reason == "iterations");
}

TEST_CASE("a time limit acts within a round") {
    const RunResult result = single({{"run.time_limit", "\"100ms\""}, {"algorithm.round", "1000000000"}});
    CHECK(result.stop_reason == "time_limit");
    CHECK(result.counters.rounds == 0);
    CHECK(result.counters.iterations > 0);
    CHECK(result.seconds >= 0.1);
    CHECK(result.seconds < 5);
    CHECK(result.wall_seconds >= result.seconds);
}

TEST_CASE("a cost that is not what the problem computes ends the run with both values and keeps the best") {
    const EngineOutcome outcome = run({{"run.iterations", "100"}, {"algorithm.lie_after", "30"}});
    const std::string text = failure_of(outcome);
    const RunResult& result = outcome.summary.runs.at(0);
    REQUIRE(result.best);
    const std::int64_t true_cost = result.best->cost.i;
    CHECK(text == fmt::format("solver walk reported cost {} for a solution that problem toy evaluates to {}",
                              true_cost - 1, true_cost));
    CHECK_THROWS_AS(std::rethrow_exception(outcome.failure), CostMismatch);
    CHECK(result.stop_reason == "error");
    CHECK(result.error == text);
    CHECK_FALSE(result.finished);
}

TEST_CASE("a solution that is no permutation ends the run") {
    const EngineOutcome outcome = run({{"run.iterations", "100"}, {"algorithm.invalid_after", "30"}});
    CHECK(failure_of(outcome).find("solver walk reported not a valid solution") != std::string::npos);
    CHECK(outcome.summary.runs.at(0).best);
}

TEST_CASE("a call that stopped because the run must end is not a fault of the solver that passes the error on") {
    CHECK(single({{"run.time_limit", "20ms"}, {"algorithm.gives_up", "1"}}).stop_reason == "time_limit");
    const EngineOutcome at_once = run({{"run.iterations", "100"}, {"algorithm.gives_up", "2"}});
    CHECK(failure_of(at_once) == "solver walk: run failed with status 6 and no message");
}

TEST_CASE("a solver that fails keeps the solutions that it had found") {
    const EngineOutcome outcome = run({{"run.iterations", "100"}, {"algorithm.throw_after", "33"}});
    CHECK(failure_of(outcome) == "solver walk: thrown on purpose");
    CHECK(outcome.summary.runs.at(0).counters.iterations == 30);
    CHECK(outcome.summary.runs.at(0).best);
}

TEST_CASE("plugins that do not fit together are refused with a message") {
    CHECK(error_of({{"algorithm.plugin", "bits"}}) ==
          "solver bits takes solutions of these forms: permutation+bays; the solutions of problem toy have the form "
          "permutation");
    CHECK(error_of({{"run.target", "best-known"}}) ==
          "run.target = \"best-known\": instance toy has no best-known value; give a cost instead");
}

TEST_CASE("several runs take consecutive seeds and are summed up") {
    const EngineOutcome outcome = run({{"run.iterations", "20"}, {"run.runs", "3"}, {"run.seed", "7"}});
    REQUIRE(outcome.summary.runs.size() == 3);
    CHECK(outcome.summary.complete());
    check_same_run(outcome.summary.runs[1], single({{"run.iterations", "20"}, {"run.seed", "8"}}));
    const Statistics statistics = statistics_of(outcome.summary);
    CHECK(statistics.count == 3);
    CHECK(statistics.min <= statistics.median);
    CHECK(statistics.min == outcome.summary.runs[0].costs.shown(best_of(outcome.summary).best->cost));
}

TEST_CASE("a record holds configuration, result, trace and log, and an existing one is never overwritten") {
    const TemporaryFolder place;
    const Keys keys = {{"run.iterations", "50"},
                       {"output.record", "true"},
                       {"output.folder", "\"" + (place.path() / "r").string() + "\""}};
    const EngineOutcome outcome = run(keys);
    CHECK(outcome.record_failure.empty());
    for (const char* name : {"config.toml", "result.json", "trace.jsonl", "log.txt", "checkpoint.bin"}) {
        CHECK(std::filesystem::exists(place.path() / "r" / name));
    }
    const RunResult recorded = parse_result(read_file(place.path() / "r/result.json"), "result.json");
    check_same_run(recorded, outcome.summary.runs[0]);
    CHECK(recorded.finished);
    CHECK(check_trace(read_file(place.path() / "r/trace.jsonl"), recorded.costs).last->cost.i == recorded.best->cost.i);
    CHECK(error_of(keys) ==
          (place.path() / "r").string() + ": exists already, and records are never overwritten; choose another folder");
    const Config again = ConfigDocument::parse_file(place.path() / "r/config.toml", {}).check(test_registry());
    check_same_run(Engine(again, {}).run().summary.runs[0], recorded);
}

TEST_CASE("the files of a record cost no evaluation: they are written with the cost that the run knows") {
    const TemporaryFolder place;
    const auto evaluated = [&](const Keys& keys) {
        const std::uint64_t before = Toy::evaluated;
        const RunResult result = single(plus({{"run.iterations", "50"}}, keys));
        CHECK(result.best->cost.i == Toy::written_cost);
        return Toy::evaluated - before;
    };
    const std::uint64_t with_record =
        evaluated({{"output.record", "true"}, {"output.folder", "\"" + (place.path() / "r").string() + "\""}});
    CHECK(with_record == evaluated({}));
}

TEST_CASE("a run resumed after any number of iterations is the uninterrupted one") {
    const TemporaryFolder place;
    const auto keys = [&](const char* folder, const char* iterations) {
        return Keys{{"run.iterations", iterations},
                    {"output.record", "true"},
                    {"output.folder", "\"" + (place.path() / folder).string() + "\""}};
    };
    const RunResult whole = run(keys("whole", "97")).summary.runs[0];
    for (const char* first : {"3", "5", "12", "50", "96"}) {
        const std::filesystem::path folder = place.path() / (std::string("part") + first);
        run(keys(folder.filename().c_str(), first));
        EngineOptions options;
        options.resume = RecordFolder::open(folder);
        options.limits_changed = true;
        const Config config =
            ConfigDocument::parse_file(folder / "config.toml", {{{"run.iterations", "97"}}}).check(test_registry());
        const RunResult resumed = Engine(config, options).run().summary.runs[0];
        check_same_run(resumed, whole);
        CHECK(resumed.resumes == 1);
        CHECK(timeless(folder / "trace.jsonl") == timeless(place.path() / "whole/trace.jsonl"));
    }
}

TEST_CASE("a finished run is not run again") {
    const TemporaryFolder place;
    const std::string folder = (place.path() / "r").string();
    run({{"run.iterations", "20"}, {"output.record", "true"}, {"output.folder", "\"" + folder + "\""}});
    EngineOptions options;
    options.resume = RecordFolder::open(folder);
    const Config config = ConfigDocument::parse_file(folder + "/config.toml", {}).check(test_registry());
    const EngineOutcome outcome = Engine(config, options).run();
    CHECK(outcome.finished_before == 1);
    CHECK(outcome.summary.runs[0].counters.iterations == 20);
}

TEST_CASE("a record of another run is refused with what differs") {
    const TemporaryFolder place;
    const std::string folder = (place.path() / "r").string();
    run({{"run.iterations", "20"}, {"output.record", "true"}, {"output.folder", "\"" + folder + "\""}});
    EngineOptions options;
    options.resume = RecordFolder::open(folder);
    options.limits_changed = true;
    const Config config =
        ConfigDocument::parse_file(folder + "/config.toml", {{{"algorithm.searches", "4"}, {"run.iterations", "30"}}})
            .check(test_registry());
    try {
        Engine(config, options).run();
        FAIL("resumed another run");
    } catch (const qapfw::Error& error) {
        const std::string text = error.what();
        CHECK(text.find("- searches = 3") != std::string::npos);
        CHECK(text.find("+ searches = 4") != std::string::npos);
        CHECK(text.find("iterations") == std::string::npos);
    }
}

TEST_CASE("a folder that cannot be made costs the record, not the run") {
    const TemporaryFolder place;
    const std::filesystem::path file = place.write("file", "x");
    const EngineOutcome outcome = run(
        {{"run.iterations", "20"}, {"output.record", "true"}, {"output.folder", "\"" + (file / "r").string() + "\""}});
    CHECK(outcome.record_failure.find("cannot create the folder") != std::string::npos);
    CHECK(outcome.summary.runs[0].counters.iterations == 20);
}
