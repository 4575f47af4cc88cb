// SPDX-License-Identifier: Apache-2.0
// Checks that hold for every solver that works on a permutation with bay bits.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_bays.hpp"

namespace qapfw::test {

/// The least cost over all permutations and all bay bits.
inline double brute_force(TestProblem<ToyBays>& problem) {
    std::vector<unsigned char> s(problem.ref().solution_bytes());
    sdk::base_solution(problem.ref(), s.data());
    const std::uint32_t n = problem.ref().length();
    std::uint16_t* const p = sdk::permutation_of(static_cast<void*>(s.data()));
    std::uint8_t* const bits = s.data() + problem.ref().encoding().segments[1].offset;
    double best = std::numeric_limits<double>::infinity();
    do {
        for (std::uint32_t code = 0; code < 1u << (n - 1); ++code) {
            for (std::uint32_t k = 0; k + 1 < n; ++k) bits[k] = static_cast<std::uint8_t>(code >> k & 1u);
            best = std::min(best, problem.object().cost(s.data()));
        }
    } while (std::next_permutation(p, p + n));
    return best;
}

/// Checks that the solver finds the optimum of a small problem, with the same trajectory on one thread and on several.
/// Also checks sizes 1 to 3.
template <class Solver>
void check_bays(const Given& given, std::uint64_t generations) {
    const ThreadedHost one(1), three(3);
    TestProblem<ToyBays> problem(one, {{"n", "6"}});
    std::vector<std::uint64_t> digests;
    for (const qapfw_host* host : {one.get(), three.get()}) {
        TestRun run(3, generations, problem.ref().solution_bytes());
        TestSolver<Solver> solver(host, problem.get(), given);
        REQUIRE(solver.status == QAPFW_OK);
        solver.run(*run.get());
        CHECK(run.best_cost.f == doctest::Approx(brute_force(problem)));
        CHECK(run.best_cost.f == problem.object().cost(run.best.data()));
        if (digests.empty()) digests = run.digests;
        CHECK(run.digests == digests);
    }
    for (const char* n : {"1", "2", "3"}) {
        TestProblem<ToyBays> small(one, {{"n", n}});
        TestRun run(3, 20, small.ref().solution_bytes());
        TestSolver<Solver> solver(one.get(), small.get(), given);
        solver.run(*run.get());
        CHECK(run.best_cost.f == doctest::Approx(brute_force(small)));
    }
}

}  // namespace qapfw::test
