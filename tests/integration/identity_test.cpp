// SPDX-License-Identifier: Apache-2.0
// Records are recognised by their data and plugins, not by names and paths.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using qapfw::test::contains;

namespace {

const char* const kStudy = R"(title = "Mine"
seeds = 2
[problem]
plugin = "qap"
[run]
iterations = 50
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["my.dat"]
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 1 }
)";

/// A QAP of twelve facilities in QAPLIB's format. Each `kind` gives different data.
std::string instance_text(int kind) {
    constexpr int kSize = 12;
    std::string text = std::to_string(kSize) + "\n";
    for (int k = 0; k < 2 * kSize * kSize; ++k) {
        const int row = k / kSize % kSize, column = k % kSize;
        text += std::to_string(row == column ? 0 : (k * 37 + kind * row * column) % 19) +
                (column + 1 == kSize ? "\n" : " ");
    }
    return text;
}

/// A study on my.dat in a separate folder.
class Place {
  public:
    Place() {
        folder_.write("my.toml", kStudy);
        folder_.write("my.dat", instance_text(1));
    }
    const TemporaryFolder& folder() const { return folder_; }
    std::filesystem::path work() const { return folder_.path() / "runs/my"; }
    Ended study(std::vector<std::string> words, std::vector<std::string> more = {}) const {
        words.insert(words.begin(), "study");
        words.insert(words.end(), more.begin(), more.end());
        return qapfw_run(words, {.folder = folder_.path().string()});
    }
    Ended report(std::vector<std::string> words) const {
        words.insert(words.begin(), "report");
        return qapfw_run(words, {.folder = folder_.path().string()});
    }
    /// Options that load the tabu search from a copy of its library. Extra bytes give the copy another hash.
    std::vector<std::string> other_build() const {
        const auto plugins = std::filesystem::path(binary()).parent_path().parent_path() / "lib/qapfw/plugins-2";
        folder_.write("plugins/tabu.qapfw.so", contents(plugins / "tabu.qapfw.so") + "another build");
        return {"--plugin-path", folder_ / "plugins", "--allow-writable-plugins"};
    }
    std::vector<std::string> cells() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(work() / "runs"))
            names.push_back(entry.path().filename().string());
        return names;
    }
    /// Number of lines of a table's CSV, without its head.
    long lines(const std::string& file) const {
        const std::string text = contents(folder_.path() / file);
        return std::count(text.begin(), text.end(), '\n') - 1;
    }

  private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a study notices that its instance's file has changed, and makes new runs beside the old ones") {
    const Place place;
    REQUIRE(place.study({"run", "my.toml"}).code == 0);
    place.folder().write("my.dat", instance_text(2));
    const Ended plan = place.study({"plan", "my.toml"});
    CHECK_MESSAGE(contains(plan.out, "0 runs have finished already"), plan.out);
    const Ended again = place.study({"run", "my.toml"});
    CHECK(again.code == 0);
    CHECK_MESSAGE(contains(again.err, "my.dat | tabu: the instance's data have changed: fingerprint "), again.err);
    CHECK(contains(again.err, "the runs on the old data stay in runs/tabu-my.dat-"));
    CHECK(place.cells().size() == 2);
    CHECK(place.study({"report", "runs/my"}).code == 0);
    CHECK(place.lines("runs/my/runs.csv") == 2);  // runs on the old data are left out
}

TEST_CASE("a run on data that changed during a study does not count for the study") {
    const Place place;
    REQUIRE(place.study({"run", "my.toml"}).code == 0);
    const std::string cell = place.cells().front(), record = (place.work() / "runs" / cell / "s2").string();
    // Replaces the file after the study's plan was made and before the next run.
    place.folder().write("my.dat", instance_text(2));
    std::filesystem::remove_all(record);
    REQUIRE(qapfw_run({"run", (place.work() / "cells" / (cell + ".toml")).string(), "--quiet", "--seed", "2", "--out",
                       record},
                      {.folder = place.folder().path().string()})
                .code == 0);
    const Ended status = place.study({"status", "runs/my"});
    CHECK_MESSAGE(contains(status.out, "1 of 2 runs done, 0 running, 1 of other data"), status.out);
    CHECK(contains(status.out, "s2/result.json: its instance had data with the fingerprint "));
    const Ended report = place.study({"report", "runs/my"});
    CHECK(report.code == 0);
    CHECK(place.lines("runs/my/runs.csv") == 1);
    place.folder().write("my.dat", instance_text(1));
    CHECK(place.study({"run", "my.toml"}).code == 10);
    CHECK(place.study({"run", "my.toml", "--retry"}).code == 0);
    CHECK(contains(place.study({"status", "runs/my"}).out, "2 of 2 runs done"));
    CHECK(std::filesystem::exists(place.work() / "aside" / (cell + ".s2-1")));
}

TEST_CASE("algorithms whose names look alike as files have records of their own, whatever they run") {
    const Place place;
    std::string twice = kStudy;
    twice.replace(twice.find("\"tabu\"\nset"), 6, "\"T+1\"");
    twice += "[[algorithms]]\nname = \"T 1\"\nset = { algorithm.plugin = \"tabu\", algorithm.searches = 1 }\n";
    place.folder().write("my.toml", twice);
    REQUIRE(place.study({"run", "my.toml"}).code == 0);
    CHECK(place.cells().size() == 2);
    CHECK(contains(place.study({"status", "runs/my"}).out, "4 of 4 runs done"));
    CHECK(place.study({"report", "runs/my"}).code == 0);
    CHECK(place.lines("runs/my/runs.csv") == 4);
}

TEST_CASE("a report keeps records of different data under one name apart") {
    const Place place;
    const auto run = [&](const std::string& record, const char* seed) {
        REQUIRE(qapfw_run({"run", "--quiet", "--set", "problem.plugin=qap", "--set", "problem.instance=my.dat", "--set",
                           "algorithm.plugin=tabu", "--set", "algorithm.searches=1", "--backend", "cpu", "--iterations",
                           "50", "--seed", seed, "--out", record},
                          {.folder = place.folder().path().string()})
                    .code == 0);
    };
    run("x1", "1");
    place.folder().write("my.dat", instance_text(2));
    run("x2", "2");
    const Ended ended = place.report({"x1", "x2", "--out", "page"});
    CHECK(ended.code == 0);
    CHECK_MESSAGE(contains(ended.err, "my: there are runs on different data under this name (fingerprints "),
                  ended.err);
    const std::string results = contents(place.folder().path() / "page/tables/results.csv");
    CHECK(contains(results, "my,"));
    CHECK_MESSAGE(contains(results, "my (data "), results);
    CHECK(contains(contents(place.folder().path() / "page/report.html"), "runs on different data under this name"));
}

TEST_CASE("a start from a record of other data is reported") {
    const Place place;
    const auto run = [&](const std::string& record, const std::vector<std::string>& more) {
        std::vector<std::string> words{"run",
                                       "--set",
                                       "problem.plugin=qap",
                                       "--set",
                                       "problem.instance=my.dat",
                                       "--set",
                                       "algorithm.plugin=tabu",
                                       "--backend",
                                       "cpu",
                                       "--iterations",
                                       "50",
                                       "--out",
                                       record};
        words.insert(words.end(), more.begin(), more.end());
        return qapfw_run(words, {.folder = place.folder().path().string()});
    };
    REQUIRE(run("x1", {}).code == 0);
    const Ended same = run("x2", {"--set", "problem.initial=x1/solution.sln"});
    CHECK(same.code == 0);
    CHECK_FALSE(contains(same.err, "its record is of"));
    place.folder().write("my.dat", instance_text(2));
    const Ended other = run("x3", {"--set", "problem.initial=x1/solution.sln"});
    CHECK_MESSAGE(contains(other.err, "x1/solution.sln: the record is of my with the data "), other.err);
}

TEST_CASE("runs of different builds of the plugins are pooled only on request") {
    const Place place;
    const std::vector<std::string> other = place.other_build();
    REQUIRE(place.study({"run", "my.toml", "--seeds", "1"}).code == 0);
    const Ended refused = place.study({"run", "my.toml"}, other);
    CHECK(refused.code == 2);
    CHECK_MESSAGE(
        contains(refused.err,
                 "runs/my: 1 of the 2 runs were made with other builds of the plugins than the installed ones"),
        refused.err);
    CHECK(contains(refused.err, "continue with --pool-builds, which counts the runs of all builds together"));
    CHECK(contains(place.study({"status", "runs/my"}).out, "1 of 1 runs done"));  // the refused run wrote nothing
    const Ended whole = place.study({"run", "my.toml", "--seeds", "1"}, other);   // all runs are done, so none is added
    CHECK(whole.code == 0);
    CHECK(contains(whole.err, "1 of the 1 runs were made with other builds of the plugins than the installed ones"));

    CHECK(place.study({"run", "my.toml", "--pool-builds"}, other).code == 0);
    const Ended status = place.study({"status", "runs/my"});
    CHECK_MESSAGE(contains(status.out, "cells with runs of several builds of the plugins: 1"), status.out);
    const Ended pooled = place.study({"report", "runs/my"});
    CHECK(pooled.code == 0);
    CHECK_MESSAGE(contains(pooled.err, "tabu: its runs were made with 2 builds of its plugins (recorded solver tabu "),
                  pooled.err);
    CHECK(contains(pooled.err, "they are counted together, as asked"));
    CHECK(place.lines("runs/my/tables/results.csv") == 1);

    // Reports the same records by their folders instead of through the study.
    const std::string cell = "runs/my/runs/" + place.cells().front();
    const Ended apart = place.report({cell + "/s1", cell + "/s2", "--out", "apart"});
    CHECK(apart.code == 0);
    CHECK(contains(apart.err, "they are kept apart; --pool-builds counts them together"));
    CHECK(contains(contents(place.folder().path() / "apart/tables/results.csv"), "tabu (build 2)"));
    CHECK(place.report({cell + "/s1", cell + "/s2", "--pool-builds", "--out", "pooled"}).code == 0);
    CHECK_FALSE(contains(contents(place.folder().path() / "pooled/tables/results.csv"), "(build 2)"));
}

TEST_CASE("a study's folder of an earlier version, whose cells do not know their data, is reported and made again") {
    const Place place;
    REQUIRE(place.study({"run", "my.toml"}).code == 0);
    nlohmann::ordered_json plan = nlohmann::ordered_json::parse(contents(place.work() / "plan.json"));
    plan["plan_version"] = 1;
    for (auto& cell : plan["cells"]) {
        cell.erase("instance_fingerprint");
        std::filesystem::rename(place.work() / "runs" / cell["id"].get<std::string>(), place.work() / "runs/tabu-old");
        cell["id"] = "tabu-old";
    }
    place.folder().write("runs/my/plan.json", plan.dump(1) + "\n");
    CHECK(contains(place.study({"status", "runs/my"}).out, "2 of 2 runs done"));
    CHECK(place.study({"report", "runs/my"}).code == 0);
    CHECK(place.lines("runs/my/runs.csv") == 2);
    const Ended again = place.study({"run", "my.toml"});
    CHECK(again.code == 0);
    CHECK_MESSAGE(contains(again.err, "runs/my: an earlier version of qapfw made this folder"), again.err);
    CHECK(place.cells().size() == 2);
}

TEST_CASE("--skip-missing leaves out the spelling that is not there, not the instance that is") {
    const Place place;
    std::string text = kStudy;
    text.replace(text.find("\"my.dat\""), 8, "\"gone/my.dat\", \"my.dat\"");
    place.folder().write("my.toml", text);
    const Ended plan = place.study({"plan", "my.toml", "--skip-missing"});
    CHECK(plan.code == 0);
    CHECK_MESSAGE(contains(plan.out, "1 cells x 2 seeds"), plan.out);
    CHECK(contains(plan.out, "  my.dat | tabu"));
    CHECK(contains(plan.err, "left out: "));
}
