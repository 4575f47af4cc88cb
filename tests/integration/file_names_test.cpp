// SPDX-License-Identifier: Apache-2.0
// Names of files may have any bytes, not only UTF-8.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using qapfw::test::contains;
using Json = nlohmann::json;

namespace {

const std::string kLatin = "caf\xe9";  // in ISO 8859-1

/// A folder whose name is not UTF-8. It contains an instance, a data folder with an instance, and a study.
class LatinPlace {
  public:
    LatinPlace() {
        const std::string instance = qapfw_run({"instance", "export", "tai10a"}).out;
        for (const std::string& name : {kLatin + ".dat", std::string("data\xff/mine.dat")})
            folder_.write(kLatin + "/" + name, instance);
        folder_.write(kLatin + "/" + kLatin + ".toml", R"(seeds = 1
[problem]
plugin = "qap"
[run]
iterations = 20
[device]
backend = "cpu"
[[instances]]
names = ["mine"]
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 1 }
)");
    }
    std::filesystem::path path() const { return folder_.path() / kLatin; }
    Ended run(const std::vector<std::string>& words) const { return qapfw_run(words, {.folder = path().string()}); }
    /// Makes, verifies, resumes and reports a run.
    void check_run(const std::vector<std::string>& words, const std::string& record) const {
        std::vector<std::string> whole = words;
        whole.insert(whole.end(), {"--iterations", "20", "--quiet", "--out", record});
        const Ended made = run(whole);
        CHECK_MESSAGE(made.code == 0, made.err);
        const Json result = Json::parse(contents(path() / record / "result.json"));
        CHECK(result["stop_reason"] == "iterations");
        const Ended verified = run({"verify", record});
        CHECK_MESSAGE(verified.code == 0, verified.out << verified.err);
        const Ended resumed = run({"resume", record, "--iterations", "30", "--quiet"});
        CHECK_MESSAGE(resumed.code == 0, resumed.err);
        CHECK(Json::parse(contents(path() / record / "result.json"))["iterations"] == 30);
        const Ended reported = run({"report", record, "--out", record + "-page"});
        CHECK_MESSAGE(reported.code == 0, reported.err);
    }

  private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an instance, a data folder and a record may have names that are not UTF-8") {
    const LatinPlace place;
    place.check_run({"solve", kLatin + ".dat"}, "r1");
    place.check_run({"solve", "mine", "--data", "data\xff"}, "r2");
    place.check_run({"run", "--set", "problem.instance=" + kLatin + ".dat", "--set", "algorithm.plugin=tabu"}, "r\xe9");
    CHECK(place.run({"run", "r1/config.toml", "--quiet", "--out", "again"}).code == 0);
    CHECK(contains(place.run({"instance", "show", kLatin + ".dat", "--json"}).out, "\"n\": 10"));
}

TEST_CASE("a study, its folder and its data may have names that are not UTF-8") {
    const LatinPlace place;
    for (const char* work : {"w", "w\xe9"}) {
        CAPTURE(work);
        const Ended run = place.run({"study", "run", kLatin + ".toml", "--work", work, "--data", "data\xff"});
        CHECK_MESSAGE(run.code == 0, run.err);
        CHECK(contains(place.run({"study", "status", work}).out, "1 of 1 runs done"));
        const Ended report = place.run({"study", "report", work});
        CHECK_MESSAGE(report.code == 0, report.err);
    }
    std::string text = contents(place.path() / (kLatin + ".toml"));
    text.replace(text.find("\"mine\""), 6, "\"other\xe9\"");
    std::ofstream(place.path() / "bad.toml") << text;
    const Ended bad = place.run({"study", "plan", "bad.toml"});  // TOML must be UTF-8, but this file is not
    CHECK(bad.code == 2);
    CHECK(contains(bad.err, "bad.toml:"));
}
