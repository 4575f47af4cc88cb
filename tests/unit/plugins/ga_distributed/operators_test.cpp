// SPDX-License-Identifier: Apache-2.0
#include "tests/support/operator_checks.hpp"

#include "plugins/ga_distributed/ga_distributed.hpp"

using namespace qapfw;
using SolverOfOperators = sdk::PopulationSolver<ga_distributed::GaDistributed>;

TEST_CASE("every crossover and mutation finds the optimum of small problems, with bay bits or without") {
    test::check_operators<SolverOfOperators>(
        {{"subpopulations", "3"}, {"size", "24"}, {"exchange_every", "7"}, {"mutation_rate", "0.5"}});
}

TEST_CASE("with a rate per position, positions are swapped: no other mutation may be named, bay bits may flip") {
    test::check_rates_by_position<SolverOfOperators>({{"subpopulations", "3"}, {"size", "24"}});
}

TEST_CASE("cut points of their own are for the crossovers that have two cuts") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "7"}});
    const test::TestSolver<SolverOfOperators> solver(host.get(), problem.get(),
                                                     {{"crossover", "uniform"}, {"cut_points", "shared"}});
    CHECK(solver.status != QAPFW_OK);
    CHECK(host.error ==
          "cut_points = \"shared\" works only for pmx and ox, on permutations or layouts in bays, found crossover = "
          "\"uniform\"; leave cut_points out");
}
