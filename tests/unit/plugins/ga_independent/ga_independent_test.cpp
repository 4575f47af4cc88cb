// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>

#include "plugins/ga_independent/ga_independent.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/unit/plugins/ga_independent/target_run.hpp"

namespace {

using namespace qapfw;
using Solver = sdk::PopulationSolver<ga_independent::GaIndependent>;
using test::Given;
using test::OneExchange;
using test::Outcome;
using test::StateBytes;
using test::TargetRun;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::TestSolver;
using test::ThreadedHost;
using test::ToyOrdering;

Outcome solve(const qapfw_host* host, TestProblem<ToyOrdering>& problem, const Given& given,
              const test::Task& task = {}) {
    return test::solve<Solver>(host, problem, given, task);
}

}  // namespace

TEST_CASE("independent GAs find the brute-force optimum of small instances, also with a fixed position") {
    TestHost host;
    for (const std::string fixed : {"false", "true"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", fixed}});
        for (const char* crossover : {"pmx", "ox"}) {
            const Given given = {{"blocks", "4"}, {"size", "24"}, {"crossover", crossover}};
            const Outcome found = solve(host.get(), problem, given, {300, 3, nullptr});
            CHECK(found.cost == test::brute_force(problem.object(), fixed == "true"));
            if (fixed == "true") CHECK(sdk::permutation_of(static_cast<const void*>(found.best.data()))[0] == 2);
        }
    }
}

TEST_CASE("sizes 1, 2 and 3 work with blocks of one, two and more individuals") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", n}});
        for (const char* size : {"1", "2", "5"}) {
            for (const char* blocks : {"1", "3"}) {
                const Given given = {{"blocks", blocks}, {"size", size}, {"restart_check", "4"}};
                CHECK(solve(host.get(), problem, given, {160, 3, nullptr}).cost == test::brute_force(problem.object()));
            }
        }
    }
    TestProblem<ToyOrdering> one_free(host, {{"n", "3"}, {"fix_first", "true"}});
    CHECK(solve(host.get(), one_free, {{"size", "2"}}).cost == test::brute_force(one_free.object(), true));
}

TEST_CASE("the trajectory is the same on one, two and many threads, with and without an improver, over restarts") {
    TestHost base;
    TestProblem<ToyOrdering> problem(base, {{"n", "9"}});
    const Given given = {{"blocks", "5"}, {"size", "8"}, {"restart_check", "3"}, {"round", "4"}};
    for (const bool improves : {false, true}) {
        std::optional<Outcome> first;
        for (const std::uint32_t workers : {1u, 2u, 5u}) {
            const ThreadedHost host(workers);
            const TestImprover<OneExchange> improver(host.get(), problem.get());
            const Outcome found = solve(host.get(), problem, given, {120, 8, improves ? improver.get() : nullptr});
            CHECK(found.digests.size() == 30);
            // 40 individuals in the first population and in each of 120 generations; restarts evaluate more.
            CHECK(found.evaluations > 121 * 40 * (improves ? 2 : 1));
            if (!first) first = found;
            CHECK(found == *first);
        }
        CHECK(solve(base.get(), problem, given, {120, 9, nullptr}).digests != first->digests);
    }
}

TEST_CASE("how often a run of independent GAs meets the framework does not change the search") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "10"}});
    Given given = {{"blocks", "3"}, {"size", "10"}, {"restart_check", "5"}, {"round", "1"}};
    const Outcome often = solve(host.get(), problem, given, {60, 3, nullptr});
    given["round"] = "60";
    const Outcome seldom = solve(host.get(), problem, given, {60, 3, nullptr});
    CHECK(often.best == seldom.best);
    CHECK(often.evaluations == seldom.evaluations);
    CHECK(often.digests.back() == seldom.digests.back());
    CHECK(often.digests.size() == 60);
    CHECK(seldom.digests.size() == 1);
}

TEST_CASE("independent GAs saved and loaded go on exactly as those that were never interrupted") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    const Given given = {{"blocks", "3"}, {"size", "8"}, {"restart_check", "5"}, {"round", "4"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const test::Task task{100, 4, with};
        const Outcome whole = solve(host.get(), problem, given, task);
        CHECK(test::solve_in_two_parts<Solver>(host.get(), problem, given, task, 52) == whole);
    }
}

TEST_CASE("a round of independent GAs cut short leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}});
    const Given given = {{"blocks", "3"}, {"size", "5"}, {"restart_check", "3"}, {"round", "4"}};
    test::check_stopped_rounds<Solver>(problem, host, given, nullptr);
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    test::check_stopped_rounds<Solver>(problem, host, given, improver.get());
}

TEST_CASE("independent GAs never end worse than their warm starts, even after restarts" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "25"}});
    const Outcome good = solve(host.get(), problem, {}, {150, 3, nullptr});
    const auto of_size = [](const char* blocks, const char* size) {
        return Given{{"blocks", blocks}, {"size", size}, {"restart_check", "1"}};
    };
    test::check_warm_starts<Solver>(problem, host, {of_size("1", "1"), of_size("1", "2"), of_size("2", "4")}, good);
}

TEST_CASE("all blocks stop at the generation in which the first one reaches the target, on any number of threads") {
    TestHost base;
    TestProblem<ToyOrdering> problem(base, {{"n", "9"}});
    const TestImprover<OneExchange> improver(base.get(), problem.get());
    const std::int64_t optimum = test::brute_force(problem.object());
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            Given given = {{"blocks", "6"}, {"size", "12"}, {"restart_check", "5"}, {"round", "40"}};
            std::optional<std::vector<std::uint64_t>> digests;
            std::uint64_t generations = 0, evaluations = 0;
            std::map<std::string, double> statistics;
            for (const std::uint32_t workers : {1u, 2u, 5u}) {
                const ThreadedHost host(workers);
                const TestImprover<OneExchange> own(host.get(), problem.get());
                TargetRun run(seed, optimum);
                TestSolver<Solver> solver(host.get(), problem.get(), given, with == nullptr ? nullptr : own.get());
                solver.run(run.services);
                CHECK(run.cost == optimum);
                CHECK(run.statistics["winner_generation"] == static_cast<double>(run.generations));
                if (!digests) {
                    digests = run.digests;
                    generations = run.generations;
                    evaluations = run.evaluations;
                    statistics = run.statistics;
                }
                CHECK(run.digests == *digests);
                CHECK(run.generations == generations);
                CHECK(run.evaluations == evaluations);
                CHECK(run.statistics == statistics);
            }
            given["round"] = "1";  // reports after every generation must not change the generation of the end
            TargetRun step(seed, optimum);
            TestSolver<Solver> solver(base.get(), problem.get(), given, with);
            solver.run(step.services);
            CHECK(step.generations == generations);
            CHECK(step.digests.back() == digests->back());
            CHECK(step.statistics == statistics);
        }
    }
}

TEST_CASE("restarts solve what one small converged population does not" * doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const std::int64_t optimum = test::brute_force(problem.object());
    int without = 0, with = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Given given = {{"blocks", "1"}, {"size", "12"}, {"restart_check", "10"}};
        with += solve(host.get(), problem, given, {1500, seed, nullptr}).cost == optimum ? 1 : 0;
        given["restart_share"] = "0";
        without += solve(host.get(), problem, given, {1500, seed, nullptr}).cost == optimum ? 1 : 0;
    }
    CHECK(with > without);
}

TEST_CASE("the restart threshold is the share of the individuals, rounded up") {
    using ga_independent::restart_threshold;
    CHECK(restart_threshold(0.6, 128) == 77);
    CHECK(restart_threshold(0.6, 5) == 3);
    CHECK(restart_threshold(0.6, 10) == 6);
    CHECK(restart_threshold(0.55, 100) == 55);
    CHECK(restart_threshold(0.6, 1) == 1);
    CHECK(restart_threshold(1, 64) == 64);
    CHECK(restart_threshold(0, 128) == 0);
}

TEST_CASE("too many individuals in blocks and a saved state of other dimensions are refused with a message") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    TestSolver<Solver> large(host.get(), problem.get(), {{"blocks", "1000000"}, {"size", "101"}});
    CHECK(large.status == QAPFW_ERROR_INPUT);
    CHECK(host.error.find("blocks * size must be at most 100000000") != std::string::npos);
    StateBytes state;
    TestSolver<Solver> first(host.get(), problem.get(), {{"size", "4"}});
    first.run(*TestRun(1, 3, problem.ref().solution_bytes()).get());
    first.save(state);
    TestSolver<Solver> second(host.get(), problem.get(), {{"size", "5"}});
    second.load(state);
    CHECK(second.run_status(*TestRun(1, 3, problem.ref().solution_bytes(), true).get()) == QAPFW_ERROR_INPUT);
}

TEST_CASE("blocks on several processes follow the trajectory of one") {
    test::check_processes<Solver>(
        {{"n", "9"}},
        {{"blocks", "5"}, {"size", "6"}, {"restart_share", "0.6"}, {"restart_check", "2"}, {"round", "5"}},
        {20, 5, nullptr});
}
