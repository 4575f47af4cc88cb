// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "plugins/ga_distributed/cpu_islands.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/test_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::ga_distributed;

/// What Islands::save writes, as the individuals it describes.
struct Individual {
    std::vector<std::uint16_t> solution;
    std::int64_t cost;
    std::uint64_t found;
    auto operator<=>(const Individual&) const = default;
};

std::vector<Individual> individuals_of(CpuIslands& islands, std::uint32_t count, std::uint64_t stride) {
    test::StateBytes state;
    const qapfw_writer to = state.writer();
    sdk::Writer writer(&to);
    islands.save(writer);
    const qapfw_reader from = state.reader();
    sdk::Reader reader(&from);
    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
    std::vector<std::uint64_t> found;
    reader.array(solutions, count * stride);
    reader.array(costs, count);
    reader.array(found, count);
    std::vector<Individual> all;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto first = solutions.begin() + static_cast<std::ptrdiff_t>(k * stride);
        all.push_back({{first, first + static_cast<std::ptrdiff_t>(stride)}, costs[k].i, found[k]});
    }
    return all;
}

}  // namespace

TEST_CASE("exchanges keep every individual with its cost; a share moves exactly that many") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "20"}});
    IslandOptions options;
    options.free = sdk::free_positions(problem.ref());
    options.islands = 10;
    options.rules = {5, 20, 0, 20, 20, kernels::kGaPmx, kernels::probability_threshold(0.1), kernels::kGaByString};
    CpuIslands islands(sdk::Host(host.get()), problem.ref(), nullptr, options);
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    const sdk::Run run(services.get());
    REQUIRE(islands.start(run));
    REQUIRE(islands.evolve(0, 5, run));
    const std::uint64_t stride = problem.ref().solution_bytes() / 2;
    for (const std::uint32_t moved : {10u, 2u, 0u, 200u}) {
        std::vector<Individual> before = individuals_of(islands, 200, stride);
        islands.exchange(50 + moved, moved);
        std::vector<Individual> after = individuals_of(islands, 200, stride);
        std::uint32_t different = 0, to_other_island = 0;
        for (std::uint32_t k = 0; k < 200; ++k) {
            CHECK(after[k].cost == problem.object().cost(after[k].solution.data()));
            if (after[k] == before[k]) continue;
            ++different;
            const auto from = std::find(before.begin(), before.end(), after[k]) - before.begin();
            to_other_island += from / 20 != k / 20 ? 1u : 0u;
        }
        if (moved < 200) CHECK(different == moved);  // random solutions of 20 elements: no two are equal
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
    IslandOptions options;
    options.free = sdk::free_positions(problem.ref());
    options.islands = 3;
    options.rules = {5, 7, 0, 11, 12, kernels::kGaOx, kernels::probability_threshold(0.3), kernels::kGaByPosition};
    CpuIslands islands(sdk::Host(host.get()), problem.ref(), nullptr, options);
    const test::TestRun services(5, 10, problem.ref().solution_bytes());
    const sdk::Run run(services.get());
    REQUIRE(islands.start(run));
    const std::uint64_t stride = problem.ref().solution_bytes() / 2;
    std::vector<Individual> before = individuals_of(islands, 21, stride);
    std::uint32_t replaced = 0;
    for (std::uint64_t generation = 1; generation <= 30; ++generation) {
        REQUIRE(islands.evolve(generation - 1, generation, run));
        const std::vector<Individual> after = individuals_of(islands, 21, stride);
        for (std::uint32_t k = 0; k < 21; ++k) {
            CHECK(after[k].solution[0] == 2);
            CHECK(after[k].cost == problem.object().cost(after[k].solution.data()));
            CHECK((after[k] == before[k] || (after[k].cost < before[k].cost && after[k].found == generation)));
            replaced += after[k] == before[k] ? 0u : 1u;
        }
        before = after;
    }
    CHECK(replaced > 20);
    CHECK(islands.evaluations() == 31 * 21);
}
