// SPDX-License-Identifier: Apache-2.0
// Checks that the device code of PGAGrid has the CPU's trajectory on an emulated GPU.
#include <doctest/doctest.h>

#include "plugins/pga_grid/pga_grid.hpp"
#include "tests/support/device_checks.hpp"

using namespace qapfw;

TEST_CASE("the cells of all GPUs are improved side by side") {
    const test::Given given = {
        {"rows", "2"}, {"columns", "2"}, {"grids", "5"}, {"exchange_every", "3"}, {"round", "2"}};
    test::check_side_by_side<sdk::PopulationSolver<pga_grid::PgaGrid>>(given, 8);
    test::check_failing_share<sdk::PopulationSolver<pga_grid::PgaGrid>>(given);
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the case above runs
namespace {

using PgaGridSolver = sdk::PopulationSolver<pga_grid::PgaGrid>;
using test::Anywhere;
using test::DeviceToy;
using test::Given;
using test::OneExchange;
using test::Outcome;
using test::Place;
using test::Task;
using test::TestImprover;

Outcome solve(const Place& place, DeviceToy<>& toy, const Given& given, const Task& task) {
    return test::solve_on<PgaGridSolver>(place, toy, given, task);
}

}  // namespace

TEST_CASE("grids on a GPU follow the CPU's trajectory on sizes from 1 to beyond a warp and every topology") {
    for (const char* n : {"1", "2", "3", "9", "40"}) {
        for (const char* topology : {"4n", "8n", "16n", "20n", "random"}) {
            CAPTURE(n);
            CAPTURE(topology);
            DeviceToy<> toy(Given{{"n", n}});
            const Given given = {
                {"rows", "3"}, {"columns", "4"}, {"topology", topology}, {"round", "2"}, {"mutation_rate", "0.3"}};
            const Task task{7, 6, nullptr};
            const Outcome expected = solve({}, toy, given, task);
            CHECK(expected.digests.size() == 4);
            CHECK(solve({1}, toy, given, task) == expected);
        }
    }
}

TEST_CASE("grids of one cell and larger than a GPU's block, and fixed positions") {
    DeviceToy<> toy(Given{{"n", "9"}, {"fix_first", "true"}});
    for (const auto& [rows, columns] : {std::pair{"1", "1"}, {"1", "2"}, {"17", "18"}}) {
        const Given given = {{"rows", rows}, {"columns", columns}, {"grids", "2"}, {"exchange_every", "2"}};
        const Task task{4, 5, nullptr};
        const Outcome expected = solve({}, toy, given, task);
        CHECK(sdk::permutation_of(static_cast<const void*>(expected.best.data()))[0] == 2);
        CHECK(solve({1}, toy, given, task) == expected);
    }
}

TEST_CASE("one GPU, several GPUs and the CPU agree on several grids that exchange, with and without an improver") {
    DeviceToy<> toy(Given{{"n", "12"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        const Given given = {{"rows", "3"}, {"columns", "3"}, {"grids", "5"}, {"exchange_every", "3"}, {"round", "2"}};
        const Task task{14, 6, with};
        const Outcome expected = solve({}, toy, given, task);
        for (const std::uint32_t devices : {1u, 2u, 3u, 5u}) CHECK(solve({devices}, toy, given, task) == expected);
    }
}

TEST_CASE("first individuals of grids on GPUs, with solutions to begin from too, are the CPU's") {
    test::check_first_individuals<PgaGridSolver>({{"rows", "1"}, {"columns", "3"}, {"grids", "5"}, {"round", "1"}});
}

TEST_CASE("a state of grids saved on a GPU continues on the CPU, and the other way round") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    const Given given = {{"rows", "2"}, {"columns", "3"}, {"grids", "3"}, {"exchange_every", "4"}, {"round", "2"}};
    for (const qapfw_improver_ref* with : {static_cast<const qapfw_improver_ref*>(nullptr), improver.get()}) {
        test::check_resume_elsewhere<PgaGridSolver>(toy, given, {12, 4, with}, 6);
        test::check_beyond_32_bits_on_devices<PgaGridSolver>(toy, given, {12, 4, with});
    }
}

TEST_CASE("a round of grids cut short on a GPU is reported with a real solution and leaves no trace in the state") {
    DeviceToy<> toy(Given{{"n", "9"}});
    const Given given = {{"rows", "3"}, {"columns", "3"}, {"grids", "2"}, {"round", "4"}};
    // With an improver, the solver asks in every generation whether the run must stop.
    const TestImprover<Anywhere<OneExchange>> improver(toy.host.get(), toy.problem.get());
    test::check_stopped_on_devices<PgaGridSolver>(toy, given, improver.get(), {0, 1, 2, 5, 9, 18});
}
#endif
