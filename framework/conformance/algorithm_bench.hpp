// SPDX-License-Identifier: Apache-2.0
// Set-ups for the conformance cases of improvers and solvers. Each has the component under test and a problem: the
// user's, or a variant of the suite's own problem. A solver runs with the services of the engine, without a record.
#pragma once

#include <memory>
#include <vector>

#include "framework/conformance/fixture.hpp"
#include "framework/engine/run/leg.hpp"

namespace qapfw::framework::conformance {

/// The variants of the suite's own problem on which the component is tried. If the user names a problem, the list has
/// one variant. ImproverBench and SolverBench ignore this variant and use the user's problem.
std::vector<SmallProblem> problems_for(const Subject& subject);

struct ImproverBench {
    static constexpr std::uint32_t kBatch = 6;  ///< number of solutions per call

    ImproverBench(const Subject& subject, const SmallProblem& small);
    /// One call of the improver on a fresh workspace. `first`: number of the batch's first solution; `stop`: asks
    /// whether to stop, null: never. Returns the number of evaluations that the improver reports.
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

/// Runs the solver, from a checkpoint or a warm start if given. Checks every reported solution that is at least as good
/// as the best so far, and computes its cost again. Throws the run's failure, if the run fails.
RunResult run(SolverBench& bench, const StopConditions& conditions, std::uint64_t seed,
              const Checkpoint* from = nullptr, const SolutionBuffer* initial = nullptr);

}  // namespace qapfw::framework::conformance
