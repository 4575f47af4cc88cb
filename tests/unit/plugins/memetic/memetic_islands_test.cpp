// SPDX-License-Identifier: Apache-2.0
// The islands of the memetic algorithm on the host: their elites, their growth and restarts, and their broods.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/sanitized.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/toy_bays.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/plugins/memetic/memetic_test_tools.hpp"

namespace {

using namespace qapfw;
using test::Evolved;
using test::Given;
using test::small_memetic;
using test::SweepImprover;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::ToyBays;
using test::ToyOrdering;

}  // namespace

TEST_CASE("places for elites that an island has not grown to hold copies of its best") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestRun run(3, 4, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"size", "40"}}), run, 0);
    const auto& all = islands.view();
    CHECK(all.drawn == 16);
    for (std::uint32_t island = 0; island < 6; ++island) {
        for (std::uint32_t k = 16; k < 40; ++k) CHECK(all.costs[island * 40 + k].i == all.costs[island * 40].i);
        CHECK(all.members[island] == 2);
    }
}

TEST_CASE(
    "after the race two arms share the islands but one, the others take turns on it; without a race they stay as dealt "
    "out") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "14"}});
    const TestRun run(3, 30, problem.ref().solution_bytes());
    const auto islands_of_arms = [&](const char* rung) {
        Evolved islands(host, problem, small_memetic({{"rung", rung}, {"islands", "9"}}), run, 30);
        std::vector<int> count(4);
        for (std::size_t island = 0; island < 9; ++island) ++count[islands.view().arms[island]];
        std::sort(count.begin(), count.end());
        return count;
    };
    CHECK(islands_of_arms("2") == std::vector{0, 1, 4, 4});
    CHECK(islands_of_arms("0") == std::vector{2, 2, 2, 3});
}

TEST_CASE("no two elites of an island have the same cost once all were searched from, but for walks") {
    TestHost host;
    TestProblem<ToyBays> problem(host, {{"n", "12"}});
    const TestRun run(3, 60, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"rung", "0"}}), run, 60);
    for (std::size_t island = 0; island < 6; ++island) {
        if (islands.view().arms[island] == 3) continue;  // arm 3 is a walk
        std::vector<double> costs;
        const std::size_t members = islands.view().members[island];
        for (std::size_t k = 0; k < members; ++k) costs.push_back(islands.view().costs[4 * island + k].f);
        std::sort(costs.begin(), costs.end());
        for (std::size_t k = 1; k < members; ++k) CHECK(costs[k] > costs[k - 1]);
    }
}

TEST_CASE("costs of elites are what the problem computes, and no island's best is better than the leader") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "14"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const TestRun run(3, 20, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"restart_after", "2"}}), run, 20, improver.get());
    const memetic::Islands& all = islands.view();
    const sdk::Leader leader = islands.algorithm.leader(islands.steps());
    for (std::uint32_t k = 0; k < 24; ++k) {
        CHECK(problem.ref().evaluate_one(all.elite(k)).i == all.costs[k].i);
        CHECK(all.costs[k].i >= leader.cost.i);
    }
    CHECK(*std::max_element(all.restarts, all.restarts + 6) > 0);
}

TEST_CASE("islands that find nothing begin anew, keep their best and do not lose the run's") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "5"}});
    const TestRun run(3, 40, problem.ref().solution_bytes());
    Evolved islands(host, problem, small_memetic({{"restart_after", "3"}, {"migrate_every", "0"}}), run, 40);
    const memetic::Islands& all = islands.view();
    for (std::uint32_t island = 0; island < 6; ++island) {
        CHECK(all.restarts[island] > 3);
        CHECK(all.births[island] == all.born[island]);
        CHECK(all.born[island] > 0);
        CHECK(all.born[island] < all.work[island]);
    }
    CHECK(islands.algorithm.leader(islands.steps()).cost.i == test::brute_force(problem.object()));
}

TEST_CASE("islands whose arm has no crossover restart after chain_restart_after, or never") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "5"}});
    const TestRun run(3, 40, problem.ref().solution_bytes());
    const auto restarts = [&](const char* chain) {
        Evolved islands(host, problem,
                        small_memetic({{"restart_after", "3"}, {"chain_restart_after", chain}, {"rung", "0"}}), run,
                        40);
        const memetic::Islands& all = islands.view();
        std::uint64_t crossed = 0, chains = 0;
        for (std::uint32_t island = 0; island < 6; ++island) {
            // The last of the four arms for a host without improvers has no crossover.
            (all.arms[island] == 3 ? chains : crossed) += all.restarts[island];
        }
        CHECK(crossed > 10);
        return chains;
    };
    CHECK(restarts("0") == 0);
    CHECK(restarts("auto") > 3);
    CHECK(restarts("30") > 0);
    CHECK(restarts("30") < restarts("auto"));
}

TEST_CASE("an island that began anew takes in no elite of an older one, and older ones take in its elites") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestRun run(3, 4, problem.ref().solution_bytes());
    const Given given = small_memetic({{"arms", "crossover=pmx mutation=0.5 moves=1"}, {"islands", "2"}});
    static constexpr std::int64_t kLess = -1'000'000;  // less than all costs
    const auto takes = [&](std::uint32_t island, std::uint64_t born) {
        Evolved islands(host, problem, given, run, 4);
        const memetic::Islands& all = islands.view();
        all.births[island] = born;
        all.births[1 - island] = 50;
        all.emigrant_costs[1 - island].i = kLess;
        all.immigration[island] = 0;
        const memetic::HostCosts costs{problem.ref().less()};
        memetic::Island<qapfw_cost, memetic::HostCosts>(all, island, costs).take_immigrants(4);
        const qapfw_cost* const first = all.costs + std::size_t{4} * island;
        return std::any_of(first, first + all.members[island], [](qapfw_cost cost) { return cost.i == kLess; });
    };
    for (const std::uint32_t island : {0u, 1u}) {
        CHECK(takes(island, 0));
        CHECK(takes(island, 50));
        CHECK_FALSE(takes(island, 51));
    }
}

TEST_CASE(
    "an island takes in as many elites as its children are enough for, at most `migrants`, each of another island") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestRun run(3, 4, problem.ref().solution_bytes());
    const auto taken = [&](const char* migrants, std::uint64_t times_enough) {
        Evolved islands(host, problem,
                        small_memetic({{"arms", "crossover=pmx mutation=0.5 moves=1"}, {"migrants", migrants}}), run,
                        4);
        const memetic::Islands& all = islands.view();
        const std::uint32_t islands_of_run = 6;
        for (std::uint32_t k = 0; k < islands_of_run; ++k) {
            all.births[k] = 0;
            all.emigrant_costs[k].i = -1'000'000 - std::int64_t{k};  // less than all costs, and all different
        }
        all.immigration[0] = all.children[0] - times_enough * all.migrate_every * all.members[0];
        const memetic::HostCosts costs{problem.ref().less()};
        memetic::Island<qapfw_cost, memetic::HostCosts>(all, 0, costs).take_immigrants(4);
        CHECK(all.immigration[0] == all.children[0]);
        return std::count_if(all.costs, all.costs + all.members[0],
                             [](qapfw_cost cost) { return cost.i <= -1'000'000; });
    };
    CHECK(taken("1", 3) == 1);
    CHECK(taken("2", 1) == 1);
    CHECK(taken("2", 3) == 2);
    CHECK(taken("3", 3) == 3);
}

TEST_CASE("islands begin small, double their elites each time they converge, and begin anew once they have all" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "6"}});
    const Given given = small_memetic({{"arms", "crossover=pmx mutation=0.5 moves=1"},
                                       {"size", "7"},
                                       {"restart_after", "3"},
                                       {"migrate_every", "0"}});
    std::vector<std::uint32_t> sizes;
    std::uint64_t restarts = 0;
    for (std::uint64_t rounds = 0; rounds < 40; ++rounds) {
        const TestRun run(3, rounds, problem.ref().solution_bytes());
        Evolved islands(host, problem, given, run, rounds);
        const memetic::Islands& all = islands.view();
        if (all.members[0] < 7) CHECK(all.restarts[0] == 0);
        if (sizes.empty() || sizes.back() != all.members[0]) sizes.push_back(all.members[0]);
        restarts = all.restarts[0];
        for (std::uint32_t k = 0; k < all.members[0]; ++k)
            CHECK(problem.ref().evaluate_one(all.elite(k)).i == all.costs[k].i);
    }
    CHECK(sizes.front() == 2);
    CHECK(sizes.back() == 7);
    CHECK(std::is_sorted(sizes.begin(), sizes.end()));
    CHECK(restarts > 0);
}

TEST_CASE("a converged island of sixteen elites or more begins anew with twice as many" *
          doctest::skip(qapfw::kThreadsAlone)) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "6"}});
    const Given given = small_memetic({{"arms", "crossover=pmx mutation=0.5 moves=1"},
                                       {"size", "64"},
                                       {"first_size", "16"},
                                       {"restart_after", "1"},
                                       {"migrate_every", "0"}});
    std::vector<std::uint32_t> sizes;
    std::uint64_t born = 0;
    for (std::uint64_t rounds = 0; rounds < 40; ++rounds) {
        const TestRun run(3, rounds, problem.ref().solution_bytes());
        Evolved islands(host, problem, given, run, rounds);
        const memetic::Islands& all = islands.view();
        if (!sizes.empty() && sizes.back() != all.members[0]) {
            CHECK(all.born[0] > born);
            CHECK(all.restarts[0] > 0);
        }
        born = all.born[0];
        if (sizes.empty() || sizes.back() != all.members[0]) sizes.push_back(all.members[0]);
    }
    CHECK(sizes == std::vector<std::uint32_t>{16, 32, 64});
}

TEST_CASE("broods begin with one child and double, and so do rounds, until both are as long as asked for") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const Given given =
        small_memetic({{"arms", "crossover=pmx broods=2"}, {"brood", "5"}, {"round", "80"}, {"size", "30"}});
    const TestRun run(3, 9, problem.ref().solution_bytes());
    Evolved islands(host, problem, given, run, 0);
    const memetic::Islands& all = islands.view();
    const memetic::HostCosts costs{problem.ref().less()};
    std::vector<std::uint32_t> broods;
    for (std::uint64_t made = 0; made < 20; made += broods.back()) {
        all.children[0] = made;
        std::fill(all.fresh, all.fresh + 30, std::uint8_t{0});
        broods.push_back(memetic::Island<qapfw_cost, memetic::HostCosts>(all, 0, costs).brood());
    }
    CHECK(broods == std::vector<std::uint32_t>{1, 2, 4, 8, 10});
    CHECK(all.arm_rules[0].first == 4);  // first_size = 2, multiplied by broods = 2
    std::vector<std::uint64_t> work;
    for (std::uint64_t t = 0; t < 8; ++t) work.push_back(all.work_by(t));
    CHECK(work == std::vector<std::uint64_t>{0, 16, 48, 112, 192, 272, 352, 432});
}
