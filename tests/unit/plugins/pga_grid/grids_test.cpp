// SPDX-License-Identifier: Apache-2.0
// Tests the steps of a generation one by one.
#include "plugins/pga_grid/pga_grid.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "qapfw/kernels/permutation_operators.hpp"
#include "tests/support/host_population.hpp"
#include "tests/unit/plugins/pga_grid/pga_grid_test_tools.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::pga_grid;

const char* const kTopologies[] = {"4n", "8n", "16n", "20n"};

test::Given options(Shape shape, const char* topology, const char* grids = "1", const char* rate = "1") {
    return {{"rows", std::to_string(shape.rows)},
            {"columns", std::to_string(shape.columns)},
            {"topology", topology},
            {"grids", grids},
            {"crossover_rate", rate},
            {"mutation_rate", rate},
            {"transposition_rate", rate},
            {"exchange_every", "1"}};
}

/// A copy of the cells of a toy problem's grids.
struct Cells {
    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
};

/// Grids of a toy problem with their first population.
struct Fixture {
    explicit Fixture(const test::Given& o, const test::Given& given = {{"n", "9"}})
        : problem(host, given),
          test_run(5, 1, problem.ref().solution_bytes()),
          grids(host.get(), problem.get(), o, *test_run.get()) {
        grid().start(steps());
    }
    PgaGrid& grid() { return grids.algorithm; }
    sdk::HostSteps<PgaGrid::View>& steps() { return grids.steps(); }
    PgaGrid::View& view() { return grids.view(); }
    Cells now() {
        const std::uint64_t cells = view().cells;
        return {{view().solutions, view().solutions + cells * view().stride}, {view().costs, view().costs + cells}};
    }
    /// The cells with the individuals that a generation's tournament has selected for crossover.
    Cells selected() {
        const std::uint64_t cells = view().cells;
        return {{view().selected, view().selected + cells * view().stride},
                {view().selected_costs, view().selected_costs + cells}};
    }
    const std::uint16_t* solution(const Cells& cells, std::uint64_t k) {
        return cells.solutions.data() + k * view().stride;
    }
    bool same(const Cells& a, std::uint64_t k, const Cells& b, std::uint64_t l) {
        return std::memcmp(solution(a, k), solution(b, l), problem.ref().solution_bytes()) == 0;
    }
    /// Makes the crossover of generation t on the present cells, without a tournament.
    void cross_all(std::uint64_t t) {
        std::copy_n(view().solutions, view().cells * view().stride, view().selected);
        std::copy_n(view().costs, view().cells, view().selected_costs);
        grid().cross(steps(), t);
    }
    /// Forgets the best cells, so that mutation may change every cell.
    void forget_best() { std::fill_n(view().remembered, grid().shape().groups, ~0u); }
    /// Checks that every solution is a permutation and every cost belongs to its solution.
    void check_costs() {
        const Cells cells = now();
        for (std::uint64_t k = 0; k < cells.costs.size(); ++k) {
            CHECK(test::is_permutation_of_all(solution(cells, k), problem.ref().length()));
            CHECK(cells.costs[k].i == problem.object().cost(solution(cells, k)));
        }
    }
    std::uint64_t evaluations() { return grids.all->evaluations(); }

    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem;
    test::TestRun test_run;
    test::HostPopulation<PgaGrid> grids;
};

/// True if `child` is the modified order crossover of both parents at some cut.
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
    Fixture f(options({4, 5}, "8n", "2"));
    const Cells before = f.now();
    f.grid().select(f.steps(), 1);
    const Cells after = f.selected();
    int replaced = 0;
    for (std::uint32_t k = 0; k < 40; ++k) {
        CHECK(after.costs[k].i <= before.costs[k].i);
        int copies = 0, origins = 0;
        for (std::uint32_t other = k / 20 * 20; other < k / 20 * 20 + 20; ++other) {
            origins += f.same(after, k, before, other) ? 1 : 0;
            copies += f.same(after, other, before, k) ? 1 : 0;
        }
        CHECK(origins == 1);  // the individual comes from its own grid
        CHECK(copies <= 2);   // once in its own cell, once as an opponent
        replaced += f.same(after, k, before, k) ? 0 : 1;
    }
    CHECK(replaced > 5);
}

TEST_CASE("the tournament is against a random permutation: opponents change with the generation") {
    Fixture f(options({4, 4}, "8n")), g(options({4, 4}, "8n"));
    f.grid().select(f.steps(), 1);
    g.grid().select(g.steps(), 2);
    CHECK(f.selected().solutions != g.selected().solutions);
}

TEST_CASE("a cell mates with the best of its neighbours and the child stays where it is not worse") {
    for (int t = 0; t < 4; ++t) {
        Fixture f(options({6, 5}, kTopologies[t]));
        const Cells before = f.now();
        const Neighbours neighbours({6, 5}, offsets_of(static_cast<Topology>(t)));
        f.cross_all(1);
        f.check_costs();
        const Cells after = f.now();
        int replaced = 0;
        for (std::uint32_t cell = 0; cell < 30; ++cell) {
            CHECK(after.costs[cell].i <= before.costs[cell].i);
            if (f.same(after, cell, before, cell)) continue;
            std::uint32_t mate = neighbours.of(cell)[0];
            for (const std::uint32_t other : neighbours.of(cell)) {
                if (before.costs[other].i < before.costs[mate].i) mate = other;
            }
            CHECK(is_child_of(f.solution(after, cell), f.solution(before, cell), f.solution(before, mate), 9));
            ++replaced;
        }
        CHECK(replaced > 0);
        CHECK(f.evaluations() == 60);  // 30 first individuals, 30 children
    }
}

TEST_CASE("with random mates every child has a mate in its own grid") {
    Fixture f(options({5, 4}, "random", "2"), {{"n", "12"}});
    const Cells before = f.now();
    f.cross_all(1);
    f.check_costs();
    const Cells after = f.now();
    int replaced = 0;
    for (std::uint32_t cell = 0; cell < 40; ++cell) {
        if (f.same(after, cell, before, cell)) continue;
        bool found = false;
        for (std::uint32_t mate = cell / 20 * 20; mate < cell / 20 * 20 + 20; ++mate) {
            found |= mate != cell &&
                     is_child_of(f.solution(after, cell), f.solution(before, cell), f.solution(before, mate), 12);
        }
        CHECK(found);
        ++replaced;
    }
    CHECK(replaced > 0);
}

TEST_CASE("rates of zero change nothing and cost no evaluation") {
    Fixture f(options({4, 4}, "8n", "1", "0"));
    const Cells before = f.now();
    f.cross_all(1);
    f.forget_best();
    f.grid().mutate_and_transpose(f.steps(), 1);
    CHECK(f.now().solutions == before.solutions);
    CHECK(f.evaluations() == 16);
}

TEST_CASE("mutation exchanges two elements, transposition reverses a section") {
    for (const bool transposes : {false, true}) {
        test::Given given = options({4, 4}, "8n");
        given[transposes ? "mutation_rate" : "transposition_rate"] = "0";
        Fixture f(given);
        const Cells before = f.now();
        f.forget_best();
        f.grid().mutate_and_transpose(f.steps(), 1);
        const Cells after = f.now();
        f.check_costs();
        for (std::uint32_t cell = 0; cell < 16; ++cell) {
            const std::uint16_t *from = f.solution(before, cell), *to = f.solution(after, cell);
            int different = 0;
            for (std::uint32_t k = 0; k < 9; ++k) different += from[k] != to[k];
            if (!transposes) CHECK(different == 2);
            std::uint32_t left = 0, right = 9;
            while (left < 9 && from[left] == to[left]) ++left;
            while (right > left && from[right - 1] == to[right - 1]) --right;
            for (std::uint32_t k = left; transposes && k < right; ++k) CHECK(to[k] == from[right - 1 - (k - left)]);
        }
    }
}

TEST_CASE("an exchange as printed may draw the same position twice, in one mutation of n") {
    test::Given given = options({60, 60}, "8n");
    given["transposition_rate"] = "0";
    given["mutation_positions"] = "any";
    Fixture f(given);
    const Cells before = f.now();
    f.forget_best();
    f.grid().mutate_and_transpose(f.steps(), 1);
    const Cells after = f.now();
    f.check_costs();
    int unchanged = 0;
    for (std::uint32_t cell = 0; cell < 3600; ++cell) unchanged += f.same(before, cell, after, cell) ? 1 : 0;
    CHECK(unchanged > 320);  // expected 400, standard deviation 19
    CHECK(unchanged < 480);
}

TEST_CASE("children are counted: all, those that stay and those that are better") {
    Fixture f(options({6, 6}, "8n", "2"), {{"n", "12"}});
    const Cells before = f.now();
    f.cross_all(1);
    const Cells after = f.now();
    std::uint64_t better = 0;
    for (std::uint32_t cell = 0; cell < 72; ++cell) better += after.costs[cell].i < before.costs[cell].i ? 1u : 0u;
    std::uint64_t counts[kChildCounts] = {};
    for (std::uint32_t k = 0; k < 2 * kChildCounts; ++k) counts[k % kChildCounts] += f.view().children[k];
    CHECK(counts[kChildren] == 72);
    CHECK(counts[kBetterChildren] == better);
    CHECK(better > 0);
    CHECK(counts[kKeptChildren] >= better);
    CHECK(counts[kKeptChildren] < 72);
}

TEST_CASE("the best of every grid stays in its cell while the others mutate") {
    Fixture f(options({4, 4}, "8n", "3"), {{"n", "30"}});
    const Cells before = f.now();
    f.grid().remember_best(f.steps());
    f.grid().mutate_and_transpose(f.steps(), 1);
    f.check_costs();
    for (std::uint32_t grid = 0; grid < 3; ++grid) {
        const auto first = before.costs.begin() + std::ptrdiff_t{grid} * 16;
        const auto best = std::min_element(first, first + 16, [](qapfw_cost a, qapfw_cost b) { return a.i < b.i; });
        const auto cell = static_cast<std::uint64_t>(best - before.costs.begin());
        CHECK(f.same(f.now(), cell, before, cell));
    }
    CHECK(f.evaluations() == 48 + 45);  // 48 at the start, then 45: the costs of the three best are not computed again
}

TEST_CASE("a newcomer takes the worst individual's place if it is better and new") {
    Fixture f(options({3, 3}, "4n", "2"));
    const Cells before = f.now();
    const auto least = [&](std::uint64_t first, bool worst) {
        std::uint64_t found = first;
        for (std::uint64_t k = first; k < first + 9; ++k) {
            const bool takes =
                worst ? before.costs[k].i > before.costs[found].i : before.costs[k].i < before.costs[found].i;
            found = takes ? k : found;
        }
        return found;
    };
    REQUIRE(f.grid().meet(*f.grids.all, 1));
    const Cells after = f.now();
    f.check_costs();
    for (std::uint64_t grid = 0; grid < 2; ++grid) {
        const std::uint64_t newcomer = least(9 * (1 - grid), false), worst = least(9 * grid, true);
        const bool better = before.costs[newcomer].i < before.costs[worst].i;
        for (std::uint64_t k = 9 * grid; k < 9 * grid + 9; ++k) {
            CHECK(f.same(after, k, before, better && k == worst ? newcomer : k));
        }
    }
    // Each grid has now taken the other grid's best individual if that one is better than the grid's own worst. So a
    // second exchange changes nothing.
    REQUIRE(f.grid().meet(*f.grids.all, 2));
    const Cells again = f.now();
    std::uint64_t changed = 0;
    for (std::uint64_t k = 0; k < 18; ++k) changed += f.same(again, k, after, k) ? 0u : 1u;
    CHECK(changed == 0);
}

TEST_CASE("fixed positions keep their values in every cell and phase") {
    Fixture f(options({4, 4}, "8n"), {{"n", "9"}, {"fix_first", "true"}});
    for (std::uint64_t generation = 1; generation <= 20; ++generation) {
        f.grid().generation(f.steps(), generation);
        for (std::uint32_t cell = 0; cell < 16; ++cell) CHECK(f.view().row(f.view().solutions, cell)[0] == 2);
    }
    f.check_costs();
}
