// SPDX-License-Identifier: Apache-2.0
// The bench of the cases for improvers and solvers. The bench has the user's problem, or the suite's own problem in its
// variants. It runs a solver in the engine's own context, without a record.
#pragma once

#include <memory>
#include <vector>

#include "framework/conformance/fixture.hpp"
#include "framework/engine/run/leg.hpp"

namespace qapfw::framework::conformance {

/// The variants of the problem on which the component is tried.
std::vector<SmallProblem> problems_for(const Subject& subject);

struct ImproverBench {
    static constexpr std::uint32_t kBatch = 6;  ///< solutions per call

    ImproverBench(const Subject& subject, const SmallProblem& small);
    /// One call on a fresh workspace; returns the number of evaluations that it counted.
    std::uint64_t improve(const qapfw_batch& batch, std::uint32_t first, int (*stop)(void*) = nullptr);

    Host host;
    Choice problem_choice;
    Problem problem;
    Choice choice;
    Improver improver;
};

struct SolverBench {
    SolverBench(const Subject& subject, const SmallProblem& small, std::uint32_t threads);

    Host host;
    Choice problem_choice;
    Problem problem;
    Choice choice, improver_choice;
    std::unique_ptr<Improver> improver;     ///< null if the solver needs none
    Registry no_others = Registry::of({});  ///< empty: the solver must work without other improvers
    Solver solver;
};

StopConditions limits_of(std::uint64_t iterations);

/// Runs the solver. Recomputes every reported cost and checks every solution. Throws what went wrong.
RunResult run(SolverBench& bench, const StopConditions& conditions, std::uint64_t seed,
              const Checkpoint* from = nullptr, const SolutionBuffer* initial = nullptr);

}  // namespace qapfw::framework::conformance
