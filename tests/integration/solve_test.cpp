// SPDX-License-Identifier: Apache-2.0
// `qapfw solve` with nothing but an instance must choose the problem that knows the file. It must take the default
// algorithm.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

const std::string kExamples = std::string(QAPFW_SOURCE_DIR) + "/configs/qap/instances";

Ended solve(const std::string& instance, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"solve", instance, "--backend",           "cpu",   "--threads",
                                       "1",     "--set",  "output.record=false", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return qapfw_run(arguments);
}

Json solved(const std::string& instance, const std::vector<std::string>& more = {"--iterations", "20"}) {
    const Ended run = solve(instance, more);
    CHECK_MESSAGE(run.code == 0, run.err);
    return run.code == 0 ? Json::parse(run.out) : Json::object();
}

void check_refused(const std::string& instance, const std::string& sentence) {
    const Ended run = solve(instance);
    CHECK(run.code == 2);
    CHECK_MESSAGE(run.err.find(sentence) != std::string::npos, run.err);
}

}  // namespace

TEST_CASE("each kind of file is known by its content or its ending") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run({"instance", "export", "tai12a", "-o", place / "plain"}).code == 0);
    CHECK(solved(place / "plain")["problem"] == "qap");
    CHECK(solved(place.write("two.csv", "0,1\n1,0\n0,3\n3,0\n"))["best_cost"] == 6);
    CHECK(solved(kExamples + "/grid5x6.tsp", {"--time", "1s", "--target", "300"})["target_reached"] == true);
    const std::string graph = place.write("graph", contents(kExamples + "/planted12.clq"));
    CHECK(solved(graph, {"--time", "5s", "--target", "12"})["target_reached"] == true);
    CHECK(solved(kExamples + "/mesh5x6.col", {"--iterations", "5", "--set", "problem.reduction=partition", "--set",
                                              "problem.parts=2"})["problem"] == "qap");
    REQUIRE(qapfw_run({"instance", "export", "F20", "--problem", "uaflp", "-o", place / "layout.toml"}).code == 0);
    CHECK(solved(place / "layout.toml")["problem"] == "uaflp");
}

TEST_CASE("names are found where they are generated and in the data folders") {
    const TemporaryFolder place;
    CHECK(solved("tai12a")["instance"] == "tai12a");
    CHECK(solved("queens8")["problem"] == "qap");
    CHECK(solved("F20")["problem"] == "uaflp");
    std::filesystem::create_directories(place / "tsplib");
    std::filesystem::copy(kExamples + "/grid5x6.tsp", place / "tsplib/mine.tsp");
    CHECK(solved("mine", {"--iterations", "5", "--data", place.path().string()})["instance"] == "mine");
    std::filesystem::create_directories(place / "qaplib");
    std::ofstream(place / "qaplib/mine.dat") << "2 0 1 1 0 0 3 3 0\n";
    const Ended both = solve("mine", {"--data", place.path().string()});
    CHECK(both.code == 2);
    CHECK(both.err.find("several ways to read it: problem qap reads it as a QAPLIB file, problem qap reads it as a "
                        "TSPLIB file, reduction = \"tsp\"; say which with --problem ID and --set problem.KEY=VALUE") !=
          std::string::npos);
    CHECK(solved("mine", {"--data", place.path().string(), "--problem", "qap", "--iterations", "5"})["best_cost"] == 6);
}

TEST_CASE("a file that is not an instance is refused, and the message says what was wanted") {
    const TemporaryFolder place;
    check_refused("no/such.dat", "no/such.dat: there is no such file");
    check_refused(place.path().string(), "an instance file was wanted, found a folder");
    check_refused("tai60", "did you mean tai60a");
    check_refused(place.write("text.txt", "Dear all,\n"), "no problem knows a file like this; problem ");
    check_refused(place.write("short.dat", "2 0 1\n"), "short.dat:2:1: the text ends after 2 of the 8 entries");
    const std::string config = std::string(QAPFW_SOURCE_DIR) + "/configs/quickstart.toml";
    check_refused(config, "this is a run's configuration; start it with: qapfw run " + config);
}

TEST_CASE("the record of a solved instance is complete: it is verified and says everything that was chosen") {
    const TemporaryFolder place;
    const Ended run = qapfw_run({"solve", "tai12a", "--seed", "3", "--threads", "1", "--backend", "cpu", "--iterations",
                                 "30", "--out", place / "r"});
    REQUIRE(run.code == 0);
    const std::string config = contents(place / "r/config.toml");
    for (const char* line : {"plugin = \"qap\"", "instance = \"tai12a\"", "seed = 3", "[algorithm]"})
        CHECK(config.find(line) != std::string::npos);
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    const Ended again = qapfw_run({"run", place / "r/config.toml", "--out", place / "s"});
    REQUIRE(again.code == 0);
    CHECK(Json::parse(contents(place / "r/result.json"))["digest"] ==
          Json::parse(contents(place / "s/result.json"))["digest"]);
}

TEST_CASE("a configuration may name its instance alone") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run({"instance", "export", "tai12a", "-o", place / "beside.dat"}).code == 0);
    const std::string config = place.write("c.toml", "problem.instance = \"beside.dat\"\nrun.iterations = 5\n");
    CHECK(qapfw_run({"run", config, "--set", "output.record=false"}).code == 0);
    const Ended valid = qapfw_run({"validate", config});
    CHECK(valid.out.find("plugin = \"qap\"") != std::string::npos);
    const std::string wrong = place.write("w.toml", "problem.instance = 5\n");
    CHECK(qapfw_run({"run", wrong})
              .err.find("problem.instance must be a text (a file's path or a name), found the integer 5") !=
          std::string::npos);
}

TEST_CASE("without a limit an instance is solved for a minute") {
    const TemporaryFolder place;
    Process run({"solve", "tai12a", "--backend", "cpu", "--out", place / "r"});
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!std::filesystem::exists(place / "r/config.toml") && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.send(SIGTERM);
    CHECK(run.wait().code == 128 + SIGTERM);
    CHECK(contents(place / "r/config.toml").find("time_limit = \"60s\"") != std::string::npos);
}

TEST_CASE("a graph and a target need nothing else, and the log says which solver works on them") {
    const TemporaryFolder place;
    REQUIRE(qapfw_run({"instance", "export", "rgg2:1000", "--problem", "sparse_qap", "--set", "distance=torus:10x10x10",
                       "-o", place / "mine.graph"})
                .code == 0);
    const Json result = solved(place / "mine.graph", {"--distance", "torus:10x10x10", "--iterations", "2000"});
    CHECK(result["problem"] == "sparse_qap");
    CHECK(result["algorithm"] == "mapping");
    CHECK(result["best_cost"] < 20'000);
    CHECK(solved("grid:16x16", {"--distance", "grid:16x16", "--iterations", "3000"})["best_cost"] == 960);
    CHECK(solved("rgg2:1000", {"--distance", "torus:11x10x10", "--iterations", "50"})["n"] == 1100);
    const auto constructions = [](const char* limit, const char* value) {
        return solved("rgg2:64", {"--distance", "tree:4:4:4/1:10:100", limit, value})["statistics"]["constructions"];
    };
    CHECK(constructions("--iterations", "5") == 3);
    // The quickest construction is not counted. The short time limit leaves out the slow one of the three others.
    CHECK(constructions("--time", "0.05s") == 2);
    const Ended told = solve("grid:4x4", {"--distance", "torus:4x4", "--iterations", "2", "--verbose"});
    CHECK(told.err.find("the problem proposes swaps that bring elements near their neighbours, and no table of all "
                        "pairs is kept. The cost has 24 terms; there are 120 pairs of positions") != std::string::npos);
}

TEST_CASE("a user's own mapping is refined") {
    const TemporaryFolder place;
    std::string map = "256\n";
    for (int k = 0; k < 256; ++k) map += std::to_string(k) + "\t" + std::to_string(k) + "\n";
    const Json start = solved(
        "grid:16x16", {"--distance", "grid:16x16", "--iterations", "1", "--initial", place.write("mine.map", map)});
    CHECK(start["best_cost"] == 960);
    const Ended run = solve("grid:16x16", {"--distance", "grid:16x16", "--initial", place.write("bad.map", "1\n1\n")});
    CHECK(run.code == 2);
    CHECK_MESSAGE(run.err.find("location 1 (counted from 0) is taken twice") != std::string::npos, run.err);
}

TEST_CASE("a graph is converted from format to format, and ranks are written for launchers") {
    const TemporaryFolder place;
    const auto converted = [&](const std::string& from, const std::string& to) {
        const Ended run = qapfw_run({"instance", "convert", from, place / to});
        CHECK_MESSAGE(run.code == 0, run.err);
        return place / to;
    };
    const std::string first = converted("rgg2:300", "a.graph");
    std::string last = first;
    for (const char* name : {"a.grf", "a.mtx", "a.csv", "b.graph"}) last = converted(last, name);
    CHECK(std::filesystem::file_size(last) == std::filesystem::file_size(first));
    CHECK(qapfw_run({"instance", "convert", "rgg2:300", place / "a.xyz"}).code == 2);

    const std::string machine = place.write("t.conf",
                                            "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\n"
                                            "SwitchName=top Switches=s[0-1]\n");
    const Ended run = qapfw_run({"solve", "rgg2:30", "--distance", "slurm:" + machine + "*4", "--iterations", "50",
                                 "--backend", "cpu", "--no-record", "--rankfile", place / "ranks"});
    CHECK_MESSAGE(run.code == 0, run.err);
    CHECK(run.out.find("hop-bytes ") != std::string::npos);
    const std::string ranks = contents(place / "ranks");
    CHECK(ranks.find("rank 0=n") == 0);
    CHECK(std::count(ranks.begin(), ranks.end(), '\n') == 30);
    // The file that SLURM_HOSTFILE names for Slurm's --distribution=arbitrary has a line for each task, in the order of
    // the tasks. A line is the name of the task's host.
    REQUIRE(qapfw_run({"solve", "grid:32", "--distance", "slurm:" + machine + "*4", "--iterations", "50", "--backend",
                       "cpu", "--no-record", "--rankfile", place / "job.hosts"})
                .code == 0);
    std::istringstream hosts(contents(place / "job.hosts"));
    std::map<std::string, int> tasks;
    for (std::string line; std::getline(hosts, line);) ++tasks[line];
    CHECK(tasks == std::map<std::string, int>{
                       {"n0", 4}, {"n1", 4}, {"n2", 4}, {"n3", 4}, {"n4", 4}, {"n5", 4}, {"n6", 4}, {"n7", 4}});
    const std::string box = place.write("m.xml",
                                        "<object type=\"Machine\"><info name=\"HostName\" value=\"box\"/>"
                                        "<object type=\"Core\"/><object type=\"Core\"/></object>");
    REQUIRE(qapfw_run({"solve", "grid:4", "--distance", "hwloc:" + box + "*2", "--iterations", "50", "--backend", "cpu",
                       "--no-record", "--rankfile", place / "slots"})
                .code == 0);
    std::istringstream slots(contents(place / "slots"));
    std::multiset<std::string> places;
    for (std::string line; std::getline(slots, line);) places.insert(line.substr(line.find('=') + 1));
    CHECK(places == std::multiset<std::string>{"box slot=0", "box slot=0", "box slot=1", "box slot=1"});
    const Ended none = qapfw_run({"solve", "rgg2:30", "--distance", "grid:6x5", "--iterations", "50", "--backend",
                                  "cpu", "--no-record", "--rankfile", place / "none"});
    CHECK(none.code == 2);
    CHECK(none.err.find("the locations have no names of hosts") != std::string::npos);
}

TEST_CASE("a long solution stands in a file beside a small result.json, which verify and resume read") {
    const TemporaryFolder place;
    const std::vector<std::string> on{"solve", "rgg2:12000",  "--distance", "grid:120x100", "--backend",
                                      "cpu",   "--algorithm", "mapping",    "--set",        "algorithm.constructions=1",
                                      "--out", place / "r"};
    std::vector<std::string> run = on;
    run.insert(run.end(), {"--iterations", "50"});
    REQUIRE(qapfw_run(run).code == 0);
    CHECK(std::filesystem::file_size(place / "r/result.json") < 10'000);
    const std::string file = Json::parse(contents(place / "r/result.json"))["solution"]["file"];
    CHECK(std::filesystem::file_size(place / ("r/" + file)) == 24 + 4 * 12'000);
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    const Ended more = qapfw_run({"resume", place / "r", "--iterations", "400"});
    CHECK_MESSAGE(more.code == 0, more.err);
    const std::string later = Json::parse(contents(place / "r/result.json"))["solution"]["file"];
    CHECK(later != file);
    CHECK(!std::filesystem::exists(place / ("r/" + file)));
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    std::string bytes = contents(place / ("r/" + later));
    bytes[100] = static_cast<char>(bytes[100] ^ 1);
    place.write("r/" + later, bytes);
    const Ended damaged = qapfw_run({"verify", place / "r"});
    CHECK(damaged.code != 0);
    CHECK_MESSAGE((damaged.err + damaged.out).find("its hash differs from the hash in its name") != std::string::npos,
                  damaged.err);
}

TEST_CASE("a run that ended within its first round says so, others do not") {
    const std::vector<std::string> on{"--distance", "grid:200x200"};
    const auto err = [&](std::vector<std::string> more) {
        more.insert(more.begin(), on.begin(), on.end());
        const Ended run = solve("rgg2:40000", more);
        CHECK(run.code == 0);
        return run.err;
    };
    const std::string sentence = "solver mapping ended within its first round";
    CHECK(err({"--time", "0.02s"}).find(sentence) != std::string::npos);
    CHECK(err({"--iterations", "2"}).find(sentence) == std::string::npos);
}

TEST_CASE("a graph without a target, a target that is too small, and a solver that scans all pairs are refused") {
    int code = 2;
    const auto says = [&](const std::vector<std::string>& more, const std::string& sentence) {
        const Ended run = solve("rgg2:1000", more);
        CHECK(run.code == code);
        CHECK_MESSAGE(run.err.find(sentence) != std::string::npos, run.err);
    };
    says({}, "must have the key distance: a text. The locations and their distances. By a formula: grid:64x64");
    says({"--distance", "torus:9x9x9"}, "the graph has 1000 vertices, but \"torus:9x9x9\" has only 729 locations");

    const TemporaryFolder place;
    const std::string wrong = place.write("wrong.csv", "a,b,1\nb,,2\n");
    const Ended file = solve(wrong, {"--distance", "torus:2x2"});
    CHECK(file.code == 2);
    CHECK_MESSAGE(file.err.find("wrong.csv:2:1: an edge \"u,v,weight\" was wanted") != std::string::npos, file.err);
    CHECK(file.err.find("can read the instance") == std::string::npos);

    code = 12;
    says({"--distance", "torus:10x10x10", "--algorithm", "tabu"}, "solver tabu scans all pairs of positions");
}
