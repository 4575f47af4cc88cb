// SPDX-License-Identifier: Apache-2.0
// Operators by name, and solutions with bay bits.
#include <doctest/doctest.h>

#include "plugins/ga_independent/ga_independent.hpp"
#include "qapfw/kernels/operators/crossover.hpp"
#include "tests/support/bay_checks.hpp"
#include "tests/support/toy_problems.hpp"

using namespace qapfw;
using SolverOfOperators = sdk::PopulationSolver<ga_independent::GaIndependent>;

TEST_CASE("every crossover and mutation finds the optimum of small problems, with bay bits or without") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> ordering(host, {{"n", "7"}, {"fix_first", "true"}});
    for (const char* crossover : kernels::kCrossoverNames) {
        for (const char* mutation : {"exchange", "insertion", "transposition", "reversal"}) {
            CAPTURE(crossover);
            CAPTURE(mutation);
            const test::Given given = {{"blocks", "3"},
                                       {"size", "24"},
                                       {"mutation_rate", "0.5"},
                                       {"crossover", crossover},
                                       {"mutation", mutation}};
            CHECK(test::solve<SolverOfOperators>(host.get(), ordering, given, {200, 3, nullptr}).cost ==
                  test::brute_force(ordering.object(), true));
            if (std::string(mutation) == "insertion") test::check_bays<SolverOfOperators>(given, 300);
        }
    }
}

TEST_CASE("positions are exchanged, so no other mutation goes with a rate by position") {
    test::TestHost host;
    test::TestProblem<test::ToyOrdering> problem(host, {{"n", "7"}});
    const test::TestSolver<SolverOfOperators> solver(host.get(), problem.get(),
                                                     {{"mutation_per", "position"}, {"mutation", "reversal"}});
    CHECK(solver.status != QAPFW_OK);
    CHECK(host.error ==
          "mutation_per = \"position\" exchanges positions, so mutation must be \"exchange\", found \"reversal\"");
}

TEST_CASE("bay bits may flip with a rate by position") {
    test::check_bays<SolverOfOperators>(
        {{"blocks", "3"}, {"size", "24"}, {"mutation_per", "position"}, {"mutation_rate", "0.2"}}, 300);
}
