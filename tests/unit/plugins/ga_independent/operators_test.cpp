// SPDX-License-Identifier: Apache-2.0
#include "tests/support/operator_checks.hpp"

#include "plugins/ga_independent/ga_independent.hpp"

using namespace qapfw;
using SolverOfOperators = sdk::PopulationSolver<ga_independent::GaIndependent>;

TEST_CASE("every crossover and mutation finds the optimum of small problems, with bay bits or without") {
    test::check_operators<SolverOfOperators>({{"blocks", "3"}, {"size", "24"}, {"mutation_rate", "0.5"}});
}

TEST_CASE("with a rate per position, positions are swapped: no other mutation may be named, bay bits may flip") {
    test::check_rates_by_position<SolverOfOperators>({{"blocks", "3"}, {"size", "24"}});
}
