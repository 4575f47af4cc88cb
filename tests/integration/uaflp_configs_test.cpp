// SPDX-License-Identifier: Apache-2.0
// Runs every file of configs/uaflp for one iteration.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

Ended short_run(const std::string& file, const char* iterations, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run",        file,      "--set",  "output.record=false", "--set",
                                          "run.runs=1", "--quiet", "--json", "--iterations",        iterations};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return qapfw_run(arguments);
}

}  // namespace

TEST_CASE("the configurations for layouts run") {
    if (std::getenv("QAPFW_DATA") == nullptr) {
        MESSAGE("SKIPPED: set QAPFW_DATA to the folder of instances");
        return;
    }
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(QAPFW_SOURCE_DIR "/configs/uaflp")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path().string());
        std::vector<std::string> more{"--threads", "2"};
        if (entry.path().stem() == "imga-memetic-gpu") {  // one iteration of its 132 islands takes 20 s on one core
            more.insert(more.end(), {"--set", "algorithm.islands=4"});
        }
        const Ended run = short_run(entry.path().string(), "1", more);
        CHECK_MESSAGE(run.code == 0, run.err);
        if (run.code != 0) continue;
        const Json json = Json::parse(run.out);
        CHECK(json["iterations"].get<int>() <= 1);
        CHECK(json["evaluations"].get<std::uint64_t>() > 0);
        ++count;
    }
    CHECK(count >= 5);
}

TEST_CASE("a run whose best layout is infeasible says so, away from a terminal too") {
    const TemporaryFolder place;
    const std::string instance = place.write("squares.toml", R"(
name = "squares"
flows = [[1, 3, 1]]
[plant]
width = 6
height = 4
[shape]
max_aspect_ratio = 1.01
[[departments]]
area = 8
[[departments]]
area = 4
[[departments]]
area = 12
)");
    const Ended run = qapfw_run({"run", QAPFW_SOURCE_DIR "/configs/uaflp/imga-symmetry2019.toml", "--set",
                                 "problem.instance=" + instance, "--set", "run.runs=1", "--set", "output.record=false",
                                 "--iterations", "5"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const std::size_t answer = run.out.find("\nanswer       squares: cost ");
    REQUIRE(answer != std::string::npos);
    CHECK(run.out.find(" of 3 departments\n", answer) != std::string::npos);
}

TEST_CASE("the seeding study: same setting, four methods, and only method 1 repeats draws") {
    const std::string file = QAPFW_SOURCE_DIR "/configs/uaflp/imga-seeding-study.toml";
    std::vector<std::string> digests;
    for (const char* seeding : {"clock_once", "clock_per_round", "per_thread", "counter"}) {
        const Ended run = short_run(file, "3", {"--set", std::string("algorithm.tournament_seeding=") + seeding});
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Json json = Json::parse(run.out);
        CHECK(json["statistics"]["tournament_draws"] == 256);
        CHECK(json["statistics"]["tournament_repeated_draws"] == (std::string(seeding) == "clock_once" ? 127 : 0));
        digests.push_back(json["digest"].get<std::string>());
    }
    std::sort(digests.begin(), digests.end());
    CHECK(std::unique(digests.begin(), digests.end()) == digests.end());
}

TEST_CASE("the island GA's digests are equal on 1, 2 and 16 threads") {
    const std::string file = QAPFW_SOURCE_DIR "/configs/uaflp/imga-symmetry2019.toml";
    const auto digest = [&](const char* threads) {
        const Ended run = short_run(file, "20", {"--set", "algorithm.size=32", "--threads", threads});
        REQUIRE_MESSAGE(run.code == 0, run.err);
        return Json::parse(run.out)["digest"].get<std::string>();
    };
    const std::string one = digest("1");
    CHECK(digest("2") == one);
    CHECK(digest("16") == one);
}

TEST_CASE("the island GA refuses an improver for another encoding in one message") {
    const Ended run = qapfw_run({"run", "--set", "problem.plugin=qap", "--set", "problem.instance=tai12a", "--set",
                                 "algorithm.plugin=imga", "--set", "algorithm.improver.plugin=fbs_local_search",
                                 "--iterations", "1", "--set", "output.record=false"});
    CHECK(run.code != 0);
    CHECK(run.err.find("permutation+bays") != std::string::npos);
}
