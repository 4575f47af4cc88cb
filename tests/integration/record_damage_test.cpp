// SPDX-License-Identifier: Apache-2.0
// Resumes records whose files are missing, damaged or forged.
#include <doctest/doctest.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

void write(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// The result of an uninterrupted run of this many iterations.
Json whole_run(const std::string& iterations) {
    const TemporaryFolder place;
    return Json::parse(qapfw_run(long_run(place / "whole", iterations)).out);
}

std::uint64_t iterations_resumed_after(const std::string& text) {
    const std::string words = "resumed after ";
    const std::size_t at = text.find(words);
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + words.size()));
}

}  // namespace

TEST_CASE("an intact checkpoint replaces a result that is missing, empty or damaged, and a message says so") {
    const TemporaryFolder place;
    const std::string iterations = make_killed_record(place / "x");
    const Json whole = whole_run(iterations);
    const std::string result = contents(place / "x/result.json");
    for (int damage = 0; damage < 6; ++damage) {
        const std::string record = copy_of(place / "x", place / "y");
        const std::string file = record + "/result.json";
        if (damage == 0) std::filesystem::remove(file);
        if (damage == 1) write(file, "");
        if (damage == 2) write(file, result.substr(0, result.size() / 2));
        if (damage == 3) write(file, "{}");
        if (damage == 4) write(file, std::string(100000, '['));
        if (damage == 5) write(file, std::string(result).replace(result.find("\"seconds\""), 4, "\"sax"));
        const Ended resumed = qapfw_run({"resume", record, "--iterations", iterations, "--json"});
        CHECK(resumed.code == 0);
        if (Json::accept(resumed.out)) check_same_end(Json::parse(resumed.out), whole);
        CHECK_MESSAGE(resumed.err.find("result.json: ") != std::string::npos, damage);
        CHECK_MESSAGE(iterations_resumed_after(resumed.err) > 0, damage);
    }
}

TEST_CASE("the best solution that a result claims is evaluated before anyone sees it") {
    const TemporaryFolder place;
    qapfw_run(small_run({"--iterations", "3000", "--json", "--out", place / "x"}));
    const std::string json = contents(place / "x/result.json");
    const Json result = Json::parse(json);
    const std::string raw = result["cost_space"]["best_raw"];
    std::string flipped = raw;
    flipped[0] = static_cast<char>(flipped[0] ^ 1);

    std::string forged = json;
    forged.replace(forged.find("\"best_raw\": \"" + raw), 13 + raw.size(), "\"best_raw\": \"" + flipped);
    write(copy_of(place / "x", place / "a") + "/result.json", forged);
    Ended resumed = qapfw_run({"resume", place / "a", "--json"});
    CHECK(resumed.code == 0);
    CHECK(Json::parse(resumed.out)["best_cost"] == result["best_cost"]);
    CHECK(resumed.err.find("result.json: it was changed after it was written") != std::string::npos);

    Json cheat = result;
    cheat["cost_space"]["best_raw"] = "1000";
    cheat["solution"][0] = cheat["solution"][1];
    write(copy_of(place / "x", place / "b") + "/result.json", forged_result(cheat));
    resumed = qapfw_run({"resume", place / "b", "--json"});
    CHECK(resumed.code == 0);
    CHECK(Json::parse(resumed.out)["best_cost"] == result["best_cost"]);
    CHECK(resumed.err.find("appears twice") != std::string::npos);
}

TEST_CASE("a result without its checksum is damaged: no command believes it") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run(small_run({"--iterations", "3000", "--quiet", "--out", place / "x"})).code == 0);
    Json result = Json::parse(contents(place / "x/result.json"));
    result.erase("checksum");
    result["iterations"] = 1;
    write(place / "x/result.json", result.dump(2) + "\n");
    const std::string missing = "x/result.json: it was changed after it was written: its checksum is missing";
    const Ended reported = qapfw_run({"report", place / "x", "--out", place / "page"});
    CHECK(reported.code == 2);
    CHECK_MESSAGE(reported.err.find(missing) != std::string::npos, reported.err);
    const Ended verified = qapfw_run({"verify", place / "x"});
    CHECK(verified.code == 8);
    CHECK(verified.out.find("its checksum is missing") != std::string::npos);
    const Ended resumed = qapfw_run({"resume", place / "x", "--json"});
    CHECK(resumed.code == 0);
    CHECK(resumed.err.find(missing) != std::string::npos);
    CHECK(Json::parse(resumed.out)["iterations"] == 3000);
}

TEST_CASE("of two resumes at once one wins, and the other says which process has the record") {
    const TemporaryFolder place;
    for (int round = 0; round < 3; ++round) {
        const std::string record = place / ("x" + std::to_string(round));
        make_killed_record(record);
        const std::string checkpoint = record + "/checkpoint.bin", before = contents(checkpoint);
        Process one({"resume", record, "--quiet"}), two({"resume", record, "--quiet"});
        auto end_of_one = std::async(std::launch::async, [&] { return one.wait(); });
        auto end_of_two = std::async(std::launch::async, [&] { return two.wait(); });
        const auto has_ended = [](const auto& end) {
            return end.wait_for(std::chrono::milliseconds(5)) == std::future_status::ready;
        };
        // A resumed run does not end by itself. So if a process ends here, its resume was refused.
        bool one_lost = false, two_lost = false;
        for (int k = 0; k < 6000 && !one_lost && !two_lost; ++k) {
            one_lost = has_ended(end_of_one);
            two_lost = has_ended(end_of_two);
        }
        for (int k = 0; k < 12000 && contents(checkpoint) == before; ++k) sleep_for(0.005);
        (one_lost ? two : one).send(SIGINT);
        if (!one_lost && !two_lost) two.send(SIGINT);  // neither was refused: stops both; a check below will fail
        const Ended a = end_of_one.get(), b = end_of_two.get();
        const Ended &refused = one_lost ? a : b, &winner = one_lost ? b : a;
        CHECK(refused.code == 9);
        CHECK(refused.err.find(record + ": in use by process ") != std::string::npos);
        CHECK(winner.code == 130);
        const std::string iterations = std::to_string(iterations_recorded(record) + 30000);
        const Ended resumed = qapfw_run({"resume", record, "--iterations", iterations, "--json"});
        REQUIRE(resumed.code == 0);
        check_same_end(Json::parse(resumed.out), whole_run(iterations));
        CHECK(qapfw_run({"verify", record}).code == 0);
        CHECK_FALSE(std::filesystem::exists(record + "/lock"));
    }
}

TEST_CASE("a run that still runs is not resumed, and neither is one of several") {
    const TemporaryFolder place;
    Process process(small_run({"--time-limit", "60s", "--runs", "2", "--out", place / "x"}));
    wait_for_file(place / "x/s42/result.json");
    for (const char* record : {"x", "x/s42"}) {
        const Ended resumed = qapfw_run({"resume", place / record});
        CHECK(resumed.code == 9);
        CHECK(resumed.err.find("in use by process ") != std::string::npos);
    }
    process.send(SIGINT);
    CHECK(process.wait().code == 130);
    CHECK_FALSE(std::filesystem::exists(place / "x/lock"));
    CHECK_FALSE(std::filesystem::exists(place / "x/s42/lock"));
}

TEST_CASE("links planted in a record's folder are replaced, and what they point to stays") {
    const TemporaryFolder place;
    const std::string mine = "somebody's own file\n";
    for (const char* name : {"result.json.new", "checkpoint.bin.new", "config.toml.new", "solution.sln.new", "log.txt",
                             "result.json", "checkpoint.previous.bin", "lock.takeover"}) {
        std::filesystem::remove_all(place / "x");
        const std::string iterations = make_killed_record(place / "x");
        const auto secret = place.write("secret", mine);
        std::filesystem::remove(place / (std::string("x/") + name));
        std::filesystem::create_symlink(secret, place / (std::string("x/") + name));
        qapfw_run({"resume", place / "x", "--iterations", iterations, "--json"});
        CHECK_MESSAGE(contents(secret) == mine, name);
    }
}

TEST_CASE("number and seeds of several runs cannot be edited before a resume") {
    const TemporaryFolder place;
    qapfw_run(small_run({"--iterations", "500", "--runs", "3", "--out", place / "several"}));
    qapfw_run(small_run({"--iterations", "500", "--out", place / "one"}));
    const auto edited = [&](const std::string& record, const std::string& from, const std::string& to) {
        const std::string copy = copy_of(place / record, place / "y");
        std::string config = contents(copy + "/config.toml");
        config.replace(config.find(from), from.size(), to);
        write(copy + "/config.toml", config);
        const std::string result = contents(copy + "/result.json");
        const Ended resumed = qapfw_run({"resume", copy});
        CHECK(resumed.code == 2);
        CHECK(resumed.err.find("cannot be changed by a resume") != std::string::npos);
        CHECK(contents(copy + "/result.json") == result);
    };
    edited("several", "runs = 3", "runs = 1");
    edited("several", "runs = 3", "runs = 2");
    edited("several", "runs = 3", "runs = 5");
    edited("several", "seed = 42", "seed = 44");
    edited("one", "runs = 1", "runs = 2");
}

TEST_CASE("a limit that is edited in the record's configuration holds from then on") {
    const TemporaryFolder place;
    qapfw_run(small_run({"--iterations", "500", "--json", "--out", place / "x"}));
    std::string config = contents(place / "x/config.toml");
    config.replace(config.find("iterations = 500"), 16, "iterations = 900");
    write(place / "x/config.toml", config);
    const Ended resumed = qapfw_run({"resume", place / "x", "--json"});
    CHECK(Json::parse(resumed.out)["iterations"] == 900);
}

TEST_CASE("an instance with a name of 230 characters has a record") {
    const TemporaryFolder place;
    const std::string name = std::string(230, 'x') + ".dat";
    place.write(name, "3\n0 1 2\n1 0 3\n2 3 0\n0 4 5\n4 0 6\n5 6 0\n");
    Process::Options options;
    options.folder = place.path().string();
    const Ended run = qapfw_run({"run", "--set", "problem.plugin=qap", "--set", "problem.instance=" + place / name,
                                 "--set", "algorithm.plugin=tabu", "--iterations", "10"},
                                options);
    CHECK(run.code == 0);
    CHECK(std::filesystem::exists(place / "runs"));
}

TEST_CASE("quiet or not, the solution is shown where the record failed") {
    const TemporaryFolder place;
    place.write("file", "x");
    const Ended run = qapfw_run(small_run({"--iterations", "500", "--quiet", "--out", place / "file/r"}));
    CHECK(run.code == 6);
    CHECK(run.out.find("solution  [ ") != std::string::npos);
}

TEST_CASE("more runs than a command may have are refused with the number that it may") {
    const Ended run = qapfw_run(small_run({"--iterations", "1", "--runs", "3000000"}));
    CHECK(run.code == 2);
    CHECK(run.err.find("from 1 to 100000") != std::string::npos);
}
