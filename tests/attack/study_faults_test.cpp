// SPDX-License-Identifier: Apache-2.0
// Lets the disk become full in the middle of a study. One message must say so, and no finished run may be lost.
#include <map>

#include "tests/attack/attack.hpp"

namespace qapfw::attack {
namespace {

constexpr const char* kStudy = R"(title = "Small"
seeds = 3
[problem]
plugin = "qap"
[run]
iterations = 300
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["tai10a", "tai12a"]
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 1 }
)";
constexpr std::size_t kRuns = 6;

Ended study(const TemporaryFolder& place, const std::vector<std::string>& words, const std::string& full_from = "") {
    Process::Options options{.folder = place.path().string()};
    if (!full_from.empty())
        options.environment = {
            {"LD_PRELOAD", QAPFW_FAILING_CALLS}, {"QAPFW_FAIL_CALLS", full_from}, {"QAPFW_FAIL_WAY", "enospc"}};
    return testing::qapfw_run(with({"study"}, words), options);
}

/// Returns the results of the finished runs, by file.
std::map<std::string, std::string> finished_runs(const std::filesystem::path& work) {
    std::map<std::string, std::string> results;
    if (!std::filesystem::exists(work / "runs")) return results;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(work / "runs")) {
        if (entry.path().filename() != "result.json") continue;
        const std::string text = testing::contents(entry.path());
        const Json json = Json::parse(text, nullptr, false);
        if (!json.is_discarded() && json["finished"] == true && json["error"].is_null())
            results[entry.path().string()] = text;
    }
    return results;
}

}  // namespace

TEST_CASE("a disk that becomes full during a study gives one message, loses no finished run, and the study can go on") {
    std::size_t told = 0, kept = 0;
    // From call number `call` on, all calls that change files fail. The study's process and each run count their own
    // calls. The study makes about 130 such calls, a run about 60.
    for (const long call : {1L, 5L, 20L, 40L, 60L, 80L, 120L}) {
        const TemporaryFolder place;
        const std::string file = place.write("small.toml", kStudy).string();
        CAPTURE(call);
        const Ended full = study(place, {"run", file, "--quiet"}, std::to_string(call) + "+");
        CAPTURE(full.err);
        CHECK((full.code == 0 || full.code == 6 || full.code == 10 || full.code == 4));
        if (full.code != 0) {
            CHECK(full.err.find("No space left on device") != std::string::npos);
            CHECK(full.err.find("terminate") == std::string::npos);
            ++told;
        }
        const auto before = finished_runs(place.path() / "runs/small");
        kept += before.size();
        const Ended more = study(place, {"run", file, "--quiet", "--retry"});
        CHECK_MESSAGE(more.code == 0, more.err);
        const auto after = finished_runs(place.path() / "runs/small");
        CHECK(after.size() == kRuns);
        for (const auto& [path, text] : before) CHECK_MESSAGE(after.at(path) == text, path);
    }
    CHECK(told > 2);
    CHECK(kept > 0);
}

TEST_CASE("a report on a full disk gives a message, and the next report is complete") {
    const TemporaryFolder place;
    const std::string file = place.write("small.toml", kStudy).string();
    REQUIRE(study(place, {"run", file, "--quiet"}).code == 0);
    for (const char* call : {"1+", "4+", "9+", "20+"}) {
        CAPTURE(call);
        const Ended full = study(place, {"report", "runs/small"}, call);
        CHECK_MESSAGE(full.code != 0, full.err);
        CHECK_MESSAGE(full.err.find("No space left on device") != std::string::npos, full.err);
    }
    CHECK(finished_runs(place.path() / "runs/small").size() == kRuns);
    CHECK(study(place, {"report", "runs/small"}).code == 0);
    CHECK(testing::contents(place.path() / "runs/small/report.html").find("not in the tables") == std::string::npos);
}

}  // namespace qapfw::attack
