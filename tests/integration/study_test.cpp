// SPDX-License-Identifier: Apache-2.0
// Tests of `qapfw study` and `qapfw report`, started as a user starts them.
#include <doctest/doctest.h>

#include <fstream>
#include <thread>

#include "tests/integration/process.hpp"
#include "tests/integration/small_study.hpp"

using namespace qapfw;
using namespace qapfw::testing;
namespace test = qapfw::test;

namespace {

/// The run and the cost in each line of `file`, a runs.csv.
std::string costs(const std::filesystem::path& file) {
    std::istringstream lines(contents(file));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string field;
        for (int k = 0; std::getline(fields, field, ','); ++k) {
            if (k == 0 || k == 6) text += field + " ";
        }
        text += "\n";
    }
    return text;
}

/// The names of the remaining claims. Files whose names begin with a dot are not claims.
std::vector<std::string> claims_left(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.front() != '.') names.push_back(name);
    }
    return names;
}

}  // namespace

TEST_CASE("a study is planned and run, and its status and report are shown") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, kStudy);
    const Ended plan = study(folder, {"plan", file});
    CHECK(plan.code == 0);
    CHECK(plan.out.find("4 cells x 3 seeds = 12 runs") != std::string::npos);
    CHECK(plan.out.find("too few runs to tell algorithms apart: the study has 3 seeds, but alpha = 0.05 needs 6\n") !=
          std::string::npos);
    const Ended run = study(folder, {"run", file, "--jobs", "2"});
    CHECK(run.code == 0);
    CHECK(run.err.find("12 of 12 runs done") != std::string::npos);
    CHECK(study(folder, {"status", "runs/small"}).out == "Small: 12 of 12 runs done, 0 running\n");
    CHECK(study(folder, {"report", "runs/small"}).code == 0);
    const auto work = folder.path() / "runs/small";
    for (const char* made :
         {"report.html", "runs.csv", "tables/results.csv", "tables/results.tex", "tables/results.md",
          "tables/comparisons.csv", "plots/run-lengths.csv", "study.sqlite", "ioh/tabu/IOHprofiler_f_tai20a.info"})
        CHECK_MESSAGE(std::filesystem::exists(work / made), made);
    // Each run of a study leaves an ordinary run record.
    for (const auto& cell : std::filesystem::directory_iterator(work / "runs"))
        CHECK(qapfw_run({"verify", (cell.path() / "s1").string()}).code == 0);
    // `qapfw report` makes a page of a single record too.
    const std::string record = (std::filesystem::directory_iterator(work / "runs")->path() / "s2").string();
    CHECK(qapfw_run({"report", record, "--out", folder / "page"}).code == 0);
    CHECK(contents(folder.path() / "page/report.html").find("<!doctype html>") == 0);
}

TEST_CASE("a changed study is reported by its differences, and only what differs is run") {
    const TemporaryFolder folder;
    REQUIRE(study(folder, {"run", write_study(folder, kStudy)}).code == 0);
    const Ended changed = study(folder, {"run", write_study(folder, kStudy, "searches = 2", "searches = 3")});
    CHECK(changed.code == 0);
    CHECK(changed.err.find("tai20a | tabu:\n    - searches = 2\n    + searches = 3") != std::string::npos);
    CHECK(changed.err.find("| random") == std::string::npos);
    std::size_t cells = 0;
    for (const auto& cell : std::filesystem::directory_iterator(folder.path() / "runs/small/runs"))
        cells += cell.is_directory() ? 1U : 0U;
    CHECK(cells == 6);  // the 4 cells of the first study, which are kept, and the 2 changed cells
}

TEST_CASE("runs of a study wait for the GPUs by default, since their seconds are compared") {
    const TemporaryFolder folder;
    const auto cell = [&](const std::string& device) {
        const std::string file = write_study(folder, kStudy, "backend = \"cpu\"", device);
        const Ended ended =
            study(folder, {"run", file, "--seeds", "1", "--only", "random/tai20a", "--set", "run.iterations=1"});
        // With "cuda" the run fails on a machine without a GPU, but its cell is written.
        if (!test::contains(device, "cuda")) REQUIRE(ended.code == 0);
        std::string text;
        for (const auto& made : std::filesystem::directory_iterator(folder.path() / "runs/small/cells"))
            text = contents(made.path());
        std::filesystem::remove_all(folder.path() / "runs/small");
        return text;
    };
    CHECK(test::contains(cell("backend = \"auto\""), "start_on_cpu = false"));
    CHECK(test::contains(cell("backend = \"cuda\""), "start_on_cpu = false"));
    CHECK(test::contains(cell("start_on_cpu = true"), "start_on_cpu = true"));
    CHECK_FALSE(test::contains(cell("backend = \"cpu\""), "start_on_cpu"));
}

TEST_CASE("parts of a study make its runs together, and each run has a command of its own") {
    const TemporaryFolder place;
    write_study(place, kStudy);
    REQUIRE(study(place, {"run", "small.toml", "--quiet"}).code == 0);
    const auto costs_in = [&](const std::string& work) {
        REQUIRE(study(place, {"report", work}).code == 0);
        return costs(place.path() / work / "runs.csv");
    };
    const std::string at_once = costs_in("runs/small");
    for (const char* part : {"2/2", "1/2"}) {
        const Ended ended = study(place, {"run", "small.toml", "--work", "runs/parts", "--part", part});
        CHECK(ended.code == 0);
        CHECK_MESSAGE(test::contains(ended.err, "6 of 6 runs done"), ended.err);
    }
    CHECK(costs_in("runs/parts") == at_once);

    const Ended plan = study(place, {"plan", "small.toml", "--work", "runs/it's one by one", "--set",
                                     "run.iterations=500", "--only", "tabu", "--commands"});
    CHECK(std::count(plan.out.begin(), plan.out.end(), '\n') == 6);
    place.write("all.sh", plan.out);
    CHECK(std::system(("cd '" + place.path().string() + "' && sh all.sh").c_str()) == 0);
    CHECK(test::contains(study(place, {"status", "runs/it's one by one"}).out, "6 of 6 runs done"));
    CHECK(study(place, {"plan", "small.toml", "--work", "runs/it's one by one", "--set", "run.iterations=500", "--only",
                        "tabu", "--commands"})
              .out.empty());
    for (const char* wrong : {"0/4", "5/4", "3", "1/", "a/b", "1/2x", "-1/2", "1/0"}) {
        const Ended refused = study(place, {"run", "small.toml", "--part", wrong});
        CHECK(refused.code == 2);
        CHECK_MESSAGE(test::contains(refused.err, "--part must be K/N, such as 3/40 (the third of 40 parts), found"),
                      refused.err);
    }
}

TEST_CASE("an archive of a study is a study: unpacked elsewhere it gives the same report, and its records verify") {
    const TemporaryFolder place;
    write_study(place, kStudy, "seeds = 3", "seeds = 1");
    REQUIRE(study(place, {"run", "small.toml", "--quiet", "--work", "runs/mine, and *"}).code == 0);
    const Ended archive = study(place, {"archive", "runs/mine, and *", "-o", "out.tar.gz"});
    CHECK_MESSAGE(archive.code == 0, archive.err);
    CHECK(test::contains(archive.err, "out.tar.gz: 4 runs, "));
    CHECK(std::system(("mkdir '" + place / "there" + "' && tar -xzf '" + place / "out.tar.gz" + "' -C '" +
                       place / "there" + "'")
                          .c_str()) == 0);
    const std::filesystem::path there = place.path() / "there/mine, and *";
    for (const char* kept : {"README.md", "report.html", "runs.csv", "study.toml", "plan.json", "tables", "cells"})
        CHECK_MESSAGE(std::filesystem::exists(there / kept), kept);
    for (const char* left : {"claims", "aside", "study.sqlite"})
        CHECK_MESSAGE(!std::filesystem::exists(there / left), left);
    const std::string before = contents(there / "runs.csv");
    CHECK(study(place, {"report", there.string()}).code == 0);
    CHECK(contents(there / "runs.csv") == before);
    for (const auto& cell : std::filesystem::directory_iterator(there / "runs"))
        CHECK(qapfw_run({"verify", (cell.path() / "s1").string()}).code == 0);
    CHECK(study(place, {"archive", "runs/mine, and *", "-o", "-"}).out.substr(0, 2) == "\x1f\x8b");
    CHECK(study(place, {"archive", "there"}).code == 2);
}

TEST_CASE("wrong studies are refused with one message, before anything runs") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& sentence) {
        CAPTURE(sentence);
        const Ended ended = study(folder, {"run", write_study(folder, kStudy, from, to)});
        CHECK(ended.code == 2);
        CHECK_MESSAGE(ended.err.find(sentence) != std::string::npos, ended.err);
        CHECK_FALSE(std::filesystem::exists(folder.path() / "runs"));
    };
    refused("algorithm.searches = 2", "algorithm.serches = 2",
            "unknown key \"serches\" in [algorithm] of solver \"tabu\"; did you mean searches?");
    refused("\"tabu\", alg", "\"tabo\", alg", "small.toml:14:");
    refused("tai20b", "tai999q", "tai999q");
    refused("iterations = 2000", "seed = 3", "run.seed cannot be set here");
    refused("name = \"random\"", "name = \"tabu\"", "is planned twice");
    refused("set = { algorithm.plugin = \"random_restart\" }", "config = \"none.toml\"",
            "a file that exists, found the text \"none.toml\"");
    CHECK(study(folder, {"run", "nowhere.toml"}).err.find("nowhere.toml: the study file does not exist") !=
          std::string::npos);
    CHECK(study(folder, {"report", folder.path().string()}).err.find("not the folder of a study") != std::string::npos);
    CHECK(qapfw_run({"report", folder.path().string()}).err.find("not a run record") != std::string::npos);
}

TEST_CASE("damaged records and those of another version are reported, kept, and made again on request") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, kStudy);
    REQUIRE(study(folder, {"run", file}).code == 0);
    const auto work = folder.path() / "runs/small";
    std::vector<std::filesystem::path> results;
    for (const auto& cell : std::filesystem::directory_iterator(work / "runs"))
        results.push_back(cell.path() / "s1/result.json");
    std::ofstream(results[0]) << "{ damaged";
    std::string other = contents(results[1]);
    other.replace(other.find("\"schema_version\": 1"), 19, "\"schema_version\": 9");
    std::ofstream(results[1]) << other;
    const Ended told = study(folder, {"run", file});
    CHECK(told.code == 10);
    CHECK(told.err.find("unreadable") != std::string::npos);
    CHECK(told.err.find("not a result of a run") != std::string::npos);
    CHECK(told.err.find("10 of 12 runs done") != std::string::npos);
    CHECK(study(folder, {"report", "runs/small"}).code == 0);
    CHECK(contents(work / "report.html").find("runs of the plan that are not in the tables: 2; 2 of them failed") !=
          std::string::npos);
    CHECK(study(folder, {"run", file, "--retry"}).code == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(work / "aside"), {}) == 2);
}

TEST_CASE("a study that is killed again and again, by two processes at once, ends with the same costs") {
    const TemporaryFolder undisturbed, folder;
    const std::string text = std::string(kStudy).replace(std::string(kStudy).find("2000"), 4, "9000");
    REQUIRE(study(undisturbed, {"run", write_study(undisturbed, text), "--quiet"}).code == 0);
    REQUIRE(study(undisturbed, {"report", "runs/small"}).code == 0);
    const std::string file = write_study(folder, text);
    const Process::Options place{.folder = folder.path().string()};
    for (int k = 0; k < 10; ++k) {
        Process first({"study", "run", file, "--quiet"}, place), second({"study", "run", file, "--quiet"}, place);
        std::this_thread::sleep_for(std::chrono::milliseconds(120 + 20 * k));
        first.send(SIGKILL);
        second.send(SIGKILL);
        first.wait();
        second.wait();
    }
    Process first({"study", "run", file, "--quiet"}, place), second({"study", "run", file, "--quiet"}, place);
    CHECK(first.wait().code == 0);
    CHECK(second.wait().code == 0);
    CHECK(claims_left(folder.path() / "runs/small/claims").empty());
    REQUIRE(study(folder, {"report", "runs/small"}).code == 0);
    CHECK(costs(folder.path() / "runs/small/runs.csv") == costs(undisturbed.path() / "runs/small/runs.csv"));
}

TEST_CASE("a claim of a process that died is cleared where its run is done, and other hosts' claims are left") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, kStudy);
    REQUIRE(study(folder, {"run", file}).code == 0);
    const auto work = folder.path() / "runs/small";
    const std::string cell = std::filesystem::directory_iterator(work / "runs")->path().filename().string();
    const auto claim = [&](const std::string& name, const std::string& owner) {
        std::filesystem::create_directory(work / "claims" / name);
        std::ofstream(work / "claims" / name / "owner") << owner;
    };
    for (const char* seed : {".s1.1", ".s1.2"}) claim(cell + seed, "elsewhere boot space\n1 1\n");
    claim(cell + ".s2.1", "elsewhere boot space\n1 1\n");
    for (const char* seed : {".s1.1", ".s1.2"}) {  // the owners of these claims have not touched them for an hour
        std::filesystem::last_write_time(work / "claims" / (cell + seed) / "owner",
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    }
    CHECK(study(folder, {"run", file}).code == 0);
    CHECK(claims_left(work / "claims") == std::vector<std::string>{cell + ".s2.1"});
}

/// Sends the signal once the study "small" has begun the records of two runs. Waits a minute at most.
void interrupt_in_two_runs(const Process& process, int signal, const TemporaryFolder& folder) {
    const auto begun = [&] {
        std::size_t configurations = 0;
        std::error_code gone;  // a file may vanish while its folder is read
        for (auto entry = std::filesystem::recursive_directory_iterator(folder.path() / "runs/small/runs", gone);
             entry != std::filesystem::recursive_directory_iterator(); entry.increment(gone))
            configurations += entry->path().filename() == "config.toml" ? 1U : 0U;
        return configurations;
    };
    for (int k = 0; k < 6000 && begun() < 2; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    REQUIRE(begun() == 2);
    process.send(signal);
}

TEST_CASE("Ctrl-C ends a study within a second, and it goes on where it was") {
    check_fastest_below(1.1, [] {
        const TemporaryFolder folder;
        const std::string file = write_study(folder, kStudy, "iterations = 2000", "time_limit = \"20s\"");
        Process process({"study", "run", file, "--jobs", "2"}, {.folder = folder.path().string()});
        interrupt_in_two_runs(process, SIGINT, folder);
        const auto begin = std::chrono::steady_clock::now();
        const Ended ended = process.wait();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        CHECK(ended.code == 130);
        CHECK(ended.err.find("stopped: 0 of 12 runs are done; run the same command again to continue") !=
              std::string::npos);
        CHECK(study(folder, {"status", "runs/small"}).out.find("2 started") != std::string::npos);
        return seconds;
    });
}

TEST_CASE("signals that launchers and batch systems send twice end a study in order") {
    for (const int signal : {SIGTERM, SIGUSR1}) {
        CAPTURE(signal);
        const TemporaryFolder folder;
        const std::string file = write_study(folder, kStudy, "iterations = 2000", "time_limit = \"20s\"");
        Process process({"study", "run", file, "--jobs", "2"}, {.folder = folder.path().string()});
        interrupt_in_two_runs(process, signal, folder);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        process.send(signal);
        const Ended ended = process.wait();
        CHECK(ended.code == 128 + signal);
        CHECK(ended.err.find("stopped: 0 of 12 runs are done; run the same command again to continue") !=
              std::string::npos);
        CHECK(study(folder, {"status", "runs/small"}).out.find("2 started") != std::string::npos);
    }
}

TEST_CASE("a failed run is reported, the others go on, and the failed one is tried again on request") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, kStudy);
    REQUIRE(study(folder, {"plan", file}).code == 0);
    // Runs the algorithm `random`, then replaces the folder of one of its cells with a file.
    REQUIRE(study(folder, {"run", file, "--only", "random"}).code == 0);
    std::filesystem::path cell;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "runs/small/runs"))
        cell = entry.path();
    std::filesystem::remove_all(cell);
    std::ofstream(cell) << "in the way";
    const Ended ended = study(folder, {"run", file});
    CHECK(ended.code == 10);
    CHECK(ended.err.find("seed 1: failed: ") != std::string::npos);
    CHECK(ended.err.find("9 of 12 runs done") != std::string::npos);
    std::filesystem::remove(cell);
    CHECK(study(folder, {"run", file}).code == 10);
    CHECK(study(folder, {"run", file, "--retry"}).code == 0);
}

TEST_CASE("a paper's symbol as a key gives a message with the parameter that it stands for") {
    const auto told = [](const std::string& key, const std::string& sentence) {
        const Ended ended = qapfw_run({"validate", "--set", "problem.plugin=qap", "--set", "problem.instance=tai20a",
                                       "--set", "algorithm.plugin=pga_grid", "--set", "algorithm." + key + "=0.5"});
        CHECK(ended.code == 2);
        CHECK_MESSAGE(ended.err.find(sentence) != std::string::npos, ended.err);
    };
    told("p_c", "did you mean crossover_rate, the literature's p_c?");
    told("p_m", "did you mean mutation_rate, the literature's p_m?");
    const auto refused = [](const std::string& solver, const std::string& key, const std::string& sentence) {
        const Ended ended = qapfw_run({"validate", "--set", "problem.plugin=qap", "--set", "problem.instance=tai20a",
                                       "--set", "algorithm.plugin=" + solver, "--set", "algorithm." + key + "=4"});
        CHECK(ended.code == 2);
        CHECK_MESSAGE(ended.err.find(sentence) != std::string::npos, ended.err);
    };
    refused("imga", "ns", "did you mean islands, the literature's N, ns?");
    refused("imga", "nc", "did you mean size, the literature's n, nc?");
    refused("ga_distributed", "k", "did you mean subpopulations, the literature's 30k, k?");
    refused("ga_distributed", "G_interval", "did you mean exchange_every, the literature's G_interval?");
    refused("ga_independent", "B_rate", "did you mean restart_share, the literature's B_rate?");
    refused("tabu", "N_S", "did you mean pairs_per_thread, the literature's N_S?");
    // The message names the plugins that have this symbol.
    refused("tabu", "p_c", "the symbol p_c stands for crossover_rate in [algorithm] of solver ");
}

TEST_CASE("every study file that comes with the program is planned, and small ones run") {
    if (std::getenv("QAPFW_DATA") == nullptr) {
        MESSAGE("SKIPPED: set QAPFW_DATA to the folder of instances");
        return;
    }
    const TemporaryFolder folder;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(QAPFW_SOURCE_DIR "/configs/studies")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path().string());
        for (const char* quick : {"", "--quick"}) {
            std::vector<std::string> words{"plan", entry.path().string()};
            if (*quick != '\0') words.emplace_back(quick);
            const Ended plan = study(folder, words);
            CHECK_MESSAGE(plan.code == 0, plan.err);
            CHECK(plan.out.find(" runs") != std::string::npos);
        }
        ++count;
    }
    CHECK(count >= 20);
    const auto made = [&](const std::string& name, const std::string& table) {
        CAPTURE(name);
        const std::string file = QAPFW_SOURCE_DIR "/configs/studies/" + name + ".toml";
        const Ended run = study(folder, {"run", file, "--quick", "--quiet", "--jobs", "2"});
        CHECK_MESSAGE(run.code == 0, run.err);
        const Ended report = study(folder, {"report", "runs/" + name + "-quick"});
        CHECK_MESSAGE(report.code == 0, report.err);
        return contents(folder.path() / "runs" / (name + "-quick") / "tables" / table);
    };
    CHECK(made("thesis2018-2opt", "references.csv").find("sweep 8n,nug30,cost_mean,cost,6203") != std::string::npos);
    CHECK(made("thesis2018-literature", "references.csv").find("Ramkumar [57],PGAGrid,kra32,cost_best,cost,88760") !=
          std::string::npos);
    CHECK(made("thesis2018-iterations", "references.csv").find("thesis2018,greedy 8n,els19") != std::string::npos);
    CHECK(made("medal2011-table2", "statistics.csv").find("tai40a,CPU,") != std::string::npos);
    const std::string children = made("questions-crossover", "statistics.csv");
    CHECK(children.find("children,children_kept,children_better") != std::string::npos);
    CHECK(children.find("nug30,\"2-opt, no crossover\",0,0,0") != std::string::npos);
    CHECK(children.find("nug30,2-opt 8n,0,") == std::string::npos);
}
