// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "plugins/ga_distributed/ga_distributed.hpp"
#include "tests/support/host_population.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::ga_distributed;

/// One individual of a population.
struct Individual {
    std::vector<std::uint16_t> solution;
    std::int64_t cost;
    std::uint64_t found;
    auto operator<=>(const Individual&) const = default;
};

using Population = test::HostPopulation<GaDistributed>;

std::vector<Individual> individuals_of(Population& population) {
    const auto& pools = population.view().population.pools;
    std::vector<Individual> all;
    for (std::uint32_t k = 0; k < population.algorithm.shape().individuals(); ++k) {
        all.push_back({{pools.parent(k), pools.parent(k) + pools.stride}, pools.costs[k].i, pools.found[k]});
    }
    return all;
}

}  // namespace

TEST_CASE("exchanges keep every individual with its cost; a share moves exactly that many") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "20"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    for (const std::uint32_t moved : {10u, 2u, 0u, 200u}) {
        Population population(host.get(), problem.get(),
                              {{"subpopulations", "10"},
                               {"size", "20"},
                               {"exchange_every", "5"},
                               {"exchange_share", std::to_string(moved / 200.0)}},
                              *services.get());
        population.algorithm.start(population.steps());
        REQUIRE(population.all->evolve(population.algorithm, 0, 5));
        std::vector<Individual> before = individuals_of(population);
        REQUIRE(population.algorithm.meet(*population.all, 5));
        std::vector<Individual> after = individuals_of(population);
        std::uint32_t different = 0, to_other_island = 0;
        for (std::uint32_t k = 0; k < 200; ++k) {
            CHECK(after[k].cost == problem.object().cost(after[k].solution.data()));
            if (after[k] == before[k]) continue;
            ++different;
            const auto from = std::find(before.begin(), before.end(), after[k]) - before.begin();
            to_other_island += from / 20 != k / 20 ? 1u : 0u;
        }
        if (moved < 200) CHECK(different == moved);  // no two of these individuals are equal
        if (moved == 200) CHECK(different > 190);
        if (moved >= 10) CHECK(to_other_island > moved / 2);
        std::sort(before.begin(), before.end());
        std::sort(after.begin(), after.end());
        CHECK(before == after);
    }
}

TEST_CASE("costs never rise, children are better than the parents they replace, and fixed values stay") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "12"}, {"fix_first", "true"}});
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    Population population(host.get(), problem.get(),
                          {{"subpopulations", "3"},
                           {"size", "7"},
                           {"crossover", "ox"},
                           {"mutation_rate", "0.3"},
                           {"mutation_per", "position"}},
                          *services.get());
    population.algorithm.start(population.steps());
    std::vector<Individual> before = individuals_of(population);
    std::uint32_t replaced = 0;
    for (std::uint64_t generation = 1; generation <= 30; ++generation) {
        REQUIRE(population.all->evolve(population.algorithm, generation - 1, generation));
        const std::vector<Individual> after = individuals_of(population);
        for (std::uint32_t k = 0; k < 21; ++k) {
            CHECK(after[k].solution[0] == 2);
            CHECK(after[k].cost == problem.object().cost(after[k].solution.data()));
            CHECK((after[k] == before[k] || (after[k].cost < before[k].cost && after[k].found == generation)));
            replaced += after[k] == before[k] ? 0u : 1u;
        }
        before = after;
    }
    CHECK(replaced > 20);
    CHECK(population.all->evaluations() == 31 * 21);
}
