// SPDX-License-Identifier: Apache-2.0
// `qapfw study`: which algorithms run, with which seeds, and how long the plan expects them to take.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/integration/process.hpp"
#include "tests/integration/small_study.hpp"

using namespace qapfw;
using namespace qapfw::testing;

TEST_CASE("--only leaves out what does not run by default, unless its name is in the pattern") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, std::string(kStudy) + R"([[algorithms]]
name = "tabu-two-GPUs"
set = { algorithm.plugin = "tabu", algorithm.searches = 4 }
default = false
)");
    const auto planned = [&](const std::string& pattern) {
        const Ended plan = study(folder, {"plan", file, "--only", pattern});
        CHECK_MESSAGE(plan.code == 0, plan.err);
        return plan.out;
    };
    for (const char* pattern : {"*", "**", "?*"}) {
        CAPTURE(pattern);
        CHECK(planned(pattern).find("4 cells") != std::string::npos);
        CHECK(planned(pattern + std::string("/tai20a")).find("2 cells") != std::string::npos);
    }
    for (const char* pattern : {"*-two-GPUs", "tabu-two-GPUs", "*GPU*"}) {
        CAPTURE(pattern);
        CHECK(planned(pattern).find("2 cells") != std::string::npos);
        CHECK(planned(pattern + std::string("/*")).find("2 cells") != std::string::npos);
    }
    CHECK(planned("tabu*").find("4 cells") != std::string::npos);
    CHECK(study(folder, {"plan", file, "--only", "*/nug12"}).err.find("give at least part of its name, not only '*'") !=
          std::string::npos);
}

TEST_CASE("with seeds_by = \"algorithm\" every algorithm has seeds of its own, whatever else is run") {
    const TemporaryFolder folder;
    const std::string file = write_study(folder, kStudy, "seeds = 3", "seeds = 3\nseeds_by = \"algorithm\"");
    CHECK(study(folder, {"plan", file}).out.find("3 seeds, but alpha = 0.05 needs 4\n") != std::string::npos);
    REQUIRE(study(folder, {"run", file, "--only", "random"}).code == 0);
    const auto seeds = [&] {
        std::map<std::string, std::set<std::string>> of;  // seeds of the cells whose names begin with the key
        for (const auto& cell : std::filesystem::directory_iterator(folder.path() / "runs/small/runs")) {
            for (const auto& run : std::filesystem::directory_iterator(cell.path()))
                of[cell.path().filename().string().substr(0, 4)].insert(run.path().filename().string());
        }
        return of;
    };
    const auto alone = seeds();
    REQUIRE(study(folder, {"run", file}).code == 0);
    const auto all = seeds();
    CHECK(alone.at("rand") == all.at("rand"));
    CHECK(all.at("rand").size() == 3);  // not 6, since both instances have the same seeds
    CHECK(all.at("tabu").size() == 3);
    for (const std::string& seed : all.at("tabu")) CHECK(all.at("rand").count(seed) == 0);
    CHECK(study(folder, {"status", "runs/small"}).out == "Small: 12 of 12 runs done, 0 running\n");
    REQUIRE(study(folder, {"report", "runs/small"}).code == 0);
    CHECK(contents(folder.path() / "runs/small/tables/comparisons.csv").find("rank sum") != std::string::npos);
    const Ended changed = study(folder, {"run", write_study(folder, kStudy)});
    CHECK(changed.err.find("all algorithms now share the same seeds; before, each had its own") != std::string::npos);
}

TEST_CASE("--paper runs the columns of the printed table, and a quick title says what it changed") {
    const TemporaryFolder folder;
    std::string text = kStudy;
    const std::size_t end = text.size();
    text.insert(end,
                "paper = false\n[[algorithms]]\nname = \"one thread\"\ndefault = false\npaper = true\nset = { "
                "algorithm.plugin = \"tabu\", run.iterations = 10 }\n[quick]\nseeds = 2\nset = { run.iterations = "
                "9 }\ninstances = [\"tai20a\"]\n");
    const std::string file = folder.write("small.toml", text).string();
    const auto cells = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"plan", file};
        words.insert(words.end(), more.begin(), more.end());
        const Ended plan = study(folder, words);
        REQUIRE(plan.code == 0);
        return plan.out;
    };
    CHECK(cells({}).find("one thread") == std::string::npos);
    const std::string paper = cells({"--paper"});
    CHECK(paper.find("tai20b | one thread") != std::string::npos);
    CHECK(paper.find("tai20b | tabu") != std::string::npos);
    CHECK(paper.find("random") == std::string::npos);
    CHECK(cells({"--paper", "--only", "*/tai20b"}).find("2 cells x 3 seeds") != std::string::npos);
    CHECK(cells({"--paper", "--commands"}).find(" --paper ") != std::string::npos);
    CHECK(cells({"--quick"}).find("Small (quick: 2 seeds of 3; run.iterations = 9; instances tai20a alone)\n") == 0);
    // With --paper, a study has exactly those algorithms that are columns in the paper's tables.
    const std::filesystem::path studies = std::filesystem::path(QAPFW_SOURCE_DIR) / "configs/studies";
    const auto of_paper = [&](const char* name) {
        return study(folder, {"plan", (studies / name).string(), "--paper", "--skip-missing"}).out;
    };
    const std::string table5 = of_paper("medal2011-table5.toml"), table6 = of_paper("medal2011-table6.toml");
    for (const char* column : {"MATA-as-printed", "non-MATA", "CPU"})
        CHECK_MESSAGE(table5.find(std::string("tai150b | ") + column + "\n") != std::string::npos, column);
    CHECK(table5.find("30 cells") != std::string::npos);
    for (const char* column :
         {"TS-as-printed", "TS-non-MATA", "CPU-TS", "2-opt-as-printed", "2-opt-non-MATA", "CPU-2-opt"})
        CHECK_MESSAGE(table6.find(std::string("tai40a | ") + column + "\n") != std::string::npos, column);
    for (const char* column : {"GPU", "GA-1", "GA-2"})
        CHECK(of_paper("gecco2009-table1.toml").find(std::string("tai25b | ") + column + "\n") != std::string::npos);
    for (const char* column : {"T30", "T60", "ModelI", "ModelII"})
        CHECK(of_paper("cec2010-table3.toml").find(std::string("tai25b | ") + column + "\n") != std::string::npos);
}

TEST_CASE("a plan tells which runs can end early, and goes by the runs that are done") {
    const TemporaryFolder folder;
    const std::string file =
        write_study(folder, kStudy, "iterations = 2000", "stagnation = 500\ntarget = 1\ntime_limit = \"150s\"");
    CHECK(study(folder, {"plan", file})
              .out.find("at most 30 m 00 s (runs at a time: 1); 12 runs can end before their limit") !=
          std::string::npos);
    REQUIRE(study(folder, {"run", file, "--seeds", "1"}).code == 0);  // each run ends before its time limit
    const std::string out = study(folder, {"plan", file}).out;
    CHECK(out.find("4 runs have finished already; judging by the finished runs, 8 of the other runs take about ") !=
          std::string::npos);
    std::size_t stagnated = 0;
    for (const auto& cell : std::filesystem::directory_iterator(folder.path() / "runs/small/runs"))
        stagnated +=
            contents(cell.path() / "s1/result.json").find("\"stop_reason\": \"stagnation\"") != std::string::npos;
    CHECK(stagnated == 4);
    const Ended table1 = study(folder, {"plan", std::string(QAPFW_SOURCE_DIR) + "/configs/studies/cec2010-table1.toml",
                                        "--skip-missing", "--only", "no restart"});
    CHECK(table1.out.find("runs can end before their limit") != std::string::npos);
}
