// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "plugins/ga_distributed/ga_distributed.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_segments.hpp"

namespace {

using namespace qapfw;
using Solver = sdk::PopulationSolver<ga_distributed::GaDistributed>;
using test::Given;
using test::OneExchange;
using test::Outcome;
using test::StateBytes;
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

TEST_CASE("the distributed GA finds the brute-force optimum of small instances, also with a fixed position") {
    TestHost host;
    for (const std::string fixed : {"false", "true"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", "8"}, {"fix_first", fixed}});
        for (const char* crossover : {"pmx", "ox"}) {
            const Given given = {
                {"subpopulations", "4"}, {"size", "32"}, {"crossover", crossover}, {"exchange_every", "20"}};
            const Outcome found = solve(host.get(), problem, given, {200, 3, nullptr});
            CHECK(found.cost == test::brute_force(problem.object(), fixed == "true"));
            if (fixed == "true") CHECK(sdk::permutation_of(static_cast<const void*>(found.best.data()))[0] == 2);
        }
    }
}

TEST_CASE("sizes 1, 2 and 3 work with subpopulations of one, two and more individuals") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", n}});
        for (const char* size : {"1", "2", "5"}) {
            for (const char* subpopulations : {"1", "2", "3"}) {
                for (const char* crossover : {"pmx", "ox"}) {
                    const Given given = {{"subpopulations", subpopulations},
                                         {"size", size},
                                         {"crossover", crossover},
                                         {"exchange_every", "3"},
                                         {"mutation_rate", "0.5"}};
                    CHECK(solve(host.get(), problem, given, {120, 3, nullptr}).cost ==
                          test::brute_force(problem.object()));
                }
            }
        }
    }
    TestProblem<ToyOrdering> one_free(host, {{"n", "3"}, {"fix_first", "true"}});
    CHECK(solve(host.get(), one_free, {{"size", "2"}}).cost == test::brute_force(one_free.object(), true));
}

TEST_CASE("the trajectory is the same on one, two and many threads, with and without an improver") {
    TestHost base;
    TestProblem<ToyOrdering> problem(base, {{"n", "18"}});
    const Given given = {
        {"subpopulations", "5"}, {"size", "9"}, {"exchange_every", "6"}, {"round", "2"}, {"mutation_per", "position"}};
    for (const bool improves : {false, true}) {
        std::optional<Outcome> first;
        for (const std::uint32_t workers : {1u, 2u, 5u}) {
            const ThreadedHost host(workers);
            const TestImprover<OneExchange> improver(host.get(), problem.get());
            const Outcome found = solve(host.get(), problem, given, {20, 8, improves ? improver.get() : nullptr});
            CHECK(found.digests.size() == 10);
            CHECK(found.evaluations == 21 * 45 * (improves ? 2 : 1));
            if (!first) first = found;
            CHECK(found == *first);
        }
        CHECK(solve(base.get(), problem, given, {20, 9, nullptr}).digests != first->digests);
    }
}

TEST_CASE("how often a run meets the framework does not change the search") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "15"}});
    Given given = {{"subpopulations", "3"}, {"size", "10"}, {"exchange_every", "10"}, {"round", "1"}};
    const Outcome often = solve(host.get(), problem, given, {24, 3, nullptr});
    given["round"] = "24";
    const Outcome seldom = solve(host.get(), problem, given, {24, 3, nullptr});
    CHECK(often.best == seldom.best);
    CHECK(often.digests.back() == seldom.digests.back());
    CHECK(often.digests.size() == 24);
    CHECK(seldom.digests.size() == 3);  // the exchanges after 10 and after 20 generations end a round
}

TEST_CASE("a run saved and loaded goes on exactly as the one that was never interrupted") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "17"}});
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    const Given given = {{"subpopulations", "3"}, {"size", "8"}, {"exchange_every", "7"}, {"round", "3"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const test::Task task{30, 4, with};
        const Outcome whole = solve(host.get(), problem, given, task);
        CHECK(test::solve_in_two_parts<Solver>(host.get(), problem, given, task, 14) == whole);
    }
}

TEST_CASE("a round cut short is reported with a real solution and leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "16"}});
    const Given given = {{"subpopulations", "3"}, {"size", "5"}, {"exchange_every", "8"}, {"round", "4"}};
    test::check_stopped_rounds<Solver>(problem, host, given, nullptr);
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    test::check_stopped_rounds<Solver>(problem, host, given, improver.get());
}

TEST_CASE("a run never ends worse than its warm starts, even with more of them than individuals" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "25"}});
    const Outcome good = solve(host.get(), problem, {}, {150, 3, nullptr});
    const auto of_size = [](const char* subpopulations, const char* size) {
        return Given{{"subpopulations", subpopulations}, {"size", size}};
    };
    test::check_warm_starts<Solver>(problem, host, {of_size("1", "1"), of_size("1", "2"), of_size("2", "4")}, good);
}

TEST_CASE("subpopulations that exchange individuals beat the same ones alone" * doctest::skip(qapfw::kSanitized)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "30"}});
    const auto sum = [&](const Given& given) {
        std::int64_t costs = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            costs += solve(host.get(), problem, given, {200, seed, nullptr}).cost;
        }
        return costs;
    };
    Given given = {{"subpopulations", "12"}, {"size", "8"}, {"exchange_every", "0"}};
    const std::int64_t alone = sum(given);
    given["exchange_every"] = "10";
    CHECK(sum(given) < alone);  // GA-1's shuffle
    given["exchange_share"] = "0.05";
    CHECK(sum(given) < alone);  // GA-2's exchange
}

TEST_CASE("an improver makes the search better" * doctest::skip(qapfw::kSanitized)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "30"}});
    const TestImprover<OneExchange> improver(host.get(), problem.get());
    const Given given = {{"subpopulations", "2"}, {"size", "16"}};
    std::int64_t alone = 0, improved = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        alone += solve(host.get(), problem, given, {100, seed, nullptr}).cost;
        improved += solve(host.get(), problem, given, {100, seed, improver.get()}).cost;
    }
    CHECK(improved < alone);
}

TEST_CASE("too many individuals and a saved state of other dimensions are refused with a message") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    TestSolver<Solver> large(host.get(), problem.get(), {{"subpopulations", "1000000"}, {"size", "101"}});
    CHECK(large.status == QAPFW_ERROR_INPUT);
    CHECK(host.error.find("subpopulations * size must be at most 100000000") != std::string::npos);
    StateBytes state;
    TestSolver<Solver> first(host.get(), problem.get(), {{"size", "4"}});
    first.run(*TestRun(1, 3, problem.ref().solution_bytes()).get());
    first.save(state);
    TestSolver<Solver> second(host.get(), problem.get(), {{"size", "5"}});
    second.load(state);
    CHECK(second.run_status(*TestRun(1, 3, problem.ref().solution_bytes(), true).get()) == QAPFW_ERROR_INPUT);
}

TEST_CASE("subpopulations on several processes follow the trajectory of one") {
    for (const char* share : {"1", "0.2"}) {
        test::check_processes<Solver>({{"n", "12"}},
                                      {{"subpopulations", "5"},
                                       {"size", "4"},
                                       {"exchange_every", "3"},
                                       {"exchange_share", share},
                                       {"round", "2"}},
                                      {12, 5, nullptr});
    }
}

TEST_CASE("the optimum over segments of all kinds is found, on any number of threads, with fixed elements too") {
    const Given given = {
        {"subpopulations", "3"}, {"size", "16"}, {"exchange_every", "4"}, {"round", "10"}, {"mutation_rate", "0.5"}};
    TestHost base;
    for (const char* fixed : {"false", "true"}) {
        TestProblem<test::ToySegments> problem(base, {{"fixed", fixed}});
        std::optional<Outcome> first;
        for (const std::uint32_t workers : {1u, 2u}) {
            const ThreadedHost host(workers);
            const Outcome found =
                test::solve<Solver>(host.get(), problem, given, {qapfw::kSanitized ? 40u : 300u, 3, nullptr});
            CHECK(problem.object().defect(found.best.data()) == "");
            if (fixed[0] == 'f' && !qapfw::kSanitized) CHECK(found.cost == problem.object().brute_force());
            if (!first) first = found;
            CHECK(found == *first);
        }
    }
}

TEST_CASE("rounds in slices are the same rounds") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const Given given = {
        {"subpopulations", "3"}, {"size", "16"}, {"exchange_every", "4"}, {"round", "10"}, {"mutation_rate", "0.5"}};
    test::check_slices<Solver>(host.get(), problem, given, {30, 3, nullptr}, 3);
    test::check_slices<Solver>(host.get(), problem, given, {30, 3, nullptr}, 2);
}
