// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_solver.hpp"

#include <doctest/doctest.h>

#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using qapfw::sdk::SolverTrampolines;
using qapfw::tabu::TabuSolver;
using qapfw::test::StateBytes;
using qapfw::test::TestHost;
using qapfw::test::TestProblem;
using qapfw::test::TestRun;
using qapfw::test::ToyOrdering;
using qapfw::test::Values;
using Trampolines = SolverTrampolines<TabuSolver>;
using Given = std::map<std::string, std::string>;

struct Solver {
    Solver(const TestHost& host, const qapfw_problem_ref* problem, const Given& given, std::uint32_t n) {
        Values values = Values::of<TabuSolver>(given, n);
        REQUIRE(Trampolines::create(host.get(), values.get(), problem, nullptr, &solver) == QAPFW_OK);
    }
    ~Solver() { Trampolines::destroy(solver); }
    qapfw_solver* solver = nullptr;
};

const Given kSmall = {{"searches", "3"},     {"round", "20"}, {"perturb_after", "15"},
                      {"share_after", "40"}, {"alike", "2"},  {"restart_after", "2"}};

}  // namespace

TEST_CASE("tabu finds the optimum of a small ordering that brute force confirms") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    std::vector<std::uint16_t> p{0, 1, 2, 3, 4, 5, 6};
    std::int64_t optimum = problem.object().cost(p.data());
    while (std::next_permutation(p.begin(), p.end())) optimum = std::min(optimum, problem.object().cost(p.data()));
    Solver tabu(host, problem.get(), kSmall, 7);
    TestRun run(1, 200, problem.ref().solution_bytes());
    REQUIRE(Trampolines::run(tabu.solver, run.get()) == QAPFW_OK);
    CHECK(run.best_cost.i == optimum);
    CHECK(problem.object().cost(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))) == optimum);
    CHECK(run.evaluations == 3 * 200 * 21);
}

TEST_CASE("tabu resumed from a saved round ends as the uninterrupted run") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    Solver whole(host, problem.get(), kSmall, 12), first(host, problem.get(), kSmall, 12),
        second(host, problem.get(), kSmall, 12);
    TestRun all(5, 160, problem.ref().solution_bytes()), head(5, 60, problem.ref().solution_bytes()),
        tail(5, 100, problem.ref().solution_bytes(), true);
    REQUIRE(Trampolines::run(whole.solver, all.get()) == QAPFW_OK);
    REQUIRE(Trampolines::run(first.solver, head.get()) == QAPFW_OK);
    StateBytes state;
    const qapfw_writer writer = state.writer();
    REQUIRE(Trampolines::save(first.solver, &writer) == QAPFW_OK);
    const qapfw_reader reader = state.reader();
    REQUIRE(Trampolines::load(second.solver, &reader) == QAPFW_OK);
    REQUIRE(Trampolines::run(second.solver, tail.get()) == QAPFW_OK);
    std::vector<std::uint64_t> joined = head.digests;
    joined.insert(joined.end(), tail.digests.begin(), tail.digests.end());
    CHECK(joined == all.digests);
    CHECK(tail.best == all.best);
    CHECK(head.evaluations + tail.evaluations == all.evaluations);
}

TEST_CASE("tabu never moves a fixed position") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", "true"}});
    Solver tabu(host, problem.get(), kSmall, 8);
    TestRun run(3, 100, problem.ref().solution_bytes());
    REQUIRE(Trampolines::run(tabu.solver, run.get()) == QAPFW_OK);
    CHECK(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))[0] == 2);
}

TEST_CASE("tabu passes its iterations where nothing can be exchanged") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "1"}});
    Solver tabu(host, problem.get(), kSmall, 1);
    TestRun run(3, 50, problem.ref().solution_bytes());
    REQUIRE(Trampolines::run(tabu.solver, run.get()) == QAPFW_OK);
    CHECK(run.best_cost.i == 0);
    CHECK(run.evaluations == 0);
}

TEST_CASE("tabu resolves automatic parameters to numbers") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "50"}});
    Solver tabu(host, problem.get(), {}, 50);
    CHECK(host.resolved.at("searches") == 16);
    CHECK(host.resolved.at("round") > 0);
    CHECK(host.resolved.at("perturb_after") > 0);
}
