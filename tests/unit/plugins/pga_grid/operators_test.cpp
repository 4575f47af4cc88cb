// SPDX-License-Identifier: Apache-2.0
// Operators by name, and solutions with bay bits.
#include <doctest/doctest.h>

#include "plugins/pga_grid/pga_grid.hpp"
#include "qapfw/kernels/operators/crossover.hpp"
#include "tests/support/bay_checks.hpp"
#include "tests/support/toy_problems.hpp"

using namespace qapfw;
using SolverOfOperators = sdk::PopulationSolver<pga_grid::PgaGrid>;

TEST_CASE("every crossover and mutation finds the optimum of small problems, with bay bits or without") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> ordering(host, {{"n", "7"}, {"fix_first", "true"}});
    for (const char* crossover : kernels::kCrossoverNames) {
        for (const char* mutation : {"exchange", "insertion", "transposition", "reversal"}) {
            CAPTURE(crossover);
            CAPTURE(mutation);
            const test::Given given = {{"rows", "6"},
                                       {"columns", "6"},
                                       {"mutation_rate", "0.6"},
                                       {"crossover", crossover},
                                       {"mutation", mutation}};
            CHECK(test::solve<SolverOfOperators>(host.get(), ordering, given, {200, 3, nullptr}).cost ==
                  test::brute_force(ordering.object(), true));
            if (std::string(mutation) == "insertion") test::check_bays<SolverOfOperators>(given, 300);
        }
    }
}
