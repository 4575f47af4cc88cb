// SPDX-License-Identifier: Apache-2.0
// Solutions that a solver offers within a round. The program must show, keep and save them before the round ends;
// nothing else in the run may change.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

/// Arguments of a run whose first round takes far longer than a test.
std::vector<std::string> long_round(const std::string& record, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"solve", "tai2000a", "--backend", "cpu", "--threads", "2", "--out", record};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<Json> trace_of(const std::string& record) {
    std::vector<Json> lines;
    std::istringstream stream(contents(record + "/trace.jsonl"));
    for (std::string line; std::getline(stream, line) && !stream.eof();) lines.push_back(Json::parse(line));
    if (!lines.empty()) lines.erase(lines.begin());  // the first line describes the run
    return lines;
}

Ended run_of(const std::string& plugin, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run",
                                      "--plugin-path",
                                      bad_plugin(plugin).string(),
                                      "--set",
                                      "problem.plugin=" + plugin,
                                      "--set",
                                      "algorithm.plugin=" + plugin,
                                      "--json",
                                      "--time-limit",
                                      "20s"};
    words.insert(words.end(), more.begin(), more.end());
    return qapfw_run(words);
}

}  // namespace

TEST_CASE("a solution is shown soon after the search's begin where the first round takes long") {
    const TemporaryFolder place;
    const auto measure = [&] {
        const std::string record = place / "r";
        const Ended ended = qapfw_run(long_round(record, {"--time", "1500ms"}));
        CHECK(ended.code == 0);
        CHECK(ended.err.find("cost ") != std::string::npos);
        const std::vector<Json> trace = trace_of(record);
        REQUIRE(trace.size() >= 2);
        CHECK(trace.front()["offered"] == true);
        const double seconds = trace.front()["seconds"];
        std::filesystem::remove_all(record);
        return seconds;
    };
    // On a machine without other load the first solution is shown after 0.13 s; the first round takes 10 s.
    check_fastest_below(0.6, measure);
}

TEST_CASE("offered solutions are sound, end no run by its target, and change no trajectory") {
    const TemporaryFolder place;
    const Ended ended = qapfw_run(long_round(place / "r", {"--time", "1s", "--target", "100000000000000", "--json"}));
    CHECK(ended.code == 0);
    const Json json = Json::parse(ended.out);
    CHECK(json["seconds"] >= 1);
    CHECK(json["rounds"] == 0);
    CHECK(json["target_reached"] == true);
    const Ended verified = qapfw_run({"verify", place / "r"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
    CHECK(verified.out.find(" within rounds") != std::string::npos);
    // The answer must be at least as good as everything that was shown.
    for (const Json& line : trace_of(place / "r")) CHECK(json["best_cost"] <= line["cost"]);
}

TEST_CASE("a kill keeps what was shown more than a second ago") {
    const TemporaryFolder place;
    const std::string record = place / "r";
    Process process(long_round(record, {"--time", "60s"}));
    for (int k = 0; k < 12000 && trace_of(record).empty(); ++k) sleep_for(0.005);
    sleep_for(1);
    const std::vector<Json> shown = trace_of(record);
    sleep_for(1);
    process.send(SIGKILL);
    process.wait();
    REQUIRE(!shown.empty());
    const Json kept = Json::parse(contents(record + "/result.json"));
    CHECK(kept["stop_reason"] == "running");
    REQUIRE(kept["best_cost"].is_number());
    CHECK(kept["best_cost"] <= shown.back()["cost"]);
    const Ended verified = qapfw_run({"verify", record});
    CHECK_MESSAGE(verified.code == 0, verified.out);
}

TEST_CASE("an error in the first round keeps the best that was offered") {
    const TemporaryFolder place;
    const Ended ended = run_of("offers_then_fails", {"--out", place / "r"});
    CHECK(ended.code == 3);
    const Json json = Json::parse(ended.out);
    CHECK(json["stop_reason"] == "error");
    CHECK(json["best_cost"] == 0);
    CHECK(json["best_found"]["kept"] == true);
    const std::vector<Json> trace = trace_of(place / "r");
    REQUIRE(trace.size() == 2);
    CHECK(trace[0]["cost"] == 32);
    CHECK(trace[1]["cost"] == 0);
    CHECK(Json::parse(contents(place / "r/result.json"))["best_cost"] == 0);
    const Ended verified =
        qapfw_run({"verify", "--plugin-path", bad_plugin("offers_then_fails").string(), place / "r"});
    CHECK_MESSAGE(verified.code == 0, verified.out);
}

TEST_CASE("an offered solution with a wrong cost ends the run with a message") {
    const Ended ended = run_of("lying_offer", {"--set", "output.record=false"});
    CHECK(ended.code == 7);
    CHECK(ended.err.find("lying_offer reported cost 1 for a solution that problem lying_offer evaluates to 32") !=
          std::string::npos);
    CHECK(ended.seconds < 10);
}
