// SPDX-License-Identifier: Apache-2.0
// Limits on evaluations, for every solver on every built-in problem that the solver supports.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

const std::vector<std::vector<std::string>> kBudgetProblems = {
    {"problem.plugin=qap", "problem.instance=tai12a"},
    {"problem.plugin=gqap", "problem.instance=gqap:12x4:80:1"},
    {"problem.plugin=uaflp", "problem.instance=F8", "problem.structure=bays"},
    {"problem.plugin=uaflp", "problem.instance=F8", "problem.structure=slicing"},
    {"problem.plugin=sparse_qap", "problem.instance=grid:4x4", "problem.distance=torus:4x4"}};

std::vector<std::string> installed_solvers() {
    std::istringstream lines(qapfw_run({"plugin", "list"}).out);
    std::vector<std::string> solvers;
    for (std::string line; std::getline(lines, line);) {
        std::string kind, id;
        std::istringstream(line) >> kind >> id;
        if (kind == "solver") solvers.push_back(id);
    }
    return solvers;
}

Ended run_with_budget(const std::vector<std::string>& problem, const std::string& solver, std::uint64_t evaluations) {
    std::vector<std::string> arguments = {"run", "--algorithm", solver, "--backend", "cpu", "--threads", "1",
                                          "--no-record", "--json", "--seed", "1", "--evaluations",
                                          std::to_string(evaluations),
                                          // Without this setting, an optimum or a proof would end some runs early.
                                          "--set", "run.stop_at_optimum=false"};
    for (const std::string& setting : problem) arguments.insert(arguments.end(), {"--set", setting});
    return qapfw_run(arguments);
}

}  // namespace

TEST_CASE("a limit on evaluations is exceeded by at most one iteration, and a small limit gives few searches") {
    std::size_t kept = 0;
    for (const std::string& solver : installed_solvers()) {
        for (const auto& problem : kBudgetProblems) {
            for (const std::uint64_t limit : {1'000u, 20'000u}) {
                const Ended ended = run_with_budget(problem, solver, limit);
                if (ended.code == 12) continue;  // the solver does not support this kind of solution
                CAPTURE(solver);
                CAPTURE(problem.back());
                REQUIRE(ended.code == 0);
                const Json result = Json::parse(ended.out);
                const auto made = result["evaluations"].get<std::uint64_t>();
                if (result["stop_reason"] == "evaluations") CHECK(made >= limit);
                CHECK(made < limit + limit / 4 + 1'000);  // on these small instances an iteration makes few evaluations
                ++kept;
            }
        }
    }
    CHECK(kept >= 70);
}
