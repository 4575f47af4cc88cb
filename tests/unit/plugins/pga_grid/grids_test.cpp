// SPDX-License-Identifier: Apache-2.0
// The phases of a generation one by one.
#include "plugins/pga_grid/cpu_grids.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "qapfw/kernels/permutation_operators.hpp"
#include "tests/support/test_host.hpp"
#include "tests/unit/plugins/pga_grid/pga_grid_test_tools.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::pga_grid;

constexpr std::uint32_t kAlways = 0xFFFFFFFFu;

GridOptions options(Shape shape, Topology topology, std::uint32_t grids = 1) {
    return {shape, topology, offsets_of(topology), grids, kAlways, kAlways, kAlways, 5, 0};
}

/// Grids of a toy problem with their first population.
struct Fixture {
    explicit Fixture(const GridOptions& o, const test::Given& given = {{"n", "9"}})
        : problem(host, given),
          test_run(5, 1, problem.ref().solution_bytes()),
          run(test_run.get()),
          grids(sdk::Host(host.get()), problem.ref(), nullptr, o) {
        grids.populate({}, run);
    }
    const std::uint16_t* solution(const GridState& state, std::uint64_t cell) {
        return sdk::permutation_of(sdk::solution_at(state.solutions.data(), problem.ref().solution_bytes(), cell));
    }
    bool same(const GridState& a, std::uint64_t k, const GridState& b, std::uint64_t l) {
        return std::memcmp(solution(a, k), solution(b, l), problem.ref().solution_bytes()) == 0;
    }
    /// Every solution is a permutation and every cost is its own.
    void check_costs() {
        for (std::uint64_t k = 0; k < grids.options().cells(); ++k) {
            const std::uint16_t* const p = solution(grids.state(), k);
            CHECK(test::is_permutation_of_all(p, problem.ref().length()));
            CHECK(grids.state().costs[k].i == problem.object().cost(p));
        }
    }
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem;
    test::TestRun test_run;
    sdk::Run run;
    CpuGrids grids;
};

/// Whether `child` is the modified order crossover of both parents at some cut.
bool is_child_of(const std::uint16_t* child, const std::uint16_t* parent, const std::uint16_t* mate, std::uint32_t n) {
    std::vector<std::uint16_t> made(n);
    std::vector<std::uint8_t> taken(n);
    for (std::uint32_t cut = 0; cut < n; ++cut) {
        kernels::modified_order_crossover(made.data(), parent, mate, taken.data(), cut, n, n);
        if (std::equal(made.begin(), made.end(), child)) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("the tournament keeps the better of a cell and its opponent, and every individual is an opponent once") {
    Fixture f(options({4, 5}, Topology::k8n, 2));
    const GridState before = f.grids.state();
    f.grids.select(1);
    const GridState& after = f.grids.state();
    int replaced = 0;
    for (std::uint32_t k = 0; k < 40; ++k) {
        CHECK(after.costs[k].i <= before.costs[k].i);
        int copies = 0, origins = 0;
        for (std::uint32_t other = k / 20 * 20; other < k / 20 * 20 + 20; ++other) {
            origins += f.same(after, k, before, other) ? 1 : 0;
            copies += f.same(after, other, before, k) ? 1 : 0;
        }
        CHECK(origins == 1);  // it comes from its own grid
        CHECK(copies <= 2);   // once at home, once as an opponent
        replaced += f.same(after, k, before, k) ? 0 : 1;
    }
    CHECK(replaced > 5);
    f.check_costs();
}

TEST_CASE("the tournament is against a random permutation: opponents change with the generation") {
    Fixture f(options({4, 4}, Topology::k8n)), g(options({4, 4}, Topology::k8n));
    f.grids.select(1);
    g.grids.select(2);
    CHECK(f.grids.state().solutions != g.grids.state().solutions);
}

TEST_CASE("a cell mates with the best of its neighbours and the child stays where it is not worse") {
    for (const Topology topology : {Topology::k4n, Topology::k8n, Topology::k16n, Topology::k20n}) {
        Fixture f(options({6, 5}, topology));
        const GridState before = f.grids.state();
        const Neighbours neighbours({6, 5}, offsets_of(topology));
        f.grids.cross(1, f.run);
        f.check_costs();
        int replaced = 0;
        for (std::uint32_t cell = 0; cell < 30; ++cell) {
            CHECK(f.grids.state().costs[cell].i <= before.costs[cell].i);
            if (f.same(f.grids.state(), cell, before, cell)) continue;
            std::uint32_t mate = neighbours.of(cell)[0];
            for (const std::uint32_t other : neighbours.of(cell)) {
                if (before.costs[other].i < before.costs[mate].i) mate = other;
            }
            CHECK(
                is_child_of(f.solution(f.grids.state(), cell), f.solution(before, cell), f.solution(before, mate), 9));
            ++replaced;
        }
        CHECK(replaced > 0);
        CHECK(f.grids.evaluations() == 60);  // 30 first individuals, 30 children
    }
}

TEST_CASE("with random mates every child has a mate in its own grid") {
    Fixture f(options({5, 4}, Topology::kRandom, 2), {{"n", "12"}});
    const GridState before = f.grids.state();
    f.grids.cross(1, f.run);
    f.check_costs();
    int replaced = 0;
    for (std::uint32_t cell = 0; cell < 40; ++cell) {
        if (f.same(f.grids.state(), cell, before, cell)) continue;
        bool found = false;
        for (std::uint32_t mate = cell / 20 * 20; mate < cell / 20 * 20 + 20; ++mate) {
            found |= mate != cell && is_child_of(f.solution(f.grids.state(), cell), f.solution(before, cell),
                                                 f.solution(before, mate), 12);
        }
        CHECK(found);
        ++replaced;
    }
    CHECK(replaced > 0);
}

TEST_CASE("rates of zero change nothing and cost no evaluation") {
    GridOptions o = options({4, 4}, Topology::k8n);
    o.crossover = o.mutation = o.transposition = 0;
    Fixture f(o);
    const GridState before = f.grids.state();
    f.grids.cross(1, f.run);
    f.grids.mutate(1);
    f.grids.transpose(1);
    f.grids.evaluate(f.run);
    CHECK(f.grids.state().solutions == before.solutions);
    CHECK(f.grids.evaluations() == 16);
}

TEST_CASE("mutation exchanges two elements, transposition reverses a section") {
    Fixture f(options({4, 4}, Topology::k8n));
    const GridState first = f.grids.state();
    f.grids.mutate(1);
    const GridState mutated = f.grids.state();
    f.grids.transpose(1);
    for (std::uint32_t cell = 0; cell < 16; ++cell) {
        int different = 0;
        for (std::uint32_t k = 0; k < 9; ++k) different += f.solution(first, cell)[k] != f.solution(mutated, cell)[k];
        CHECK(different == 2);
        const std::uint16_t *from = f.solution(mutated, cell), *to = f.solution(f.grids.state(), cell);
        std::uint32_t left = 0, right = 9;
        while (left < 9 && from[left] == to[left]) ++left;
        while (right > left && from[right - 1] == to[right - 1]) --right;
        for (std::uint32_t k = left; k < right; ++k) CHECK(to[k] == from[right - 1 - (k - left)]);
    }
    f.grids.evaluate(f.run);
    f.check_costs();
}

TEST_CASE("the best of every grid returns to its own cell after mutation and transposition") {
    Fixture f(options({4, 4}, Topology::k8n, 3), {{"n", "30"}});
    const GridState before = f.grids.state();
    f.grids.remember_best();
    f.grids.mutate(1);
    f.grids.transpose(1);
    f.grids.reincorporate_best();
    f.grids.evaluate(f.run);
    f.check_costs();
    for (std::uint32_t grid = 0; grid < 3; ++grid) {
        const auto first = before.costs.begin() + grid * 16;
        const auto best = std::min_element(first, first + 16, [](qapfw_cost a, qapfw_cost b) { return a.i < b.i; });
        const auto cell = static_cast<std::uint64_t>(best - before.costs.begin());
        CHECK(f.same(f.grids.state(), cell, before, cell));
    }
    CHECK(f.grids.evaluations() == 48 + 45);  // the three best keep their cost
}

TEST_CASE("a newcomer takes the worst individual's place if it is better and new") {
    Fixture f(options({3, 3}, Topology::k4n, 2));
    const Champion best = f.grids.best_of(0);
    const GridState before = f.grids.state();
    f.grids.immigrate(0, best);  // already there
    CHECK(f.grids.state().solutions == before.solutions);
    f.grids.immigrate(1, best);
    f.check_costs();
    std::uint64_t worst = 9;
    for (std::uint64_t k = 9; k < 18; ++k) worst = before.costs[k].i > before.costs[worst].i ? k : worst;
    for (std::uint64_t k = 0; k < 18; ++k) CHECK(f.same(f.grids.state(), k, before, k) == (k != worst));
    CHECK(f.grids.state().costs[worst].i == best.cost.i);
    Champion poor = best;
    poor.solution[0] ^= 1;  // not there yet, but no better than anyone
    poor.cost.i = 1'000'000;
    const GridState now = f.grids.state();
    f.grids.immigrate(1, poor);
    CHECK(f.grids.state().solutions == now.solutions);
}

TEST_CASE("fixed positions keep their values in every cell and phase") {
    Fixture f(options({4, 4}, Topology::k8n), {{"n", "9"}, {"fix_first", "true"}});
    for (std::uint64_t generation = 1; generation <= 20; ++generation) {
        f.grids.select(generation);
        f.grids.cross(generation, f.run);
        f.grids.mutate(generation);
        f.grids.transpose(generation);
        f.grids.evaluate(f.run);
        for (std::uint32_t cell = 0; cell < 16; ++cell) CHECK(f.solution(f.grids.state(), cell)[0] == 2);
    }
    f.check_costs();
}
