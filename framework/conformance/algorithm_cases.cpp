// SPDX-License-Identifier: Apache-2.0
// Cases for improvers and solvers, on the suite's own problem.
#include <fmt/core.h>

#include <chrono>
#include <cstring>
#include <memory>

#include "framework/config/component_choice.hpp"
#include "framework/conformance/fixture.hpp"
#include "framework/engine/run_context.hpp"
#include "framework/host/plugin_call.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kAlgorithmBatch = 6;

Choice algorithm_choice(const Subject& subject, std::uint32_t n) {
    Choice choice = choose_component(subject.component, subject.parameters);
    choice.parameters.resolve_sizes(n);
    return choice;
}

// Improvers

struct ImproverBench {
    Host host;
    Choice problem_choice, choice;
    Problem problem;
    Improver improver;
    ImproverBench(const Subject& subject, const SmallProblem& small)
        : host(2, {}),
          problem_choice(small_problem_choice(small)),
          choice(algorithm_choice(subject, small.n)),
          problem(host, problem_choice),
          improver(host, choice, problem) {}

    /// One call on a fresh workspace.
    std::uint64_t improve(const qapfw_batch& batch, std::uint32_t first, int (*stop)(void*) = nullptr) {
        const qapfw_improver_table& table = *improver.ref()->table;
        qapfw_workspace* workspace = nullptr;
        call_plugin("improver", "create_workspace",
                    [&] { return table.create_workspace(improver.ref()->improver, &workspace); });
        const qapfw_improve_request request{sizeof request, 3, 42, first, 9, 0, stop, nullptr, 0};
        std::uint64_t evaluations = 0;
        const auto destroy = [&table](qapfw_workspace* w) { table.destroy_workspace(w); };
        const std::unique_ptr<qapfw_workspace, decltype(destroy)> owner(workspace, destroy);
        call_plugin("improver", "improve", [&] { return table.improve(workspace, &batch, &request, &evaluations); });
        return evaluations;
    }
};

void check_improved(const ImproverBench& bench, Batch& batch, const std::vector<qapfw_cost>& before) {
    for (std::uint32_t k = 0; k < kAlgorithmBatch; ++k) {
        const std::string defect = solution_defect(bench.problem.info().encoding, batch.at(k));
        require(defect.empty(), defect);
        require(batch.costs[k].i <= before[k].i, fmt::format("cost {} became {}", before[k].i, batch.costs[k].i));
        const qapfw_cost recomputed = bench.problem.evaluate(batch.at(k));
        require(recomputed.i == batch.costs[k].i,
                fmt::format("told cost {}, by evaluation {}", batch.costs[k].i, recomputed.i));
    }
}

void improver_right(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        ImproverBench bench(subject, small);
        Batch batch(bench.problem, kAlgorithmBatch, 1);
        const std::vector<qapfw_cost> before = batch.costs;
        const std::uint64_t evaluations = bench.improve(batch.view(), 0);
        require(evaluations > 0, "it counts no evaluations");
        check_improved(bench, batch, before);
    }
}

void improver_split(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        ImproverBench bench(subject, small);
        Batch whole(bench.problem, kAlgorithmBatch, 2), parts(bench.problem, kAlgorithmBatch, 2);
        bench.improve(whole.view(), 0);
        for (std::uint32_t k = 0; k < kAlgorithmBatch; ++k) bench.improve({parts.at(k), &parts.costs[k], 1}, k);
        require(std::memcmp(whole.at(0), parts.at(0), whole.stride * kAlgorithmBatch) == 0,
                "a batch improves otherwise than its solutions one by one with their own numbers");
    }
}

void improver_repeats(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        ImproverBench bench(subject, small), other(subject, small);
        Batch first(bench.problem, kAlgorithmBatch, 3), second(bench.problem, kAlgorithmBatch, 3),
            third(other.problem, kAlgorithmBatch, 3);
        bench.improve(first.view(), 0);
        bench.improve(second.view(), 0);
        other.improve(third.view(), 0);
        require(std::memcmp(first.at(0), second.at(0), first.stride * kAlgorithmBatch) == 0,
                "a second call gives another result");
        require(std::memcmp(first.at(0), third.at(0), first.stride * kAlgorithmBatch) == 0,
                "a second object gives another result");
    }
}

void improver_stops(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        ImproverBench bench(subject, small);
        Batch batch(bench.problem, kAlgorithmBatch, 4);
        const std::vector<qapfw_cost> before = batch.costs;
        const auto start = std::chrono::steady_clock::now();
        bench.improve(batch.view(), 0, [](void*) { return 1; });
        require(std::chrono::steady_clock::now() - start < std::chrono::seconds(1),
                "asked to stop it went on for a second");
        check_improved(bench, batch, before);
    }
}

// Solvers

constexpr std::uint64_t kIterations = 30;

struct SolverBench {
    Host host;
    Choice problem_choice, choice, improver_choice;
    Problem problem;
    std::unique_ptr<Improver> improver;
    Registry no_others = Registry::of({});  ///< a solver must do without improvers of its own choice
    Solver solver;
    SolverBench(const Subject& subject, const SmallProblem& small, std::uint32_t threads)
        : host(threads, {}),
          problem_choice(small_problem_choice(small)),
          choice(algorithm_choice(subject, small.n)),
          improver_choice(choose_component(small_improver_component(), {})),
          problem(host, problem_choice),
          improver(choice.component->descriptor->uses_improver == 2
                       ? std::make_unique<Improver>(host, improver_choice, problem)
                       : nullptr),
          solver(host, choice, problem, improver.get(), no_others) {}
};

StopConditions limits_of(std::uint64_t iterations) {
    StopConditions conditions;
    conditions.iterations = iterations;
    return conditions;
}

/// A run in the engine's own context, without a record: every reported cost is recomputed and every solution is
/// checked.
RunResult run(SolverBench& bench, const StopConditions& conditions, std::uint64_t seed,
              const Checkpoint* from = nullptr, const SolutionBuffer* initial = nullptr) {
    RunRecord record;
    Progress progress(ProgressStyle::kNone, conditions, std::nullopt, "");
    RunParts parts{bench.problem, bench.solver, conditions, record, progress};
    parts.known.seed = seed;
    parts.known.costs = bench.problem.costs();
    RunContext context(std::move(parts));
    if (from != nullptr) context.restore(*from);
    if (initial != nullptr) context.warm_start(*initial);
    RunOutcome outcome = context.run();
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    return outcome.result;
}

void require_same(const RunResult& a, const RunResult& b, const char* what) {
    require(a.counters.iterations == b.counters.iterations && a.counters.digest == b.counters.digest &&
                a.best->values == b.best->values,
            fmt::format("{}: digest {:016x} and {:016x} after {} and {} iterations", what, a.counters.digest,
                        b.counters.digest, a.counters.iterations, b.counters.iterations));
}

void solver_reports(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        SolverBench bench(subject, small, 2);
        const RunResult result = run(bench, limits_of(kIterations), 1);
        require(result.best.has_value(), "no solution was reported");
        require(result.counters.evaluations > 0, "no evaluations were reported");
        require(result.counters.iterations <= kIterations,
                fmt::format("{} iterations were reported, {} granted", result.counters.iterations, kIterations));
    }
}

void solver_repeats(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        SolverBench first(subject, small, 1), second(subject, small, 3), third(subject, small, 3);
        const RunResult a = run(first, limits_of(kIterations), 5);
        require_same(a, run(second, limits_of(kIterations), 5), "one thread and three");
        require_same(a, run(third, limits_of(kIterations), 5), "the same run again");
    }
}

void solver_seeds(const Subject& subject) {
    const SmallProblem small = small_problems_for(*subject.component.descriptor).front();
    SolverBench first(subject, small, 2), second(subject, small, 2);
    const RunResult a = run(first, limits_of(kIterations), 1), b = run(second, limits_of(kIterations), 2);
    require(a.counters.digest != b.counters.digest, "two seeds give the same trajectory");
}

void solver_warm_start(const Subject& subject) {
    for (const SmallProblem& small : small_problems_for(*subject.component.descriptor)) {
        SolverBench bench(subject, small, 2);
        const SolutionBuffer initial = random_solution(bench.problem.info().encoding, 8, 0);
        const qapfw_cost cost = bench.problem.evaluate(initial.data());
        const RunResult result = run(bench, limits_of(kIterations), 1, nullptr, &initial);
        require(result.best->cost.i <= cost.i, "the run ended worse than its warm start");
    }
}

void solver_stops(const Subject& subject) {
    const SmallProblem small{40, small_problems_for(*subject.component.descriptor).front().bits, false};
    SolverBench bench(subject, small, 2);
    StopConditions conditions;
    conditions.time_limit = 0.3;
    const auto start = std::chrono::steady_clock::now();
    const RunResult result = run(bench, conditions, 1);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    require(seconds < 1.3, fmt::format("a time limit of 0.3 s ended after {:.2f} s", seconds));
    require(result.stop_reason == "time_limit" || result.stop_reason == "solver_finished",
            "ended by " + result.stop_reason);
}

/// Saves in the middle of a run, loads into a fresh solver, and compares the end with that of the uninterrupted run.
void solver_resumes(const Subject& subject) {
    const SmallProblem small = small_problems_for(*subject.component.descriptor).back();
    SolverBench probe(subject, small, 2), whole(subject, small, 2), half(subject, small, 2), rest(subject, small, 1);
    if (!whole.solver.resumable()) throw Skip("it saves no state");
    StopConditions one_round;
    one_round.evaluations = 1;
    const std::uint64_t round = run(probe, one_round, 3).counters.iterations;
    const RunResult expected = run(whole, limits_of(3 * round), 3);
    const RunResult first = run(half, limits_of(2 * round), 3);
    Checkpoint checkpoint;
    checkpoint.counters = first.counters;
    checkpoint.solutions = first.solutions;
    half.solver.save(checkpoint.state);
    require_same(expected, run(rest, limits_of(3 * round), 3, &checkpoint), "uninterrupted and resumed");
}

constexpr Case kImproverCases[] = {
    {"improve-right", "Results are valid, not worse, rightly priced, and keep fixed positions.", improver_right},
    {"improve-split", "A batch gives what its solutions give one by one.", improver_split},
    {"improve-repeats", "There is no memory between calls.", improver_repeats},
    {"improve-stops", "A request to stop is followed with valid results.", improver_stops},
};

constexpr Case kSolverCases[] = {
    {"solve-reports", "Reports are true, counted, and within the granted iterations.", solver_reports},
    {"solve-repeats", "The trajectory depends on the seed alone, not on threads.", solver_repeats},
    {"solve-seeds", "Another seed gives another trajectory.", solver_seeds},
    {"solve-warm-start", "A run never ends worse than its warm start.", solver_warm_start},
    {"solve-stops", "A time limit is kept to within a second.", solver_stops},
    {"solve-resumes", "A resumed run is the uninterrupted one.", solver_resumes},
};

}  // namespace

std::span<const Case> improver_cases() {
    return kImproverCases;
}
std::span<const Case> solver_cases() {
    return kSolverCases;
}

}  // namespace qapfw::framework::conformance
