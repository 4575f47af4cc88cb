// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/pga_grid.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/unit/plugins/pga_grid/pga_grid_test_tools.hpp"

namespace {

using namespace qapfw;
using test::brute_force;
using test::Given;
using test::Outcome;
using test::SweepImprover;
using test::TestHost;
using test::TestImprover;
using test::TestProblem;
using test::TestRun;
using test::ToyOrdering;

using Solver = test::TestSolver<sdk::PopulationSolver<pga_grid::PgaGrid>>;

Outcome solve(const qapfw_host* host, TestProblem<ToyOrdering>& problem, const Given& given, std::uint64_t iterations,
              const qapfw_improver_ref* improver = nullptr, std::uint64_t seed = 3) {
    const Outcome found =
        test::solve<sdk::PopulationSolver<pga_grid::PgaGrid>>(host, problem, given, {iterations, seed, improver});
    CHECK(test::is_permutation_of_all(sdk::permutation_of(static_cast<const void*>(found.best.data())),
                                      problem.ref().length()));
    return found;
}

std::uint64_t stops_after = 0;  ///< how many more calls of should_stop return false

qapfw_run stopping(const TestRun& run, std::uint64_t after) {
    stops_after = after;
    qapfw_run c = *run.get();
    c.should_stop = [](void*) -> std::int32_t { return stops_after == 0 ? 1 : (--stops_after, 0); };
    return c;
}

}  // namespace

TEST_CASE("every topology finds the optimum of a small problem that brute force finds") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    const std::int64_t best = brute_force(problem.object());
    for (const char* topology : {"4n", "8n", "16n", "20n", "random"}) {
        CHECK(solve(host.get(), problem, {{"topology", topology}}, 300).cost == best);
    }
}

TEST_CASE("with an improver fewer iterations are enough") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "8"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const Outcome with = solve(host.get(), problem, {}, 40, improver.get());
    CHECK(with.cost == brute_force(problem.object()));
    CHECK(with.evaluations > 40 * 64 * 6);  // 40 iterations of 64 individuals, more than 6 tried swaps for each
}

TEST_CASE("sizes of one to three are solved on grids of two cells and more") {
    TestHost host;
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyOrdering> problem(host, {{"n", n}});
        for (const char* topology : {"4n", "16n", "random"}) {
            for (const char* columns : {"2", "3"}) {
                const Given given{{"rows", "1"}, {"columns", columns}, {"topology", topology}};
                CHECK(solve(host.get(), problem, given, 60).cost == brute_force(problem.object()));
            }
        }
    }
    CHECK(host.log.empty());
}

TEST_CASE(
    "a grid of one cell changes only by its improver, and without an improver a message says that it never changes") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "6"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const Given given{{"rows", "1"}, {"columns", "1"}};
    const Outcome improved = solve(host.get(), problem, given, 30, improver.get());
    CHECK(host.log.empty());
    const Outcome still = solve(host.get(), problem, given, 30);
    CHECK(still.evaluations == 1);
    CHECK(improved.cost < still.cost);
    REQUIRE(host.log.size() == 1);
    CHECK(host.log[0].find("one cell") != std::string::npos);
}

TEST_CASE("the trajectory does not depend on the number of workers or their order") {
    TestHost host;
    const test::ThreadedHost one(1), two(2);
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> alone(one.get(), problem.get()), together(two.get(), problem.get());
    const Given given{{"rows", "3"}, {"columns", "5"}, {"grids", "2"}, {"exchange_every", "3"}};
    const Outcome expected = solve(one.get(), problem, given, 12);
    CHECK(expected.digests.size() == 12);
    CHECK(solve(two.get(), problem, given, 12) == expected);
    CHECK(solve(two.get(), problem, given, 12, together.get()) == solve(one.get(), problem, given, 12, alone.get()));
    CHECK(solve(one.get(), problem, given, 12, nullptr, 4).digests != expected.digests);
}

TEST_CASE("longer rounds leave the search as it is") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const Outcome single = solve(host.get(), problem, {{"grids", "2"}}, 12);
    const Outcome longer = solve(host.get(), problem, {{"grids", "2"}, {"round", "5"}}, 12);
    CHECK(longer.digests == std::vector{single.digests[4], single.digests[9], single.digests[11]});
    CHECK(longer.evaluations == single.evaluations);
}

TEST_CASE("the best is never lost") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "15"}});
    const Given wild{{"mutation_rate", "1"}, {"transposition_rate", "1"}, {"rows", "3"}, {"columns", "3"}};
    Solver solver(host.get(), problem.get(), wild);
    struct Costs {
        std::uint64_t left = 60;
        std::vector<std::int64_t> best, present;
        Solver* solver;
        std::uint64_t bytes;
    } costs{.best = {}, .present = {}, .solver = &solver, .bytes = problem.ref().solution_bytes()};
    TestRun plain(3, 60, costs.bytes);
    qapfw_run run = *plain.get();
    run.context = &costs;
    run.begin_round = [](void* c, std::uint64_t wanted) { return std::min(wanted, static_cast<Costs*>(c)->left); };
    run.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
        auto* self = static_cast<Costs*>(c);
        self->left -= round->iterations;
        self->best.push_back(round->best_cost.i);
        test::StateBytes bytes;
        self->solver->save(bytes);
        const qapfw_reader c_reader = bytes.reader();
        sdk::Reader reader(&c_reader);
        reader.value<sdk::PopulationProgress>();
        std::vector<unsigned char> solutions, costs_of_cells;
        reader.array(solutions, 9 * self->bytes);
        reader.array(costs_of_cells, 9 * sizeof(std::int64_t));
        std::int64_t present[9];
        std::memcpy(present, costs_of_cells.data(), sizeof present);
        self->present.push_back(*std::min_element(present, present + 9));
        return QAPFW_OK;
    };
    solver.run(run);
    CHECK(costs.best.size() == 60);
    CHECK(std::is_sorted(costs.best.rbegin(), costs.best.rend()));
    CHECK(costs.best == costs.present);  // after every round the grid holds the best solution
}

TEST_CASE("a resumed run goes on exactly") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const Given given{{"grids", "3"}, {"exchange_every", "4"}, {"round", "3"}, {"rows", "4"}};
    const Outcome whole = solve(host.get(), problem, given, 20);
    for (const std::uint64_t cut : {1u, 5u, 8u, 13u}) {
        test::StateBytes state;
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

TEST_CASE("a saved state of another grid is refused") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    test::StateBytes state;
    Solver first(host.get(), problem.get(), {}), second(host.get(), problem.get(), {{"rows", "9"}});
    TestRun run(3, 2, problem.ref().solution_bytes());
    first.run(*run.get());
    first.save(state);
    second.load(state);
    CHECK(second.run_status(*TestRun(3, 2, problem.ref().solution_bytes(), true).get()) == QAPFW_ERROR_INPUT);
}

TEST_CASE("a round cut short reports a valid solution and leaves no trace in the saved state") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const TestImprover<SweepImprover> improver(host.get(), problem.get());
    const Given given{{"rows", "4"}, {"columns", "4"}};
    const Outcome whole = solve(host.get(), problem, given, 6, improver.get());
    for (std::uint64_t calls = 0; calls < 130; calls += 3) {
        CAPTURE(calls);
        test::StateBytes state;
        Solver first(host.get(), problem.get(), given, improver.get());
        TestRun run(3, 6, problem.ref().solution_bytes());
        qapfw_run c = stopping(run, calls);
        c.begin_round = [](void*, std::uint64_t) -> std::uint64_t { return stops_after > 0 ? 1 : 0; };
        if (calls == 0) {  // the stop comes right after the round has begun
            stops_after = 1;
            c.should_stop = [](void*) -> std::int32_t {
                stops_after = 0;
                return 1;
            };
        }
        first.run(c);
        REQUIRE(!run.best.empty());
        const std::uint16_t* const best = sdk::permutation_of(run.best.data());
        CHECK(test::is_permutation_of_all(best, 12));
        CHECK(problem.object().cost(best) == run.best_cost.i);
        first.save(state);
        Solver second(host.get(), problem.get(), given, improver.get());
        second.load(state);
        TestRun rest(3, 6 - run.digests.size(), problem.ref().solution_bytes(), true);
        second.run(*rest.get());
        CHECK(rest.digests.back() == whole.digests.back());
        CHECK(rest.best_cost.i == whole.cost);
    }
}

TEST_CASE("warm starts enter the first population, the best ones if there are too many") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "30"}});
    const std::uint64_t bytes = problem.ref().solution_bytes();
    Solver better(host.get(), problem.get(), {});
    TestRun long_run(9, 200, bytes);
    better.run(*long_run.get());
    std::vector<unsigned char> warm(bytes * 5);
    for (std::uint64_t k = 0; k < 5; ++k) sdk::base_solution(problem.ref(), warm.data() + bytes * k);
    std::copy(long_run.best.begin(), long_run.best.end(), warm.begin() + static_cast<std::ptrdiff_t>(4 * bytes));
    TestRun run(3, 1, bytes);
    qapfw_run c = *run.get();
    c.initial = {warm.data(), nullptr, 5};
    Solver solver(host.get(), problem.get(), {{"rows", "2"}, {"columns", "2"}});
    solver.run(c);
    CHECK(run.best_cost.i <= long_run.best_cost.i);
}

TEST_CASE("grids exchange their best on a ring, a single grid has nobody to exchange with") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "20"}});
    const auto digests = [&](const char* grids, const char* every) {
        const Given given{{"grids", grids}, {"exchange_every", every}, {"rows", "3"}, {"columns", "3"}};
        return solve(host.get(), problem, given, 8).digests;
    };
    const auto with = digests("2", "4"), without = digests("2", "0");
    CHECK(std::equal(with.begin(), with.begin() + 3, without.begin()));
    CHECK(with[3] != without[3]);
    CHECK(digests("1", "4") == digests("1", "0"));
}

TEST_CASE("grids on several processes follow the trajectory of one") {
    for (const char* every : {"1", "3", "0"}) {
        test::check_processes<sdk::PopulationSolver<pga_grid::PgaGrid>>(
            {{"n", "12"}}, {{"rows", "2"}, {"columns", "3"}, {"grids", "4"}, {"exchange_every", every}, {"round", "2"}},
            {12, 5, nullptr});
    }
}

TEST_CASE("real costs are searched like integer ones") {
    TestHost host;
    TestProblem<ToyOrdering> integer(host, {{"n", "10"}});
    TestProblem<test::RealOrdering> real(host, {{"n", "10"}});
    TestRun integer_run(3, 25, integer.ref().solution_bytes()), real_run(3, 25, integer.ref().solution_bytes());
    Solver(host.get(), integer.get(), {}).run(*integer_run.get());
    Solver(host.get(), real.get(), {}).run(*real_run.get());
    CHECK(real_run.best == integer_run.best);
    CHECK(real_run.best_cost.f * 4 == static_cast<double>(integer_run.best_cost.i));
}

TEST_CASE("bad parameters are refused with one message") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {});
    const auto error = [&](const Given& given) {
        CHECK(Solver(host.get(), problem.get(), given).status == QAPFW_ERROR_INPUT);
        return host.error;
    };
    CHECK(error({{"topology", "offsets"}}) == "topology = \"offsets\" needs at least one entry in offsets, found none");
    CHECK(error({{"rows", "4096"}, {"columns", "4096"}}) == "rows * columns must be at most 262144, found 16777216");
    CHECK(error({{"rows", "512"}, {"columns", "512"}, {"grids", "65536"}}) ==
          "rows * columns * grids must be at most 100000000, found 262144 * 65536");
    CHECK(error({{"mutation_positions", "any"}, {"mutation", "insertion"}}) ==
          "mutation_positions = \"any\" is for mutation = \"exchange\", found \"insertion\"; leave mutation_positions "
          "out");
}

TEST_CASE("a list of offsets that is the topology 8n searches like 8n, and is refused with any other topology") {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "12"}});
    const char* const eight[] = {"0 1", "0 -1", "1 0", "-1 0", "1 1", "1 -1", "-1 1", "-1 -1"};
    const auto digests = [&](const char* topology, std::vector<std::uint64_t>* out) -> qapfw_status {
        test::Values values = test::Values::of<sdk::PopulationSolver<pga_grid::PgaGrid>>({{"topology", topology}});
        qapfw_parameters parameters = *values.get();
        std::vector<qapfw_value> changed(parameters.values, parameters.values + parameters.count);
        parameters.values = changed.data();
        for (std::uint32_t k = 0; k < parameters.count; ++k) {
            if (changed[k].type != QAPFW_PARAMETER_LIST) continue;
            changed[k].present = 1;
            changed[k].list = eight;
            changed[k].list_count = 8;
        }
        using Table = Solver::Table;
        qapfw_solver* solver = nullptr;
        const qapfw_status status = Table::create(host.get(), &parameters, problem.get(), nullptr, &solver);
        if (status != QAPFW_OK) return status;
        TestRun run(3, 10, problem.ref().solution_bytes());
        REQUIRE(Table::run(solver, run.get()) == QAPFW_OK);
        Table::destroy(solver);
        *out = run.digests;
        return QAPFW_OK;
    };
    std::vector<std::uint64_t> found;
    REQUIRE(digests("offsets", &found) == QAPFW_OK);
    CHECK(found == solve(host.get(), problem, {{"topology", "8n"}}, 10).digests);
    CHECK(found != solve(host.get(), problem, {{"topology", "4n"}}, 10).digests);
    CHECK(digests("8n", &found) == QAPFW_ERROR_INPUT);
    CHECK(host.error == "offsets are used with topology = \"offsets\" only, found topology = \"8n\"");
}
