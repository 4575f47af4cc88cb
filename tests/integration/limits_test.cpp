// SPDX-License-Identifier: Apache-2.0
// Time limits hold where a single iteration takes long, and the best seen until then is the result.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

std::vector<std::string> large_batch(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",
                                          "--set",
                                          "problem.plugin=qap",
                                          "--set",
                                          "problem.instance=tai100a",
                                          "--set",
                                          "algorithm.plugin=random_restart",
                                          "--set",
                                          "algorithm.batch=1000000",
                                          "--backend",
                                          "cpu",
                                          "--threads",
                                          "1",
                                          "--json",
                                          "--set",
                                          "output.record=false"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST_CASE("a batch of a million ends with its time limit, with the best of those that were drawn") {
    check_fastest_below(1, [] {
        const Ended run = qapfw_run(large_batch({"--time-limit", "500ms"}));
        REQUIRE(run.code == 0);
        const Json json = Json::parse(run.out);
        CHECK(json["best_cost"].is_number());
        CHECK(json["evaluations"] > 1);
        CHECK(json["evaluations"] < 1000000);
        return json["seconds"].get<double>();
    });
}

TEST_CASE("a batch of a million ends with a signal, with a solution") {
    check_fastest_below(0.5, [] {
        Process process(large_batch({}));
        sleep_for(1.5);
        process.send(SIGTERM);
        const auto sent = std::chrono::steady_clock::now();
        const Ended ended = process.wait();
        CHECK(ended.code == 143);
        CHECK(Json::parse(ended.out)["best_cost"].is_number());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
    });
}
