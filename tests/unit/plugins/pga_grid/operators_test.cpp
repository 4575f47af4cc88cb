// SPDX-License-Identifier: Apache-2.0
#include "tests/support/operator_checks.hpp"

#include "plugins/pga_grid/pga_grid.hpp"

using namespace qapfw;
using SolverOfOperators = sdk::PopulationSolver<pga_grid::PgaGrid>;

TEST_CASE("every crossover and mutation finds the optimum of small problems, with bay bits or without") {
    test::check_operators<SolverOfOperators>({{"rows", "6"}, {"columns", "6"}, {"mutation_rate", "0.6"}});
}
