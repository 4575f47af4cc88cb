// SPDX-License-Identifier: Apache-2.0
// Solvers through their C functions, and the reports of their runs.
#pragma once

#include <vector>

#include "tests/support/test_host.hpp"

namespace qapfw::test {

template <class T>
class TestSolver {
  public:
    using Table = sdk::SolverTrampolines<T>;

    TestSolver(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
               const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<T>(given, sdk::ProblemRef(problem).n())) {
        status = Table::create(host, values_.get(), problem, improver, &solver_);
    }
    TestSolver(const TestSolver&) = delete;
    TestSolver& operator=(const TestSolver&) = delete;
    ~TestSolver() {
        if (solver_ != nullptr) Table::destroy(solver_);
    }
    void run(const qapfw_run& run) { REQUIRE(run_status(run) == QAPFW_OK); }
    qapfw_status run_status(const qapfw_run& run) { return Table::run(solver_, &run); }
    void save(StateBytes& state) {
        const qapfw_writer writer = state.writer();
        REQUIRE(Table::save(solver_, &writer) == QAPFW_OK);
    }
    void load(StateBytes& state) { REQUIRE(load_status(state) == QAPFW_OK); }
    qapfw_status load_status(StateBytes& state) {
        const qapfw_reader reader = state.reader();
        return Table::load(solver_, &reader);
    }

    qapfw_status status = QAPFW_OK;

  private:
    Values values_;
    qapfw_solver* solver_ = nullptr;
};

/// The reports of a run: the digests of complete rounds, the last reported best solution with its cost, and the number
/// of evaluations.
struct Outcome {
    std::vector<std::uint64_t> digests;
    std::int64_t cost = 0;  ///< the cost, or the bits of a real cost
    std::vector<unsigned char> best;
    std::uint64_t evaluations = 0;
    bool operator==(const Outcome&) const = default;
};

/// Returns the reports of a finished run. Also checks that the best solution has the reported cost.
template <class Problem>
Outcome outcome(const TestRun& run, const TestProblem<Problem>& problem) {
    std::vector<unsigned char> best = run.best;
    CHECK(problem.ref().evaluate_one(best.data()).i == run.best_cost.i);
    return {run.digests, run.best_cost.i, run.best, run.evaluations};
}

struct Task {
    std::uint64_t generations = 100;
    std::uint64_t seed = 3;
    const qapfw_improver_ref* improver = nullptr;
    qapfw_batch initial{};  ///< warm starts of the run
};

template <class T, class Problem>
Outcome solve(const qapfw_host* host, const TestProblem<Problem>& problem, const Given& given, const Task& task) {
    TestSolver<T> solver(host, problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    TestRun run(task.seed, task.generations, problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    services.initial = task.initial;
    solver.run(services);
    return outcome(run, problem);
}

}  // namespace qapfw::test
