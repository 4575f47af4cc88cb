// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "plugins/ga_independent/cpu_blocks.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::ga_independent;

BlockOptions options_for(test::TestProblem<test::ToyOrdering>& problem, std::uint32_t blocks, std::uint32_t size) {
    BlockOptions options;
    options.free = sdk::free_positions(problem.ref());
    options.blocks = blocks;
    const std::uint32_t n = problem.ref().length();
    options.rules = {5, size, 0, n, n, kernels::kGaPmx, kernels::probability_threshold(0.1), kernels::kGaByString};
    return options;
}

std::uint32_t count_best(const BlockState& state) {
    const std::int64_t best =
        std::min_element(state.costs.begin(), state.costs.end(), [](auto a, auto b) { return a.i < b.i; })->i;
    return static_cast<std::uint32_t>(
        std::count_if(state.costs.begin(), state.costs.end(), [&](qapfw_cost cost) { return cost.i == best; }));
}

}  // namespace

TEST_CASE("a block restarts at the first check at which enough individuals have its best cost, and not before") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "9"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    const sdk::Run run(services.get());
    constexpr std::uint64_t kCheck = 4, kLast = 60;
    std::vector<std::uint32_t> counts{0};  // at each generation, of a block that never restarts
    BlockOptions options = options_for(problem, 1, 20);
    options.restart_check = kCheck;
    CpuBlocks still(sdk::Host(host.get()), problem.ref(), nullptr, options);
    REQUIRE(still.start(run));
    for (std::uint64_t generation = 1; generation <= kLast; ++generation) {
        REQUIRE(still.evolve(generation - 1, generation, run) == generation);
        counts.push_back(count_best(still.state()));
    }
    CHECK(still.restarts() == 0);
    REQUIRE(counts.back() >= 12);
    int exactly_met = 0;
    for (std::uint32_t threshold = 1; threshold <= 20; ++threshold) {
        std::uint64_t due = kCheck;
        while (due <= kLast && counts[due] < threshold) due += kCheck;
        options.restart_at = threshold;
        CpuBlocks blocks(sdk::Host(host.get()), problem.ref(), nullptr, options);
        REQUIRE(blocks.start(run));
        REQUIRE(blocks.evolve(0, std::min(due - 1, kLast), run));
        CHECK(blocks.restarts() == 0);
        if (due > kLast) continue;
        const std::int64_t best = blocks.state().best_costs[0].i;
        REQUIRE(blocks.evolve(due - 1, due, run) == due);
        CHECK(blocks.restarts() == 1);
        CHECK(blocks.state().best_costs[0].i <= best);
        exactly_met += counts[due] == threshold ? 1 : 0;
        for (const std::uint64_t found : blocks.state().found) CHECK(found == due);  // all were drawn anew
        CHECK(blocks.evaluations() == 20 * (due + 2));
    }
    CHECK(exactly_met > 0);
}

TEST_CASE("a block does what it would do alone, and the winner is the lowest generation, then the lowest block") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "10"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    qapfw_run with_target = *services.get();
    with_target.has_target = 1;
    with_target.target.i = test::brute_force(problem.object());
    const sdk::Run run(&with_target);
    BlockOptions options = options_for(problem, 4, 16);
    options.restart_at = 10;
    options.restart_check = 5;
    constexpr std::uint64_t kLast = 400;
    std::vector<std::uint64_t> alone;  // the generation in which each block by itself reaches the target
    for (std::uint32_t block = 0; block < 4; ++block) {
        BlockOptions one = options;
        one.blocks = 1;
        one.rules.first = 16 * block;
        CpuBlocks blocks(sdk::Host(host.get()), problem.ref(), nullptr, one);
        REQUIRE(blocks.start(run));
        alone.push_back(*blocks.evolve(0, kLast, run));
    }
    const std::uint64_t first = *std::min_element(alone.begin(), alone.end());
    REQUIRE(first < kLast);
    for (const std::uint32_t workers : {1u, 2u, 5u}) {
        const test::ThreadedHost threads(workers);
        CpuBlocks together(sdk::Host(threads.get()), problem.ref(), nullptr, options);
        REQUIRE(together.start(run));
        CHECK(together.evolve(0, kLast, run) == first);
        for (std::uint32_t block = 0; block < 4; ++block)
            CHECK(together.reached(block, run, problem.ref().less()) == (alone[block] == first));
        CHECK(alone[together.leader(problem.ref().less())] == first);
        CHECK(together.state().best_found[together.leader(problem.ref().less())] == first);
    }
}

TEST_CASE("fixed values stay in children and in blocks drawn anew, and all costs are right") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "6"}, {"fix_first", "true"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    const sdk::Run run(services.get());
    BlockOptions options = options_for(problem, 2, 9);
    options.rules.n = 5;
    options.rules.crossover = kernels::kGaOx;
    options.rules.mutates = kernels::kGaByPosition;
    options.restart_at = 6;
    options.restart_check = 1;
    CpuBlocks blocks(sdk::Host(host.get()), problem.ref(), nullptr, options);
    REQUIRE(blocks.start(run));
    const std::uint64_t stride = problem.ref().solution_bytes() / 2;
    for (std::uint64_t generation = 1; generation <= 60; ++generation) {
        REQUIRE(blocks.evolve(generation - 1, generation, run));
        for (std::uint32_t k = 0; k < 18; ++k) {
            const std::uint16_t* p = blocks.state().solutions.data() + k * stride;
            CHECK(p[0] == 2);
            CHECK(blocks.state().costs[k].i == problem.object().cost(p));
        }
    }
    CHECK(blocks.restarts() > 2);
    CHECK(blocks.state().best_costs[blocks.leader(problem.ref().less())].i ==
          test::brute_force(problem.object(), true));
}
