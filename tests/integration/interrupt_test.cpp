// SPDX-License-Identifier: Apache-2.0
// Signals, kills and resumes.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Arguments of a run whose solver never returns.
std::vector<std::string> stubborn_run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",
                                          "--plugin-path",
                                          bad_plugin("stubborn_solver").string(),
                                          "--set",
                                          "problem.plugin=stubborn_solver",
                                          "--set",
                                          "algorithm.plugin=stubborn_solver"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// Waits until the record's trace holds an improvement.
void wait_for_improvement(const std::string& record) {
    for (int k = 0; k < 12000; ++k) {
        const std::string trace = contents(record + "/trace.jsonl");
        if (std::count(trace.begin(), trace.end(), '\n') >= 2) return;
        sleep_for(0.005);
    }
    FAIL("the run found nothing within a minute");
}

/// Trace lines without their times.
std::vector<std::string> timeless(const std::string& record) {
    std::vector<std::string> lines;
    std::istringstream stream(contents(record + "/trace.jsonl"));
    for (std::string line; std::getline(stream, line);) {
        if (line.find("\"offered\"") != std::string::npos)
            continue;  // whether there are lines with "offered" depends on how long rounds take
        const std::size_t at = line.find("\"iterations\"");
        lines.push_back(at == std::string::npos ? line : line.substr(at));
    }
    return lines;
}

/// Checks that the signal ended the program with the answer on standard output. If `record` is not empty, it must be an
/// intact record of the same answer.
void check_answered(const Ended& ended, int signal, const std::string& record) {
    CHECK(ended.code == 128 + signal);
    REQUIRE(Json::accept(ended.out));
    const Json json = Json::parse(ended.out);
    CHECK(json["stop_reason"] == "interrupted");
    CHECK(json["signal"] == signal);
    CHECK(json["best_cost"].is_number());
    if (record.empty()) return;
    const Json kept = Json::parse(contents(record + "/result.json"));
    CHECK(kept["stop_reason"] == "interrupted");
    CHECK(kept["best_cost"] == json["best_cost"]);
    CHECK(!std::filesystem::exists(record + "/lock"));
}

}  // namespace

TEST_CASE("SIGINT and SIGTERM end a run within a second with result and record") {
    for (const int signal : {SIGINT, SIGTERM}) {
        check_fastest_below(1, [&] {
            const TemporaryFolder place;
            Process process(small_run({"--time-limit", "60s", "--json", "--out", place / "r"}));
            wait_for_improvement(place / "r");
            process.send(signal);
            const auto sent = std::chrono::steady_clock::now();
            const Ended ended = process.wait();
            const double seconds = since(sent);
            CHECK(ended.code == 128 + signal);
            const Json json = Json::parse(ended.out);
            CHECK(json["stop_reason"] == "interrupted");
            CHECK(json["signal"] == signal);
            CHECK(json["best_cost"].is_number());
            CHECK(Json::parse(contents(place / "r/result.json"))["best_cost"] == json["best_cost"]);
            CHECK(qapfw_run({"verify", place / "r"}).code == 0);
            return seconds;
        });
    }
}

TEST_CASE("a signal while an instance is set up ends the program within half a second") {
    const TemporaryFolder place;
    const std::string graph = place.write("g.col", "p edge 5000 2\ne 1 2\ne 2 3\n").string();
    check_fastest_below(0.45, [&] {
        Process process({"solve", graph, "--set", "problem.reduction=linear_arrangement", "--no-record", "--json"});
        process.wait_for_work(0.3);  // setting up takes some three seconds
        process.send(SIGINT);
        const auto sent = std::chrono::steady_clock::now();
        const Ended ended = process.wait();
        CHECK(ended.code == 130);
        CHECK_MESSAGE(qapfw::test::contains(ended.err, "interrupted before a search began"), ended.err);
        return since(sent);
    });
}

TEST_CASE("a solver that never returns is left after a second, with its result") {
    check_fastest_below(1, [&] {
        const TemporaryFolder place;
        Process process(stubborn_run({"--json", "--out", place / "r"}));
        wait_for_improvement(place / "r");
        process.send(SIGINT);
        const auto sent = std::chrono::steady_clock::now();
        const Ended ended = process.wait();
        const double seconds = since(sent);
        CHECK(ended.code == 130);
        CHECK(Json::parse(ended.out)["stop_reason"] == "interrupted");
        CHECK(Json::parse(contents(place / "r/result.json"))["best_cost"] == 0);
        CHECK(std::filesystem::exists(place / "r/solution.sln"));
        return seconds;
    });
}

TEST_CASE("left in the first of several runs, the folder of all has its configuration and result") {
    const TemporaryFolder place;
    Process process(stubborn_run({"--seed", "7", "--runs", "2", "--out", place / "r"}));
    wait_for_improvement(place / "r/s7");
    process.send(SIGINT);
    CHECK(process.wait().code == 130);
    CHECK(std::filesystem::exists(place / "r/config.toml"));
    const Json json = Json::parse(contents(place / "r/result.json"));
    CHECK(json["stop_reason"] == "interrupted");
    CHECK(json["finished"] == false);
    CHECK(json["runs"].size() == 1);
}

TEST_CASE("a signal sent twice loses neither answer nor record") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        for (const double pause : {0.0, 0.001, 0.01, 0.1}) {
            for (const bool with_record : {true, false}) {
                CAPTURE(signal);
                CAPTURE(pause);
                CAPTURE(with_record);
                const TemporaryFolder place;
                std::vector<std::string> more = {"--time-limit", "60s", "--json"};
                for (const char* word : {"--out", "--set"}) {
                    if ((word == std::string("--out")) != with_record) continue;
                    more.push_back(word);
                    more.push_back(with_record ? place / "r" : "output.record=false");
                }
                Process process(small_run(more));
                if (with_record) {
                    wait_for_improvement(place / "r");
                } else {
                    process.wait_for_work(0.15);
                }
                process.send(signal);
                sleep_for(pause);
                process.send(signal);
                check_answered(process.wait(), signal, with_record ? place / "r" : "");
            }
        }
    }
}

TEST_CASE("a signal sent twice leaves the result of a solver that never returns") {
    for (const int signal : {SIGINT, SIGTERM}) {
        for (const double pause : {0.001, 0.1, 0.35}) {
            CAPTURE(signal);
            CAPTURE(pause);
            const TemporaryFolder place;
            Process process(stubborn_run({"--json", "--out", place / "r"}));
            wait_for_improvement(place / "r");
            process.send(signal);
            sleep_for(pause);
            process.send(signal);
            check_answered(process.wait(), signal, place / "r");
        }
    }
}

TEST_CASE("a batch system's warnings end a run with checkpoint and answer, however often they come") {
    for (const int signal : {SIGUSR1, SIGUSR2, SIGXCPU}) {
        CAPTURE(signal);
        const TemporaryFolder place;
        Process process(small_run({"--time-limit", "60s", "--json", "--out", place / "r"}));
        wait_for_improvement(place / "r");
        process.wait_for_work(0.4);  // long enough for a checkpoint
        for (int k = 0; k < 20; ++k) process.send(signal);
        check_answered(process.wait(), signal, place / "r");
        CHECK(std::filesystem::exists(place / "r/checkpoint.bin"));
    }
    // The program also answers if the solver never returns and the warning comes again and again.
    const TemporaryFolder place;
    Process process(stubborn_run({"--json", "--out", place / "r"}));
    wait_for_improvement(place / "r");
    for (int k = 0; k < 9; ++k) {
        process.send(SIGXCPU);
        sleep_for(0.05);
    }
    check_answered(process.wait(), SIGXCPU, place / "r");
}

TEST_CASE("a limit of processor time ends a run with its answer") {
    const TemporaryFolder place;
    Process process(small_run({"--time-limit", "60s", "--json", "--out", place / "r"}), {.processor_seconds = 1});
    check_answered(process.wait(), SIGXCPU, place / "r");
}

TEST_CASE("a batch system's warning that the parent ignores stays ignored") {
    const auto before = std::signal(SIGUSR1, SIG_IGN);
    const TemporaryFolder place;
    Process process(small_run({"--time-limit", "400ms", "--json", "--out", place / "r"}));
    std::signal(SIGUSR1, before);
    wait_for_improvement(place / "r");
    process.send(SIGUSR1);
    const Ended ended = process.wait();
    CHECK(ended.code == 0);
    CHECK(Json::parse(ended.out)["stop_reason"] == "time_limit");
}

TEST_CASE("a run killed at any moment leaves a valid record, and resumed it ends as if nothing had happened") {
    const TemporaryFolder place;
    const std::vector<std::string> work = {"--iterations", "60000", "--set", "output.checkpoint_interval=20ms",
                                           "--json",       "--out"};
    const auto arguments = [&](const std::string& folder) {
        std::vector<std::string> all = small_run(work);
        all.push_back(folder);
        return all;
    };
    const Ended whole = qapfw_run(arguments(place / "whole"));
    REQUIRE(whole.code == 0);
    const double seconds = Json::parse(whole.out)["seconds"];
    std::mt19937 random(12345);
    for (int moment = 0; moment < 10; ++moment) {
        const std::string record = place / ("part" + std::to_string(moment));
        {
            Process process(arguments(record));
            sleep_for(0.01 + seconds * static_cast<double>(random() % 1000) / 1100.0);
            process.send(SIGKILL);
            process.wait();
        }
        if (!std::filesystem::exists(record + "/config.toml"))
            continue;  // the run was killed before there was a record
        const std::string result = contents(record + "/result.json");
        CHECK((result.empty() || Json::accept(result)));
        const Ended resumed = qapfw_run({"resume", record, "--json"});
        REQUIRE(resumed.code == 0);
        check_same_end(Json::parse(resumed.out), Json::parse(whole.out));
        CHECK(timeless(record) == timeless(place / "whole"));
    }
}

TEST_CASE("an interrupted run resumed twice is the uninterrupted one") {
    const TemporaryFolder place;
    const Ended whole = qapfw_run(small_run({"--iterations", "80000", "--json", "--out", place / "whole"}));
    Process process(small_run({"--iterations", "80000", "--json", "--out", place / "r"}));
    wait_for_improvement(place / "r");
    process.send(SIGINT);
    process.wait();
    Process second({"resume", place / "r", "--json"});
    sleep_for(0.1);
    second.send(SIGTERM);
    second.wait();
    const Ended last = qapfw_run({"resume", place / "r", "--json"});
    REQUIRE(last.code == 0);
    check_same_end(Json::parse(last.out), Json::parse(whole.out));
}

TEST_CASE("resuming a finished run says so and shows its result") {
    const TemporaryFolder place;
    const Ended run = qapfw_run(small_run({"--iterations", "500", "--json", "--out", place / "r"}));
    const Ended resumed = qapfw_run({"resume", place / "r", "--json"});
    CHECK(resumed.code == 0);
    CHECK(resumed.err.find("finished already") != std::string::npos);
    check_same_end(Json::parse(resumed.out), Json::parse(run.out));
}

TEST_CASE("a finished run can go on with a larger limit, as if the run had had this limit from the start") {
    const TemporaryFolder place;
    const Ended whole = qapfw_run(small_run({"--iterations", "50000", "--json", "--out", place / "whole"}));
    qapfw_run(small_run({"--iterations", "21000", "--json", "--out", place / "r"}));
    const Ended more = qapfw_run({"resume", place / "r", "--iterations", "50000", "--json"});
    REQUIRE(more.code == 0);
    check_same_end(Json::parse(more.out), Json::parse(whole.out));
}

TEST_CASE("time used before counts towards a time limit") {
    // The first run uses 2.5 s of the 2.8 s. If the resumed run did not count these 2.5 s, it would take 2.8 s itself.
    check_fastest_below(2.5, [&] {
        const TemporaryFolder place;
        qapfw_run(small_run({"--time-limit", "2500ms", "--out", place / "r"}));
        const Ended more = qapfw_run({"resume", place / "r", "--time-limit", "2800ms", "--json"});
        CHECK(Json::parse(more.out)["seconds"].get<double>() >= 2.8);
        return more.seconds;
    });
}

TEST_CASE("a record whose instance changed is refused with what differs") {
    const TemporaryFolder place;
    place.write("a.dat", "3\n0 1 2\n1 0 3\n2 3 0\n0 4 5\n4 0 6\n5 6 0\n");
    const std::string config = place.write(
        "c.toml", "[problem]\nplugin = \"qap\"\ninstance = \"a.dat\"\n[algorithm]\nplugin = \"tabu\"\nsearches = 2\n");
    qapfw_run(
        {"run", config, "--set", "run.iterations=200000", "--set", "run.target=1", "--quiet", "--out", place / "r"});
    place.write("a.dat", "3\n0 1 2\n1 0 3\n2 3 0\n0 4 5\n4 0 6\n5 6 1\n");
    const Ended resumed = qapfw_run({"resume", place / "r", "--iterations", "400000"});
    CHECK(resumed.code == 2);
    CHECK(resumed.err.find("instance data: recorded") != std::string::npos);
}

TEST_CASE("what is no record cannot be resumed or verified") {
    const TemporaryFolder place;
    CHECK(qapfw_run({"resume", place / "none"}).code == 2);
    CHECK(qapfw_run({"resume", place.path().string()}).err.find("not a run record") != std::string::npos);
    CHECK(qapfw_run({"verify", place / "none"}).code == 2);
    CHECK(qapfw_run({"verify", place.path().string()}).err.find("not a run record") != std::string::npos);
}

TEST_CASE("several runs killed in the middle go on where they were") {
    const TemporaryFolder place;
    const auto arguments = [&](const std::string& folder) {
        return small_run({"--iterations", "30000", "--runs", "4", "--set", "output.checkpoint_interval=20ms", "--json",
                          "--out", place / folder});
    };
    const Ended whole = qapfw_run(arguments("whole"));
    for (const char* killed_in : {"s42", "s43"}) {
        const std::string part = std::string("part-") + killed_in;
        const std::string trace = place / (part + "/" + killed_in + "/trace.jsonl");
        {
            Process process(arguments(part));
            for (int k = 0; k < 12000 && !std::filesystem::exists(trace); ++k) sleep_for(0.005);
            process.send(SIGKILL);
            process.wait();
        }
        const Ended resumed = qapfw_run({"resume", place / part, "--json"});
        REQUIRE(resumed.code == 0);
        Json a = Json::parse(whole.out), b = Json::parse(resumed.out);
        for (Json* json : {&a, &b}) (*json)["summary"].erase("seconds");
        REQUIRE(b["runs"].size() == 4);
        for (std::size_t k = 0; k < 4; ++k) CHECK(a["runs"][k]["digest"] == b["runs"][k]["digest"]);
        CHECK(a["summary"] == b["summary"]);
    }
}
