// SPDX-License-Identifier: Apache-2.0
// Checks that problem.formulation changes no trajectory.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

namespace {

using namespace qapfw::testing;
using Json = nlohmann::json;

Json result_of(const std::vector<std::string>& begin, const std::string& formulation) {
    std::vector<std::string> arguments = begin;
    arguments.insert(arguments.end(), {"--set", "problem.formulation=" + formulation, "--backend", "cpu", "--threads",
                                       "2", "--json", "--set", "output.record=false"});
    const Ended run = qapfw_run(arguments);
    INFO(run.err);
    REQUIRE(run.code == 0);
    return Json::parse(run.out);
}

void check_same(const std::vector<std::string>& arguments) {
    const Json direct = result_of(arguments, "direct"), trace = result_of(arguments, "trace");
    for (const char* key : {"digest", "best_cost", "solution", "iterations", "evaluations"}) {
        CAPTURE(key);
        REQUIRE(direct.contains(key));
        CHECK(direct[key] == trace[key]);
    }
}

}  // namespace

TEST_CASE("the grid's configuration with the trace formulation finds what the direct one finds") {
    const std::string config = QAPFW_SOURCE_DIR "/configs/qap/pga-grid-trace.toml";
    CHECK(contents(config).find("\nformulation = \"trace\"\n") != std::string::npos);
    check_same({"run", config, "--runs", "1", "--iterations", "30"});
}

TEST_CASE("with both formulations the grid has the same digests, without an improver and with fixed facilities too") {
    check_same({"run", "--set", "problem.plugin=qap", "--set", "problem.instance=tai20b", "--set",
                "problem.fixed=[\"3->7\"]", "--set", "algorithm.plugin=pga_grid", "--seed", "11", "--iterations",
                "40"});
}
