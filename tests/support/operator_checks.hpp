// SPDX-License-Identifier: Apache-2.0
// Checks for solvers whose operators are chosen by name: each operator is checked.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "qapfw/kernels/operators/crossover.hpp"
#include "tests/support/bay_checks.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

/// Checks that every crossover finds the optimum of small problems. A problem without bay bits is solved with every
/// mutation, a problem with bay bits only with insertion. `given` has the settings of a small population.
template <class Solver>
void check_operators(const Given& given) {
    TestHost host;
    TestProblem<ToyOrdering> ordering(host, {{"n", "7"}, {"fix_first", "true"}});
    for (const char* crossover : kernels::kCrossoverNames) {
        for (const char* mutation : {"exchange", "insertion", "transposition", "reversal"}) {
            CAPTURE(crossover);
            CAPTURE(mutation);
            Given all = given;
            all["crossover"] = crossover;
            all["mutation"] = mutation;
            CHECK(solve<Solver>(host.get(), ordering, all, {200, 3, nullptr}).cost ==
                  brute_force(ordering.object(), true));
            if (std::string(mutation) == "insertion") check_bays<Solver>(all, 300);
        }
    }
}

/// Checks mutation_per = "position". A mutation other than "exchange" must be refused, and a problem with bay bits must
/// be solved.
template <class Solver>
void check_rates_by_position(Given given) {
    TestHost host;
    TestProblem<ToyOrdering> problem(host, {{"n", "7"}});
    const TestSolver<Solver> solver(host.get(), problem.get(),
                                    {{"mutation_per", "position"}, {"mutation", "reversal"}});
    CHECK(solver.status != QAPFW_OK);
    CHECK(host.error ==
          "mutation_per = \"position\" exchanges positions, so mutation must be \"exchange\", found \"reversal\"");
    given["mutation_per"] = "position";
    given["mutation_rate"] = "0.2";
    check_bays<Solver>(given, 300);
}

}  // namespace qapfw::test
