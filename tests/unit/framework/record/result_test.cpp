// SPDX-License-Identifier: Apache-2.0
#include "framework/record/result.hpp"

#include <doctest/doctest.h>

#include "tests/unit/framework/record/sample_result.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

RunResult run_with(std::int64_t cost, bool reached = false) {
    RunResult run = sample_result();
    run.best->cost = cost_of(cost);
    run.best_known = cost_of(10);
    run.target_reached = reached;
    return run;
}

}  // namespace

TEST_CASE("statistics over runs follow the textbook") {
    const RunSummary summary{{run_with(14), run_with(10, true), run_with(12), run_with(20)}, 4};
    const Statistics s = statistics_of(summary);
    CHECK(s.count == 4);
    CHECK(s.min == 10);
    CHECK(s.max == 20);
    CHECK(s.median == 13);
    CHECK(s.mean == 14);
    CHECK(s.std == doctest::Approx(4.320493799));  // sqrt((0 + 16 + 4 + 36) / 3)
    CHECK(s.hits == 1);
    CHECK(best_of(summary).best->cost.i == 10);
}

TEST_CASE("without a target a hit is the best-known value, and runs without a solution do not count") {
    RunSummary summary{{run_with(10), run_with(11), run_with(9)}, 3};
    for (RunResult& run : summary.runs) run.target.reset();
    summary.runs.push_back(run_with(5));
    summary.runs.back().best.reset();
    const Statistics s = statistics_of(summary);
    CHECK(s.count == 3);
    CHECK(s.hits == 2);
    CHECK(s.median == 10);
    CHECK(statistics_of(RunSummary{{run_with(7)}, 1}).std == 0);
    RunSummary timed{{run_with(7), run_with(7), run_with(7)}, 3};
    for (std::size_t k = 0; k < 3; ++k) timed.runs[k].seconds = 1.0 + static_cast<double>(k);
    CHECK(times_of(timed).mean == 2);
    CHECK(times_of(timed).max == 3);
    CHECK(times_of(timed).std == 1);
    const std::size_t hits = statistics_of(timed).hits;
    CHECK(seconds_per_hit(timed).has_value() == (hits > 0));
    timed.runs[1].target = timed.runs[1].best->cost;
    timed.runs[1].target_reached = true;
    REQUIRE(seconds_per_hit(timed).has_value());
    CHECK(*seconds_per_hit(timed) == doctest::Approx(6.0 / static_cast<double>(statistics_of(timed).hits)));
    const RunResult same = run_with(608215054);
    CHECK(statistics_of(RunSummary{{same, same, same, same, same, same}, 6}).std == 0);
}

TEST_CASE("of the problem's own bound and the run's bound, the better one counts") {
    RunResult run = run_with(14);
    CHECK_FALSE(best_bound(run).has_value());
    CHECK_FALSE(is_optimal(run));
    const auto best = [&](std::int64_t own, std::int64_t proven) {
        run.lower_bound = cost_of(own);
        run.proven = ProvenBound{cost_of(proven), "solver exact"};
        return best_bound(run).value();
    };
    CHECK(best(12, 13).cost.i == 13);
    CHECK(best(12, 13).name == "solver exact");
    CHECK_FALSE(is_optimal(run));
    CHECK(best(13, 12).cost.i == 13);
    CHECK(best(13, 12).name.empty());
    CHECK_FALSE(is_optimal(run));
    CHECK(best(12, 14).cost.i == 14);
    CHECK(is_optimal(run));
    CHECK(best(14, 12).cost.i == 14);
    CHECK(is_optimal(run));
    run.lower_bound.reset();
    CHECK(best_bound(run).value().cost.i == 12);
    run.proven.reset();
    run.lower_bound = cost_of(11);
    CHECK(best_bound(run).value().cost.i == 11);
}

TEST_CASE("what a resumed run must find unchanged is compared piece by piece") {
    const RunIdentity recorded = sample_identity();
    CHECK(differences(recorded, recorded).empty());
    RunIdentity found = recorded;
    found.plugins[1].hash = "cc";
    found.fingerprint = 1;
    found.backend = "cuda";
    const auto lines = differences(recorded, found);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "solver: recorded tabu 1.0.0 (qapfw.tabu 1.0.0, bb), found tabu 1.0.0 (qapfw.tabu 1.0.0, cc)");
    CHECK(lines[1] == "instance data: recorded 123456789abcdef0, found 0000000000000001");
    CHECK(lines[2] == "backend: recorded cpu, found cuda");
    found = recorded;
    found.plugins.push_back({"improver", "x", "1", "y", "z", ""});
    CHECK(differences(recorded, found) == std::vector<std::string>{"improver: recorded none, found x 1 (y, z)"});
}
