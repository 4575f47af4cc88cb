// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <numeric>

#include "plugins/ga_independent/ga_independent.hpp"
#include "tests/support/host_population.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::ga_independent;

using Population = test::HostPopulation<GaIndependent>;

/// Parameters of `blocks` blocks of `size` individuals. Blocks never restart unless `more` sets `restart_share`.
test::Given given_for(std::uint32_t blocks, std::uint32_t size, test::Given more = {}) {
    more.insert({{"blocks", std::to_string(blocks)}, {"size", std::to_string(size)}});
    more.insert({"restart_share", "0"});
    return more;
}

std::uint32_t count_best(Population& population) {
    const qapfw_cost* const costs = population.view().population.pools.costs;
    return kernels::ga_count_best(costs, population.settings.problem.less(), population.algorithm.shape().size);
}

std::uint64_t restarts(Population& population) {
    const std::uint64_t* const all = population.view().restarts;
    return std::accumulate(all, all + population.algorithm.shape().groups, std::uint64_t{0});
}

}  // namespace

TEST_CASE("a block restarts at the first check at which enough individuals have its best cost, and not before") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "9"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    constexpr std::uint64_t kCheck = 4, kLast = 60;
    std::vector<std::uint32_t> counts{0};  // count_best at each generation of a block that never restarts
    const test::Given check = {{"restart_check", std::to_string(kCheck)}};
    Population still(host.get(), problem.get(), given_for(1, 20, check), *services.get());
    still.algorithm.start(still.steps());
    for (std::uint64_t generation = 1; generation <= kLast; ++generation) {
        REQUIRE(still.algorithm.evolve(*still.all, generation - 1, generation) == generation);
        counts.push_back(count_best(still));
    }
    CHECK(restarts(still) == 0);
    REQUIRE(counts.back() >= 12);
    int exactly_met = 0;
    for (std::uint32_t threshold = 1; threshold <= 20; ++threshold) {
        std::uint64_t due = kCheck;
        while (due <= kLast && counts[due] < threshold) due += kCheck;
        test::Given given = check;
        given["restart_share"] = std::to_string(threshold / 20.0);
        Population blocks(host.get(), problem.get(), given_for(1, 20, given), *services.get());
        blocks.algorithm.start(blocks.steps());
        REQUIRE(blocks.algorithm.evolve(*blocks.all, 0, std::min(due - 1, kLast)));
        CHECK(restarts(blocks) == 0);
        if (due > kLast) continue;
        const std::int64_t best = blocks.view().best_costs[0].i;
        REQUIRE(blocks.algorithm.evolve(*blocks.all, due - 1, due) == due);
        CHECK(restarts(blocks) == 1);
        CHECK(blocks.view().best_costs[0].i <= best);
        exactly_met += counts[due] == threshold ? 1 : 0;
        for (int k = 0; k < 20; ++k) CHECK(blocks.view().population.pools.found[k] == due);  // all were drawn again
        CHECK(blocks.all->evaluations() == 20 * (due + 2));
    }
    CHECK(exactly_met > 0);
}

TEST_CASE("a block does what it would do alone, and the winner is the lowest generation, then the lowest block") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "9"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    qapfw_run with_target = *services.get();
    with_target.has_target = 1;
    with_target.target.i = test::brute_force(problem.object());
    constexpr std::uint64_t kLast = 400;
    const test::Given given = given_for(4, 16, {{"restart_check", "5"}, {"restart_share", "0.625"}});
    std::vector<std::uint64_t> alone(4);  // the generation in which each block reaches the target by itself
    Population apart(host.get(), problem.get(), given, *services.get());  // without a target all blocks continue
    apart.algorithm.start(apart.steps());
    const auto reached = [&](Population& blocks, std::uint32_t block) {
        return blocks.view().best_costs[block].i <= with_target.target.i;
    };
    for (std::uint64_t t = 1; t <= kLast; ++t) {
        REQUIRE(apart.algorithm.evolve(*apart.all, t - 1, t));
        for (std::uint32_t block = 0; block < 4; ++block) {
            if (alone[block] == 0 && reached(apart, block)) alone[block] = t;
        }
    }
    for (std::uint64_t& when : alone) when = when == 0 ? kLast : when;
    const std::uint64_t first = *std::min_element(alone.begin(), alone.end());
    REQUIRE(first < kLast);
    for (const std::uint32_t workers : {1u, 2u, 4u, 5u}) {
        const test::ThreadedHost threads(workers);
        Population together(threads.get(), problem.get(), given, with_target);
        together.algorithm.start(together.steps());
        together.all->mark();
        CHECK(together.algorithm.evolve(*together.all, 0, kLast) == first);
        for (std::uint32_t block = 0; block < 4; ++block) CHECK(reached(together, block) == (alone[block] == first));
        const sdk::Leader leader = together.algorithm.leader(together.steps());
        CHECK(alone[leader.number] == first);
        CHECK(leader.found == first);
    }
}

TEST_CASE("fixed values stay in children and in blocks drawn anew, and all costs are right") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "6"}, {"fix_first", "true"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    Population blocks(
        host.get(), problem.get(),
        given_for(
            2, 9,
            {{"crossover", "ox"}, {"mutation_per", "position"}, {"restart_share", "0.6"}, {"restart_check", "1"}}),
        *services.get());
    blocks.algorithm.start(blocks.steps());
    for (std::uint64_t generation = 1; generation <= 60; ++generation) {
        REQUIRE(blocks.algorithm.evolve(*blocks.all, generation - 1, generation));
        const auto& pools = blocks.view().population.pools;
        for (std::uint32_t k = 0; k < 18; ++k) {
            CHECK(pools.parent(k)[0] == 2);
            CHECK(pools.costs[k].i == problem.object().cost(pools.parent(k)));
        }
    }
    CHECK(restarts(blocks) > 2);
    CHECK(blocks.algorithm.leader(blocks.steps()).cost.i == test::brute_force(problem.object(), true));
}
