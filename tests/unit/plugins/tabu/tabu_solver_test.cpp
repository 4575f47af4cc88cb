// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_solver.hpp"

#include <doctest/doctest.h>

#include "tests/support/process_checks.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_segments.hpp"

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

TEST_CASE("tabu looks at the clock after many quick iterations, and not after each") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    Solver tabu(host.get(), problem.get(), {{"searches", "1"}, {"round", "4000"}});
    // An iteration scans all pairs in kRows rows. Before each row it asks whether it must stop.
    constexpr int kIterations = 4000, kRows = 6;
    TestRun run(1, kIterations, problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    static int asked;
    asked = 0;
    services.should_stop = [](void*) -> std::int32_t {
        ++asked;
        return 0;
    };
    tabu.run(services);
    CHECK(run.evaluations == kIterations * 21);
    CHECK(asked >= kIterations * kRows);
    CHECK(asked < kIterations * (2 * kRows + 1) / 2);
}

TEST_CASE("tabu never moves a fixed position") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", "true"}});
    Solver tabu(host.get(), problem.get(), kSmall);
    TestRun run(3, 100, problem.ref().solution_bytes());
    tabu.run(*run.get());
    CHECK(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))[0] == 2);
}

TEST_CASE("tabu counts its iterations if nothing can be swapped") {
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
    // Without deltas, one iteration of one search evaluates 1225 solutions. A round should evaluate at most 1000.
    CHECK(host.resolved.at("searches") == 1);
    CHECK(host.resolved.at("round") == 1);
    TestProblem<ToyOrdering> small(host, {{"n", "12"}});
    Solver on_small(host.get(), small.get(), {});
    CHECK(host.resolved.at("searches") == 1000 / 66);
    CHECK(host.resolved.at("round") == 1);
}

TEST_CASE("a round of tabu that was cut short anywhere goes on where its searches stand") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    // Some stops come while deltas are computed, others in iterations, perturbations and meetings.
    for (const char* round : {"1", "4", "20"}) {
        CAPTURE(round);
        const Given given = {{"searches", "3"},    {"round", round}, {"perturb_after", "2"},
                             {"share_after", "4"}, {"alike", "4"},   {"restart_after", "2"}};
        qapfw::test::check_stopped_rounds<TabuSolver>(problem, host, given, nullptr);
    }
}

TEST_CASE("tabu searches on several processes, even more than there are searches, equal those on one") {
    const Given given = {{"searches", "3"},    {"round", "4"}, {"perturb_after", "3"},
                         {"share_after", "8"}, {"alike", "4"}, {"restart_after", "2"}};
    qapfw::test::check_processes<TabuSolver>({{"n", "9"}, {"fix_first", "true"}}, given, {48, 4, nullptr});
}

TEST_CASE("tabu begins with the best of its warm starts") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const qapfw::test::Outcome good =
        qapfw::test::solve<TabuSolver>(host.get(), problem, {{"searches", "8"}}, {200, 5, nullptr});
    qapfw::test::check_warm_starts<TabuSolver>(problem, host, {{{"searches", "1"}}, {{"searches", "5"}}}, good);
}

TEST_CASE("tabu finds the best of all layouts of a small problem, and a fixed element stays") {
    TestHost host;
    for (const bool fixed : {false, true}) {
        TestProblem<qapfw::test::ToyBays> problem(host, {{"n", "6"}, {"fix_first", fixed ? "true" : "false"}});
        const std::uint64_t bytes = problem.ref().solution_bytes();
        const std::uint32_t bits = problem.ref().encoding().segments[1].offset;
        std::vector<unsigned char> layout(bytes, 0);
        std::uint16_t* const p = qapfw::sdk::permutation_of(static_cast<void*>(layout.data()));
        qapfw::sdk::base_solution(problem.ref(), p);
        std::sort(p + (fixed ? 1 : 0), p + 6);
        double least = problem.object().cost(layout.data());
        do {
            for (std::uint32_t mask = 0; mask < 32; ++mask) {
                for (std::uint32_t b = 0; b < 5; ++b) layout[bits + b] = mask >> b & 1u;
                least = std::min(least, problem.object().cost(layout.data()));
            }
        } while (std::next_permutation(p + (fixed ? 1 : 0), p + 6));
        Solver tabu(host.get(), problem.get(), kSmall);
        TestRun run(1, 200, bytes);
        tabu.run(*run.get());
        CHECK(run.best_cost.f == least);
        CHECK(problem.object().cost(run.best.data()) == least);
        CHECK(run.evaluations == 3 * 200 * ((fixed ? 10 : 15) + 9 + 5));
        if (fixed) CHECK(qapfw::sdk::permutation_of(static_cast<const void*>(run.best.data()))[0] == 2);
    }
}

TEST_CASE("tabu on layouts goes on exactly from a saved round, and from a round that was cut short") {
    TestHost host;
    TestProblem<qapfw::test::ToyBays> problem(host, {{"n", "9"}, {"fix_first", "true"}});
    const std::uint64_t bytes = problem.ref().solution_bytes();
    const Given given = {{"searches", "3"},    {"round", "4"}, {"perturb_after", "2"},
                         {"share_after", "8"}, {"alike", "4"}, {"restart_after", "2"}};
    Solver whole(host.get(), problem.get(), given);
    TestRun all(3, 20, bytes);
    whole.run(*all.get());
    for (const int questions : {0, 1, 5, 9, 14, 20, 33, 60, 90, 130, 200}) {
        CAPTURE(questions);
        qapfw::test::StoppedRun stopped(3, questions, bytes);
        Solver cut(host.get(), problem.get(), given), again(host.get(), problem.get(), given);
        cut.run(stopped.services);
        if (stopped.generations >= 20) continue;
        CHECK(stopped.cost == problem.ref().evaluate_one(stopped.best.data()).i);
        StateBytes state;
        cut.save(state);
        again.load(state);
        TestRun rest(3, 20 - stopped.generations, bytes, true);
        again.run(*rest.get());
        std::vector<std::uint64_t> digests = stopped.digests;
        digests.insert(digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(digests == all.digests);
        CHECK(rest.best == all.best);
    }
}

TEST_CASE("tabu refuses a state that an earlier version saved") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    Solver tabu(host.get(), problem.get(), kSmall);
    StateBytes state;
    const std::uint64_t rounds_and_iteration[] = {3, 60, 1, 0};
    const qapfw_writer writer = state.writer();
    REQUIRE(writer.write(writer.context, rounds_and_iteration, sizeof rounds_and_iteration) == QAPFW_OK);
    CHECK(tabu.load_status(state) == QAPFW_ERROR_INPUT);
    CHECK(host.error == "the saved state was not written by this version's population engine: start a new run");
}

TEST_CASE("tabu finds the optimum over segments of all kinds, with its improver too, and keeps fixed elements") {
    TestHost host;
    for (const char* fixed : {"false", "true"}) {
        TestProblem<qapfw::test::ToySegments> problem(host, {{"fixed", fixed}});
        Solver tabu(host.get(), problem.get(), kSmall);
        TestRun run(1, 200, problem.ref().solution_bytes());
        tabu.run(*run.get());
        CHECK(problem.object().defect(run.best.data()) == "");
        CHECK(run.best_cost.i == problem.object().cost(run.best.data()));
        if (fixed[0] == 'f') CHECK(run.best_cost.i == problem.object().brute_force());
    }
    TestProblem<qapfw::test::ToyAssignment> assignment(host, {});
    const qapfw_problem_ref evaluated = assignment.plain();
    std::vector<std::uint64_t> digests;
    for (const qapfw_problem_ref* problem : {assignment.get(), &evaluated}) {  // equal results with and without deltas
        Solver tabu(host.get(), problem, kSmall);
        TestRun run(1, 60, assignment.ref().solution_bytes());
        tabu.run(*run.get());
        if (digests.empty()) digests = run.digests;
        CHECK(run.digests == digests);
    }
}

TEST_CASE("rounds of tabu in slices are the same rounds") {
    TestHost host;
    TestProblem<ToyOrdering> ordering(host, {{"n", "9"}});
    qapfw::test::check_slices<TabuSolver>(host.get(), ordering, kSmall, {80, 3, nullptr}, 7);
    TestProblem<qapfw::test::ToySegments> segments(host, {});
    qapfw::test::check_slices<TabuSolver>(host.get(), segments, kSmall, {80, 3, nullptr}, 13);
}
