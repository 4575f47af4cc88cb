// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/solver_checks.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/support/toy_segments.hpp"
#include "tests/unit/plugins/memetic/memetic_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Evolved;
using test::Given;
using test::Outcome;
using test::small_memetic;
using test::SweepImprover;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::ThreadedHost;
using test::ToyBays;
using test::ToyOrdering;
using Memetic = memetic::MemeticSolver;

template <class Problem>
Outcome solve(const qapfw_host* host, const TestProblem<Problem>& problem, const Given& given,
              std::uint64_t generations, const qapfw_improver_ref* improver = nullptr, std::uint64_t seed = 3) {
    return test::solve<Memetic>(host, problem, given, {generations, seed, improver, {}});
}

}  // namespace

TEST_CASE("the optimum of small problems that brute force finds, with and without an improver") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const std::int64_t optimum = test::brute_force(problem.object());
    CHECK(solve(host.get(), problem, small_memetic(), 60).cost == optimum);
    CHECK(solve(host.get(), problem, small_memetic(), 60, improver.get()).cost == optimum);
}

TEST_CASE("sizes of one to three and lone islands are solved") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> ordering(host, {{"n", n}});
        TestProblem<ToyBays> bays(host, {{"n", n}});
        const Given alone = small_memetic({{"islands", "1"}, {"size", "2"}});
        CHECK(solve(host.get(), ordering, alone, 20).cost == test::brute_force(ordering.object()));
        solve(host.get(), bays, alone, 20);
        solve(host.get(), bays, small_memetic(), 5);
    }
}

TEST_CASE("digests are equal on 1, 2 and 16 threads") {
    TestHost host;
    const ThreadedHost one(1);
    const ThreadedHost two(2);
    const ThreadedHost sixteen(16);
    const auto check = [&](auto& problem) {
        const TestImprover<SweepImprover> a(one.get(), problem.get()), b(sixteen.get(), problem.get());
        const Outcome expected = solve(one.get(), problem, small_memetic(), 12);
        CHECK(expected.digests.size() == 12);
        CHECK(solve(two.get(), problem, small_memetic(), 12) == expected);
        CHECK(solve(sixteen.get(), problem, small_memetic(), 12) == expected);
        CHECK(solve(one.get(), problem, small_memetic(), 12, nullptr, 4).digests != expected.digests);
        CHECK(solve(sixteen.get(), problem, small_memetic(), 9, b.get()) ==
              solve(one.get(), problem, small_memetic(), 9, a.get()));
    };
    TestProblem<ToyOrdering> ordering(host, {{"n", "12"}});
    TestProblem<ToyBays> bays(host, {{"n", "12"}});
    check(ordering);
    check(bays);
}

TEST_CASE("every island does the same work, up to the child that it was making") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const TestRun run(3, 30, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"restart_after", "0"}}), run, 30, improver.get());
    for (std::size_t island = 0; island < 6; ++island) {
        CHECK(islands.view().work[island] >= 30 * 40);
        CHECK(islands.view().work[island] < 30 * 40 + 12);
        const std::uint64_t* const spent = islands.view().spent + 4 * island;
        CHECK(spent[0] + spent[1] + spent[2] + spent[3] == islands.view().work[island]);
    }
}

TEST_CASE("a child counts as leader_child_work from the first rung on where its arm leads, else as child_work") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const TestRun run(3, 3, problem.ref().solution_bytes());
    const auto with_leaders = [&](std::uint64_t rounds, std::uint64_t work, const char* leaders) {
        const Given given = small_memetic({{"child_work", "30"}, {"leader_child_work", leaders}});
        Evolved islands(host, problem, given, run, rounds, improver.get());
        return std::count(islands.view().child_work, islands.view().child_work + 6, work);
    };
    CHECK(with_leaders(1, 30, "5") == 6);
    CHECK(with_leaders(2, 30, "5") == 1);  // the one island whose arm does not lead
    CHECK(with_leaders(2, 5, "5") == 5);
    CHECK(with_leaders(2, 30, "auto") == 6);
}

TEST_CASE("with a lead there is one more island for each arm but one, if the other arms keep their islands") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const TestRun run(3, 1, problem.ref().solution_bytes());
    const auto islands = [&](const char* lead, const char* explore_rungs) {
        const Given given = small_memetic({{"islands", "auto"}, {"lead", lead}, {"explore_rungs", explore_rungs}});
        return Evolved(host, problem, given, run, 1).algorithm.shape().groups;
    };
    CHECK(islands("1", "0") == 10);  // for four arms
    CHECK(islands("2", "0") == 13);
    CHECK(islands("4", "0") == 13);
    CHECK(islands("4", "1") == 10);
}

TEST_CASE("the first arm gets the islands of a lead from the comparison lead_from on") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const TestRun run(3, 20, problem.ref().solution_bytes());
    const auto islands_of_first = [&](const char* lead_from) {
        Evolved islands(
            host, problem,
            small_memetic(
                {{"islands", "12"}, {"rung", "1"}, {"explore_rungs", "0"}, {"lead", "4"}, {"lead_from", lead_from}}),
            run, 20);
        std::array<int, 4> count{};
        for (std::size_t island = 0; island < 12; ++island) ++count[islands.view().arms[island]];
        return *std::max_element(count.begin(), count.end());
    };
    CHECK(islands_of_first("1000") == 7);
    CHECK(islands_of_first("4") == 9);
    CHECK(islands_of_first("1") == 9);
}

TEST_CASE("lead_from is 2 if lead is auto, and 4 if lead is given") {
    const auto resolved = [](const char* lead) {
        TestHost host;
        TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
        const TestRun run(3, 1, problem.ref().solution_bytes());
        Evolved islands(host, problem, small_memetic({{"lead", lead}}), run, 1);
        return host.resolved.at("lead_from");
    };
    CHECK(resolved("auto") == 2);
    CHECK(resolved("4") == 4);
}

TEST_CASE("an arm that lengthens its searches multiplies their iterations by the island's pace") {
    memetic::Arm arm;
    arm.looks = 66;
    arm.search = 66 * 1'000;
    CHECK(arm.iterations_at(4) == 0);  // as in the settings
    arm.lengthens = true;
    CHECK(arm.iterations_at(1) == 0);
    CHECK(arm.iterations_at(4) == 4'000);
    arm.iterations = 70;  // for a small budget
    CHECK(arm.iterations_at(1) == 70);
    CHECK(arm.iterations_at(4) == 280);
    arm.iterations = arm.search = 0;  // a descent: the length of its searches is unknown
    CHECK(arm.iterations_at(4) == 0);
}

TEST_CASE("an island with a pace of 4 makes four times the evaluations of another island in a round") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const TestRun run(3, 22, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"restart_after", "0"}}), run, 2, improver.get());
    const auto evaluations = [&](std::size_t island) {
        const std::uint64_t* const spent = islands.view().spent + 4 * island;
        return spent[0] + spent[1] + spent[2] + spent[3];
    };
    std::vector<std::uint64_t> before;
    for (std::size_t island = 0; island < 6; ++island) {
        before.push_back(evaluations(island));
        CHECK(islands.view().pace[island] == 1);
        islands.view().pace[island] = island < 3 ? 4 : 1;
    }
    for (std::uint64_t t = 3; t <= 22; ++t) islands.algorithm.generation(islands.steps(), t);
    for (std::size_t island = 0; island < 6; ++island) {
        CAPTURE(island);
        const double rounds = static_cast<double>(evaluations(island) - before[island]) / 40;
        CHECK(rounds == doctest::Approx(island < 3 ? 80 : 20).epsilon(0.1));
    }
}

TEST_CASE("few islands work in the first round and four times as many in each later one; later islands do less work") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestRun run(3, 4, problem.ref().solution_bytes());
    const Given given = small_memetic({{"islands", "9"}, {"first_islands", "2"}, {"restart_after", "0"}});
    const std::size_t working[] = {0, 2, 8, 9, 9};
    for (std::uint64_t rounds = 1; rounds <= 4; ++rounds) {
        Evolved islands(host, problem, given, run, rounds);
        for (std::size_t island = 0; island < 9; ++island) {
            const std::uint64_t* const spent = islands.view().spent + 4 * island;
            CHECK((spent[0] + spent[1] + spent[2] + spent[3] > 0) == (island < working[rounds]));
            CHECK(islands.view().work[island] >= rounds * 40);
        }
    }
}

TEST_CASE("the fraction of children with two parents is the arm's crossover_rate") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const auto with = [&](const std::string& arm) {
        return solve(host.get(), problem, small_memetic({{"arms", arm + " mutation=0.5 elites=4"}}), 12);
    };
    const Outcome crossed = with("crossover=ox"), alone = with("crossover=none");
    CHECK(with("crossover=ox crossover_rate=1") == crossed);
    CHECK(with("crossover=ox crossover_rate=0") == alone);
    const Outcome half = with("crossover=ox crossover_rate=0.5");
    CHECK(half.digests != crossed.digests);
    CHECK(half.digests != alone.digests);
}

TEST_CASE("too many individuals are refused with every number of the product") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestRun run(3, 9, problem.ref().solution_bytes());
    const Given broods{{"arms", "crossover=pmx broods=1000"}, {"brood", "1001"}, {"islands", "100"}};
    CHECK_THROWS_WITH(
        Evolved(host, problem, broods, run, 0),
        "memetic: islands * brood * (largest `broods` of the arms) must be at most 100000000, found 100 * 1001 * 1000");
    const Given elites{{"arms", "crossover=pmx"}, {"size", "1001"}, {"islands", "100000"}};
    CHECK_THROWS_WITH(Evolved(host, problem, elites, run, 0),
                      "memetic: islands * size must be at most 100000000, found 100000 * 1001");
}

TEST_CASE("what ranks an island is the best child that it made in the whole era, not in a rung" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "30"}});
    const Given given = small_memetic({{"arms", "crossover=pmx mutation=0.5"}, {"restart_after", "1"}, {"size", "16"}});
    std::int64_t best = 0;
    // Rungs end with rounds 2, 6, 10 and 14. Eras end with rounds 2, 6 and 14.
    for (std::uint64_t t = 7; t <= 14; ++t) {
        const TestRun run(3, t, problem.ref().solution_bytes());
        Evolved islands(host, problem, given, run, t - 1);
        islands.algorithm.generation(islands.steps(), t);
        const auto& result = islands.view().era[0];
        CHECK(result.has_child == 1);
        if (t > 7) CHECK(result.cost.i <= best);
        best = result.cost.i;
    }
}

TEST_CASE("a resumed run goes on exactly") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const Given given = small_memetic({{"restart_after", "4"}});
        const Outcome whole = solve(host.get(), problem, given, 20, with);
        for (const std::uint64_t cut : {1u, 2u, 5u, 6u, 13u}) {
            CHECK(test::solve_in_two_parts<Memetic>(host.get(), problem, given, {20, 3, with, {}}, cut) == whole);
        }
    }
}

TEST_CASE("a round cut short reports a valid solution and leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    test::check_stopped_rounds<Memetic>(problem, host, small_memetic(), nullptr);
    test::check_stopped_rounds<Memetic>(problem, host, small_memetic(), improver.get());
}

TEST_CASE("a run is not worse than its warm starts") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "20"}});
    const Outcome good = solve(host.get(), problem, small_memetic(), 60);
    test::check_warm_starts<Memetic>(problem, host, {small_memetic(), small_memetic({{"islands", "1"}, {"size", "2"}})},
                                     good);
}

TEST_CASE("fixed elements stay at their positions") {
    TestHost host;
    TestProblem<ToyOrdering> ordering(host, {{"n", "9"}, {"fix_first", "true"}});
    const TestImprover<SweepImprover> improver(host.get(), ordering.get());
    const std::uint16_t fixed = sdk::permutation_of(ordering.ref().encoding().fixed_solution)[0];
    const Outcome ended = solve(host.get(), ordering, small_memetic({{"restart_after", "3"}}), 30);
    CHECK(sdk::permutation_of(static_cast<const void*>(ended.best.data()))[0] == fixed);
}

TEST_CASE("several processes share out the islands and leave the search as it is") {
    test::check_processes<Memetic>({{"n", "12"}}, small_memetic(), {12, 3, nullptr, {}});
    test::check_processes<Memetic>({{"n", "9"}}, small_memetic({{"restart_after", "2"}, {"islands", "7"}}),
                                   {12, 3, nullptr, {}}, [](const qapfw_host* host, const qapfw_problem_ref* problem) {
                                       return std::make_shared<TestImprover<SweepImprover>>(host, problem);
                                   });
}

TEST_CASE("the values of auto are reported, and each arm's part of the work is in the statistics and in the last line" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}});
    static std::map<std::string, double> statistics;
    statistics.clear();
    Given given = small_memetic();
    given.erase("islands");
    given.erase("round");
    TestRun run(3, 4, problem.ref().solution_bytes());
    qapfw_run c = *run.get();
    c.statistic = [](void*, const char* name, double value) { statistics[name] = value; };
    test::TestSolver<Memetic>(host.get(), problem.get(), given).run(c);
    CHECK(host.resolved.at("islands") == 10);
    CHECK(host.resolved.at("round") > 0);
    double islands = 0, evaluations = 0;
    for (const char* arm : {"ux", "pmx", "cycle", "ils"}) {
        islands += statistics.at(std::string("arm ") + arm + " islands");
        evaluations += statistics.at(std::string("arm ") + arm + " evaluations");
    }
    CHECK(islands == 10);
    CHECK(evaluations + 10 * 4 <= static_cast<double>(run.evaluations));
    CHECK(host.log.back().rfind("arms: ux ", 0) == 0);
}

TEST_CASE("the optimum over segments of all kinds is found on any number of threads, with fixed elements too") {
    TestHost base;
    const Given given = {{"islands", "4"}, {"round", "2000"}};
    for (const char* fixed : {"false", "true"}) {
        TestProblem<test::ToySegments> problem(base, {{"fixed", fixed}});
        std::optional<Outcome> first;
        for (const std::uint32_t workers : {1u, 2u}) {
            const ThreadedHost host(workers);
            const Outcome found = solve(host.get(), problem, given, qapfw::kSanitized ? 3u : 12u);
            CHECK(problem.object().defect(found.best.data()) == "");
            if (fixed[0] == 'f' && !qapfw::kSanitized) CHECK(found.cost == problem.object().brute_force());
            if (!first) first = found;
            CHECK(found == *first);
        }
    }
}

TEST_CASE("a small budget of evaluations is for few and short rounds") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}});
    for (const std::uint64_t most : {1'000u, 20'000u}) {
        test::TestSolver<Memetic> solver(host.get(), problem.get(), {});
        TestRun run(3, 1, problem.ref().solution_bytes());
        qapfw_run services = *run.get();
        services.most_evaluations = most;
        solver.run(services);
        CHECK(run.evaluations > 0);
        CHECK(run.evaluations < most);
    }
}
