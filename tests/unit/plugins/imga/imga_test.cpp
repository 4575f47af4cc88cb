// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/imga.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <numeric>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/host_population.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/plugins/imga/imga_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Given;
using test::Outcome;
using test::small_islands;
using test::StateBytes;
using test::SweepImprover;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::ThreadedHost;
using test::ToyBays;
using test::ToyOrdering;
using Solver = test::TestSolver<test::Imga>;

template <class Problem>
Outcome solve(const qapfw_host* host, TestProblem<Problem>& problem, const Given& given, std::uint64_t iterations,
              const qapfw_improver_ref* improver = nullptr, std::uint64_t seed = 3) {
    return test::solve<test::Imga>(host, problem, given, {iterations, seed, improver});
}

std::int64_t optimum(TestProblem<ToyOrdering>& problem) {
    return test::brute_force(problem.object());
}

/// The least cost over all sequences and all values of the bay bits.
double optimum(TestProblem<ToyBays>& problem) {
    std::vector<unsigned char> s(problem.ref().solution_bytes());
    sdk::base_solution(problem.ref(), s.data());
    const std::uint32_t n = problem.ref().length();
    std::uint16_t* const p = sdk::permutation_of(static_cast<void*>(s.data()));
    std::uint8_t* const bits = s.data() + problem.ref().encoding().segments[1].offset;
    double best = std::numeric_limits<double>::infinity();
    do {
        for (std::uint32_t code = 0; code < 1u << (n - 1); ++code) {
            for (std::uint32_t k = 0; k + 1 < n; ++k) bits[k] = static_cast<std::uint8_t>(code >> k & 1u);
            best = std::min(best, problem.object().cost(s.data()));
        }
    } while (std::next_permutation(p, p + n));
    return best;
}

/// The islands of a run on the host after some generations.
template <class Problem>
class Evolved : public test::HostPopulation<imga::Imga> {
  public:
    Evolved(const TestHost& host, const TestProblem<Problem>& problem, const Given& given, const TestRun& services,
            std::uint64_t generations)
        : HostPopulation(host.get(), problem.get(), given, *services.get()) {
        algorithm.start(steps());
        for (std::uint64_t t = 1; t <= generations; ++t) {
            algorithm.generation(steps(), t);
            CHECK(algorithm.meet(*all, t));
        }
    }
};

std::uint64_t stops_after = 0;  ///< how many more calls of should_stop return false

qapfw_run stopping(const TestRun& run, std::uint64_t after) {
    stops_after = after;
    qapfw_run c = *run.get();
    c.should_stop = [](void*) -> std::int32_t { return stops_after == 0 ? 1 : (--stops_after, 0); };
    return c;
}

const Given kSearches[] = {{},
                           {{"crossover", "ox"}, {"bits", "department"}, {"topology", "torus"}},
                           {{"replacement", "distinct"}, {"topology", "complete"}, {"align", "true"}},
                           {{"tournament_seeding", "clock_once"}, {"mutation_per", "position"}, {"elites", "3"}},
                           {{"crossover", "uniform"}, {"replacement", "distinct"}},
                           {{"tournament_seeding", "per_thread"}, {"restart_after", "4"}, {"topology", "random"}}};

}  // namespace

TEST_CASE("the optimum of small problems that brute force finds") {
    TestHost host;
    TestProblem<ToyOrdering> ordering(host, {{"n", "7"}});
    TestProblem<ToyBays> bays(host, {{"n", "6"}});
    for (const Given& variant : kSearches) {
        CHECK(solve(host.get(), ordering, small_islands(variant), 150).cost == optimum(ordering));
        TestRun run(3, 150, bays.ref().solution_bytes());
        Solver solver(host.get(), bays.get(), small_islands(variant));
        solver.run(*run.get());
        CHECK(run.best_cost.f == doctest::Approx(optimum(bays)));
    }
}

TEST_CASE("a stop leaves out what is left of a batch of evaluations, but never its first solution") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    constexpr std::uint32_t kCount = 40;
    const std::uint64_t bytes = problem.ref().solution_bytes();
    std::vector<unsigned char> solutions(kCount * bytes);
    for (std::uint32_t k = 0; k < kCount; ++k) {
        sdk::base_solution(problem.ref(), solutions.data() + k * bytes);
        std::uint16_t* const p = sdk::permutation_of(static_cast<void*>(solutions.data() + k * bytes));
        for (std::uint32_t step = 0; step < k; ++step) std::next_permutation(p, p + 7);
    }
    const auto cost = [&](std::uint32_t k) {
        return problem.object().cost(sdk::permutation_of(static_cast<const void*>(solutions.data() + k * bytes)));
    };
    // How many calls of should_stop return false. The solver calls should_stop between the parts of the batch. If no
    // part is slow, the parts have 1, 8 and 31 solutions.
    const std::vector<std::uint64_t> allowed = {0, 1, 100};
    for (const std::uint64_t looks : allowed) {
        CAPTURE(looks);
        TestRun run(3, 10, bytes);
        const qapfw_run services = stopping(run, looks);
        test::HostPopulation<imga::Imga> islands(host.get(), problem.get(), small_islands({}), services);
        std::vector<qapfw_cost> costs(kCount, qapfw_cost{-1});
        const bool complete = islands.steps().evaluate(0, {solutions.data(), costs.data(), kCount}, 0, 1);
        CHECK(complete == (looks == 100));
        CHECK(islands.steps().is_cut() == !complete);
        const auto evaluated = static_cast<std::uint32_t>(islands.all->places().front()->evaluations());
        CHECK((looks == 0 ? evaluated == 1 : complete ? evaluated == kCount : evaluated < kCount));
        std::int64_t least = cost(0);
        for (std::uint32_t k = 0; k < evaluated; ++k) least = std::min(least, cost(k));
        for (std::uint32_t k = 0; k < kCount; ++k) CHECK(costs[k].i == cost(k < evaluated ? k : 0));
        CHECK(islands.all->places().front()->seen().cost.i == least);
    }
}

TEST_CASE("sizes of one to three, islands of one and lone islands are solved") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> ordering(host, {{"n", n}});
        TestProblem<ToyBays> bays(host, {{"n", n}});
        const Given one_each{{"size", "1"}, {"migrants", "1"}, {"islands", "3"}};
        const Given alone{{"islands", "1"}, {"size", "5"}, {"migrants", "1"}, {"mutation_rate", "1"}};
        CHECK(solve(host.get(), ordering, alone, 60).cost == optimum(ordering));
        solve(host.get(), ordering, one_each, 20);
        solve(host.get(), bays, alone, 20);
        solve(host.get(), bays, one_each, 20);
    }
}

TEST_CASE("digests are equal on 1, 2 and 16 threads, whatever the order") {
    TestHost host;
    const ThreadedHost one(1);
    const ThreadedHost two(2);
    const ThreadedHost sixteen(16);
    TestProblem<ToyOrdering> ordering(host, {{"n", "12"}});
    TestProblem<ToyBays> bays(host, {{"n", "12"}});
    const auto check = [&](auto& problem) {
        const TestImprover<SweepImprover> a(one.get(), problem.get()), b(sixteen.get(), problem.get());
        for (const Given& variant : kSearches) {
            const Given given = small_islands(variant);
            const Outcome expected = solve(one.get(), problem, given, 12);
            CHECK(!expected.digests.empty());
            CHECK(solve(two.get(), problem, given, 12) == expected);
            CHECK(solve(sixteen.get(), problem, given, 12) == expected);
            CHECK(solve(one.get(), problem, given, 12, nullptr, 4).digests != expected.digests);
            CHECK(solve(sixteen.get(), problem, given, 7, b.get()) == solve(one.get(), problem, given, 7, a.get()));
        }
    };
    check(ordering);
    check(bays);
}

TEST_CASE("longer rounds leave the search as it is") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const Outcome single = solve(host.get(), problem, small_islands({{"round", "1"}}), 12);
    const Outcome longer = solve(host.get(), problem, small_islands({{"round", "5"}}), 12);
    REQUIRE(single.digests.size() == 12);
    CHECK(longer.digests == std::vector{single.digests[4], single.digests[9], single.digests[11]});
    CHECK(longer.evaluations == single.evaluations);
}

TEST_CASE("with an improver fewer iterations are enough, and rate and frequency make it work less") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const auto evaluations = [&](const char* rate, const char* every) {
        const Given given = small_islands({{"improve_rate", rate}, {"improve_every", every}});
        return solve(host.get(), problem, given, 40, improver.get()).evaluations;
    };
    const std::uint64_t plain = solve(host.get(), problem, small_islands(), 40).evaluations;
    CHECK(solve(host.get(), problem, small_islands(), 40, improver.get()).cost == optimum(problem));
    CHECK(evaluations("1", "1") > evaluations("0.3", "1"));
    CHECK(evaluations("1", "1") > evaluations("1", "5"));
    CHECK(evaluations("0", "1") > plain + 40 * 6);  // the first individuals are improved in any case
    CHECK(evaluations("0", "1") < plain + 40 * 40);
}

TEST_CASE("a child equal to a parent is not evaluated again") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const Given still{{"crossover_rate", "0"}, {"mutation_rate", "0"}};
    CHECK(solve(host.get(), problem, small_islands(still), 10).evaluations == 40);
    const Given stirred{{"crossover_rate", "0"}, {"mutation_rate", "1"}, {"swap", "1"}, {"insert", "0"}};
    const std::uint64_t all = solve(host.get(), problem, small_islands(stirred), 10).evaluations;
    CHECK(all > 40 + 380);
    CHECK(all <= 40 + 400);
}

TEST_CASE("elites keep the best in its island, without them it may be lost but is remembered") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "15"}});
    const auto present_and_best = [&](const char* elites) {
        const Given wild = small_islands(
            {{"elites", elites}, {"crossover_rate", "1"}, {"mutation_rate", "1"}, {"mutation_moves", "9"}});
        const TestRun run(3, 30, problem.ref().solution_bytes());
        Evolved islands(host, problem, wild, run, 30);
        const auto less = [](qapfw_cost a, qapfw_cost b) { return a.i < b.i; };
        const std::int64_t best = islands.algorithm.leader(islands.steps()).cost.i;
        CHECK(std::min_element(islands.view().best_costs, islands.view().best_costs + 4, less)->i == best);
        return std::pair(std::min_element(islands.view().costs, islands.view().costs + 40, less)->i, best);
    };
    const auto [present, best] = present_and_best("1");
    CHECK(present == best);
    const auto [later, remembered] = present_and_best("0");
    CHECK(later > remembered);
}

TEST_CASE("with replacement distinct no two individuals of an island cost the same") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const TestRun run(3, 60, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_islands({{"replacement", "distinct"}}), run, 60);
    for (std::size_t island = 0; island < 4; ++island) {
        std::vector<double> costs;
        for (std::size_t k = 0; k < 10; ++k) costs.push_back(islands.view().costs[10 * island + k].f);
        std::sort(costs.begin(), costs.end());
        for (std::size_t k = 1; k < 10; ++k) CHECK(costs[k] - costs[k - 1] > 1e-9 * costs[k]);
    }
}

TEST_CASE("migrants come only in generations that are due") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "20"}});
    const auto digests = [&](const char* islands, const char* every) {
        const Given given = small_islands({{"round", "1"}, {"islands", islands}, {"migrate_every", every}});
        return solve(host.get(), problem, given, 8).digests;
    };
    const auto with = digests("3", "4"), without = digests("3", "0");
    CHECK(std::equal(with.begin(), with.begin() + 3, without.begin()));
    CHECK(with[3] != without[3]);
    CHECK(digests("1", "4") == digests("1", "0"));
}

TEST_CASE("islands that stagnate are drawn anew, and the best found before stays") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "5"}});
    double restarts = 0;
    TestRun run(3, 100, problem.ref().solution_bytes());
    qapfw_run c = *run.get();
    static double* counted = nullptr;
    counted = &restarts;
    c.statistic = [](void*, const char* name, double value) {
        if (std::string_view(name) == "restarts") *counted = value;
    };
    Solver solver(host.get(), problem.get(), small_islands({{"restart_after", "10"}}));
    solver.run(c);
    CHECK(restarts >= 5);
    CHECK(restarts <= 10);
    CHECK(run.best_cost.i == optimum(problem));
}

TEST_CASE("a resumed run goes on exactly") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    for (const Given& variant : kSearches) {
        Given given = small_islands(variant);
        given["round"] = "4";
        const Outcome whole = solve(host.get(), problem, given, 20);
        for (const std::uint64_t cut : {1u, 5u, 8u, 13u}) {
            StateBytes state;
            Solver first(host.get(), problem.get(), given), second(host.get(), problem.get(), given);
            TestRun run_first(3, cut, problem.ref().solution_bytes());
            TestRun run_second(3, 20 - cut, problem.ref().solution_bytes(), true);
            first.run(*run_first.get());
            first.save(state);
            second.load(state);
            second.run(*run_second.get());
            CHECK(run_second.digests.back() == whole.digests.back());
            CHECK(run_second.best_cost.i == whole.cost);
            CHECK(run_first.evaluations + run_second.evaluations == whole.evaluations);
        }
    }
}

TEST_CASE("a saved state of other islands is refused") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    StateBytes state;
    Solver first(host.get(), problem.get(), small_islands());
    Solver second(host.get(), problem.get(), small_islands({{"islands", "5"}}));
    TestRun run(3, 2, problem.ref().solution_bytes());
    first.run(*run.get());
    first.save(state);
    second.load(state);
    CHECK(second.run_status(*TestRun(3, 2, problem.ref().solution_bytes(), true).get()) == QAPFW_ERROR_INPUT);
}

TEST_CASE("a round cut short reports a valid solution and leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "9"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const Given given = small_islands({{"round", "2"}, {"restart_after", "3"}});
        const Outcome whole = solve(host.get(), problem, given, 8, with);
        for (std::uint64_t calls = 0; calls < 100; calls += 3) {
            CAPTURE(calls);
            StateBytes state;
            Solver first(host.get(), problem.get(), given, with);
            TestRun run(3, 8, problem.ref().solution_bytes());
            qapfw_run c = stopping(run, calls + 1);
            c.begin_round = [](void*, std::uint64_t) -> std::uint64_t { return stops_after > 0 ? 2 : 0; };
            first.run(c);
            REQUIRE(!run.best.empty());
            CHECK(problem.ref().evaluate_one(run.best.data()).i == run.best_cost.i);
            first.save(state);
            if (run.digests.size() >= 4) break;
            Solver second(host.get(), problem.get(), given, with);
            second.load(state);
            TestRun rest(3, 8 - 2 * run.digests.size(), problem.ref().solution_bytes(), true);
            second.run(*rest.get());
            CHECK(rest.digests.back() == whole.digests.back());
        }
    }
}

TEST_CASE("warm starts enter the first population, the best ones if there are too many") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "30"}});
    const std::uint64_t bytes = problem.ref().solution_bytes();
    Solver better(host.get(), problem.get(), small_islands());
    TestRun long_run(9, 200, bytes);
    better.run(*long_run.get());
    std::vector<unsigned char> warm(bytes * 5);
    for (std::uint64_t k = 0; k < 5; ++k) sdk::base_solution(problem.ref(), warm.data() + bytes * k);
    std::copy(long_run.best.begin(), long_run.best.end(), warm.begin() + static_cast<std::ptrdiff_t>(4 * bytes));
    TestRun run(3, 1, bytes);
    qapfw_run c = *run.get();
    c.initial = {warm.data(), nullptr, 5};
    const Given few{{"islands", "2"}, {"size", "2"}, {"migrants", "1"}};
    Solver(host.get(), problem.get(), few).run(c);
    CHECK(run.best_cost.f <= long_run.best_cost.f);
}

TEST_CASE("fixed elements stay at their positions") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "9"}, {"fix_first", "true"}});
    for (const Given& variant : kSearches) {
        Solver solver(host.get(), problem.get(), small_islands(variant));
        TestRun run(3, 60, problem.ref().solution_bytes());
        solver.run(*run.get());
        CHECK(sdk::permutation_of(static_cast<const void*>(run.best.data()))[0] == 2);
        CHECK(problem.ref().evaluate_one(run.best.data()).i == run.best_cost.i);
    }
}

TEST_CASE("several processes share out the islands and leave the search as it is") {
    for (const Given& variant : kSearches) {
        Given given = small_islands(variant);
        given["round"] = "4";
        test::check_processes<test::Imga>({{"n", "20"}}, given, {24, 3, nullptr});
    }
    test::check_processes<test::Imga>({{"n", "9"}},
                                      small_islands({{"restart_after", "2"}, {"islands", "3"}, {"round", "3"}}),
                                      {12, 3, nullptr}, [](const qapfw_host* host, const qapfw_problem_ref* problem) {
                                          return std::make_shared<TestImprover<SweepImprover>>(host, problem);
                                      });
}

TEST_CASE("the waste of the seeding methods is among the run's statistics") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}});
    static std::map<std::string, double> statistics;
    const auto repeated = [&](const char* seeding) {
        statistics.clear();
        TestRun run(3, 2, problem.ref().solution_bytes());
        qapfw_run c = *run.get();
        c.statistic = [](void*, const char* name, double value) { statistics[name] = value; };
        Solver(host.get(), problem.get(), small_islands({{"tournament_seeding", seeding}, {"tournament_rounds", "4"}}))
            .run(c);
        CHECK(statistics["tournament_draws"] == 40);
        CHECK(statistics["tournament_comparisons"] == 60);
        return std::pair(statistics["tournament_repeated_draws"], statistics["tournament_repeated_comparisons"]);
    };
    // With T = 10 members of an island and M = 4 rounds of a tournament, clock_once repeats (T - 1)(M - 1) draws and
    // (M - 2)(M - 1)(T - 1) / 2 comparisons.
    CHECK(repeated("clock_once") == std::pair(27.0, 27.0));
    CHECK(repeated("clock_per_round") == std::pair(0.0, 0.0));
    CHECK(repeated("per_thread") == std::pair(0.0, 0.0));
    CHECK(repeated("counter") == std::pair(0.0, 0.0));
}

TEST_CASE("the values of auto are reported, and give the same run if set explicitly") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const Given automatic = small_islands();
    const Outcome expected = solve(host.get(), problem, automatic, 10);
    CHECK(host.resolved.at("bays") == 4);
    CHECK(host.resolved.at("round") > 0);
    Given same = automatic;
    same["bays"] = "4";
    same["round"] = std::to_string(host.resolved.at("round"));
    CHECK(solve(host.get(), problem, same, 10) == expected);
    same["bays"] = "9";
    CHECK(solve(host.get(), problem, same, 10).digests != expected.digests);
}

TEST_CASE("bad parameters are refused with one message") {
    TestHost host;
    TestProblem<ToyOrdering> ordering(host, {});
    TestProblem<ToyBays> bays(host, {});
    const auto error = [&](const qapfw_problem_ref* problem, const Given& given) {
        CHECK(Solver(host.get(), problem, given).status == QAPFW_ERROR_INPUT);
        return host.error;
    };
    CHECK(error(bays.get(), {{"migrants", "7"}, {"size", "6"}}) == "imga: migrants must be at most size = 6, found 7");
    CHECK(error(bays.get(), {{"elites", "9"}, {"size", "6"}}) == "imga: elites must be at most size = 6, found 9");
    CHECK(error(bays.get(), {{"islands", "1000000"}, {"size", "65536"}}) ==
          "imga: islands * size must be at most 100000000, found 1000000 * 65536");
    const Given no_sequence{{"swap", "0"}, {"insert", "0"}, {"reverse_segment", "0"}};
    CHECK(
        error(ordering.get(), no_sequence) ==
        "imga: this problem's solutions have no bays, so at least one of the weights swap, insert and reverse_segment "
        "must be positive, found 0 for all");
    CHECK(Solver(host.get(), bays.get(), no_sequence).status == QAPFW_OK);
}
