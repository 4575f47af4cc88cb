// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_solver.hpp"

#include <doctest/doctest.h>

#include "tests/support/test_solver.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using qapfw::tabu::TabuSolver;
using qapfw::test::Given;
using qapfw::test::StateBytes;
using qapfw::test::TestHost;
using qapfw::test::TestProblem;
using qapfw::test::TestRun;
using qapfw::test::ToyOrdering;
using Solver = qapfw::test::TestSolver<TabuSolver>;

const Given kSmall = {{"searches", "3"},     {"round", "20"}, {"perturb_after", "15"},
                      {"share_after", "40"}, {"alike", "2"},  {"restart_after", "2"}};

}  // namespace

TEST_CASE("tabu finds the optimum of a small ordering that brute force confirms") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    const std::int64_t optimum = qapfw::test::brute_force(problem.object());
    Solver tabu(host.get(), problem.get(), kSmall);
    TestRun run(1, 200, problem.ref().solution_bytes());
    tabu.run(*run.get());
    CHECK(run.best_cost.i == optimum);
    CHECK(problem.object().cost(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))) == optimum);
    CHECK(run.evaluations == 3 * 200 * 21);
}

TEST_CASE("tabu resumed from a saved round ends as the uninterrupted run") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    Solver whole(host.get(), problem.get(), kSmall), first(host.get(), problem.get(), kSmall),
        second(host.get(), problem.get(), kSmall);
    TestRun all(5, 160, problem.ref().solution_bytes()), head(5, 60, problem.ref().solution_bytes()),
        tail(5, 100, problem.ref().solution_bytes(), true);
    whole.run(*all.get());
    first.run(*head.get());
    StateBytes state;
    first.save(state);
    second.load(state);
    second.run(*tail.get());
    std::vector<std::uint64_t> joined = head.digests;
    joined.insert(joined.end(), tail.digests.begin(), tail.digests.end());
    CHECK(joined == all.digests);
    CHECK(tail.best == all.best);
    CHECK(head.evaluations + tail.evaluations == all.evaluations);
}

TEST_CASE("tabu never moves a fixed position") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", "true"}});
    Solver tabu(host.get(), problem.get(), kSmall);
    TestRun run(3, 100, problem.ref().solution_bytes());
    tabu.run(*run.get());
    CHECK(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))[0] == 2);
}

TEST_CASE("tabu passes its iterations where nothing can be exchanged") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "1"}});
    Solver tabu(host.get(), problem.get(), kSmall);
    TestRun run(3, 50, problem.ref().solution_bytes());
    tabu.run(*run.get());
    CHECK(run.best_cost.i == 0);
    CHECK(run.evaluations == 0);
}

TEST_CASE("tabu resolves automatic parameters to numbers") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "50"}});
    Solver tabu(host.get(), problem.get(), {});
    CHECK(host.resolved.at("perturb_after") > 0);
    // Costs of whole solutions alone: one iteration of one search evaluates 1225.
    CHECK(host.resolved.at("searches") == 1);
    CHECK(host.resolved.at("round") == 1);
    TestProblem<ToyOrdering> small(host, {{"n", "12"}});
    Solver on_small(host.get(), small.get(), {});
    CHECK(host.resolved.at("searches") == 1000 / 66);
    CHECK(host.resolved.at("round") == 1);
}
