// SPDX-License-Identifier: Apache-2.0
// Full disks and folders that cannot be written. The answer must still reach the screen, and the exit code must report
// the failure.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

TEST_CASE("a folder that cannot be made costs the record, not the answer") {
    const TemporaryFolder place;
    place.write("file", "x");
    const Ended run = qapfw_run(small_run({"--iterations", "500", "--out", place / "file/r"}));
    CHECK(run.code == 6);
    CHECK(run.out.find("cost         ") != std::string::npos);
    CHECK(run.out.find("solution  [ ") != std::string::npos);
    CHECK(run.err.find("cannot create the folder") != std::string::npos);
}

TEST_CASE("with a disk that fills up at any size the answer is the same, and nothing broken is left") {
#if defined(QAPFW_THREAD_SANITIZER)
    MESSAGE("SKIPPED: the thread sanitizer itself writes files");
    return;
#endif
    const Ended whole = qapfw_run(small_run({"--iterations", "30000", "--json", "--set", "output.record=false"}));
    for (const long limit : {0L, 1L, 100L, 700L, 1500L, 3000L, 6000L, 20000L}) {
        const TemporaryFolder place;
        Process::Options options;
        options.file_size_limit = limit;
        const Ended run = qapfw_run(small_run({"--iterations", "30000", "--json", "--out", place / "r"}), options);
        CHECK(run.code == 6);
        CHECK(Json::parse(run.out)["best_cost"] == Json::parse(whole.out)["best_cost"]);
        CHECK(run.err.find("File too large") != std::string::npos);
        const std::string result = contents(place / "r/result.json");
        CHECK((result.empty() || Json::accept(result)));
        const std::string trace = contents(place / "r/trace.jsonl");
        CHECK((trace.empty() || trace.back() == '\n'));
        for (const auto& entry : std::filesystem::directory_iterator(place.path() / "r")) {
            CHECK(entry.path().extension() != ".new");
        }
    }
}

TEST_CASE("if standard output cannot be written, the exit code says so and the answer goes to standard error") {
    const TemporaryFolder place;
    Process::Options options;
    options.standard_output = "/dev/full";
    const Ended run = qapfw_run(small_run({"--iterations", "500", "--json", "--out", place / "r"}), options);
    CHECK(run.code == 6);
    CHECK(run.err.find("\"best_cost\":") != std::string::npos);
    CHECK(std::filesystem::exists(place / "r/result.json"));
}
