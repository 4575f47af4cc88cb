// SPDX-License-Identifier: Apache-2.0
// Conformance cases for solvers.
#include <fmt/core.h>

#include <chrono>

#include "framework/conformance/algorithm_bench.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint64_t kIterations = 30;
// The long run ends after kLongRun iterations, or earlier by a time limit. The limit is kLongSeconds[0] or, if a
// solver's rounds are too long for it, kLongSeconds[1].
constexpr std::uint64_t kLongRun = 100'000;
constexpr double kLongSeconds[] = {0.5, 4};

void require_same(const RunResult& a, const RunResult& b, const char* what) {
    require(a.counters.iterations == b.counters.iterations && a.counters.digest == b.counters.digest &&
                a.best->values == b.best->values,
            fmt::format("{}: the trajectories differ, digest {:016x} and {:016x} after {} and {} iterations", what,
                        a.counters.digest, b.counters.digest, a.counters.iterations, b.counters.iterations));
}

void solver_reports(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        SolverBench bench(subject, small, 2);
        const RunResult result = run(bench, limits_of(kIterations), 1);
        require(result.best && !result.found.kept, "no solution was reported");
        require(result.counters.evaluations > 0, "no evaluations were reported");
        require(result.counters.iterations <= kIterations,
                fmt::format("{} iterations were reported, but only {} were granted", result.counters.iterations,
                            kIterations));
        require(result.found.iteration <= result.counters.iterations,
                fmt::format("the best solution is reported for iteration {}, but only {} were made",
                            result.found.iteration, result.counters.iterations));
    }
}

void solver_repeats(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        SolverBench first(subject, small, 1), second(subject, small, 3), third(subject, small, 3);
        const RunResult a = run(first, limits_of(kIterations), 5);
        require_same(a, run(second, limits_of(kIterations), 5), "one thread and three");
        require_same(a, run(third, limits_of(kIterations), 5), "the same run again");
    }
}

void solver_seeds(const Subject& subject) {
    const SmallProblem small = problems_for(subject).front();
    SolverBench first(subject, small, 2), second(subject, small, 2);
    const RunResult a = run(first, limits_of(kIterations), 1), b = run(second, limits_of(kIterations), 2);
    require(a.counters.digest != b.counters.digest, "two seeds give the same trajectory");
}

void solver_warm_start(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        SolverBench bench(subject, small, 2);
        const SolutionBuffer initial = random_solution(bench.problem.info().encoding, 8, 0);
        const qapfw_cost cost = bench.problem.evaluate(initial.data());
        const RunResult result = run(bench, limits_of(kIterations), 1, nullptr, &initial);
        require(bench.problem.costs().at_most(result.best->cost, cost), "the run ended worse than its warm start");
    }
}

double seconds_of_run(SolverBench& bench, const StopConditions& conditions) {
    const auto start = std::chrono::steady_clock::now();
    const RunResult result = run(bench, conditions, 1);
    require(result.stop_reason == "time_limit" || result.stop_reason == "solver_finished",
            "a run with only a time limit must end by time_limit or solver_finished, but it ended by " +
                result.stop_reason);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Ends runs by a time limit. If the user gives a problem, the only run is on this problem. Else one run is on a larger
/// problem of the suite, and one run has slow evaluations. A round of slow evaluations takes longer than the limit, so
/// the solver must call should_stop during a round.
void solver_stops(const Subject& subject) {
    StopConditions conditions;
    conditions.time_limit = 0.3;
    SmallProblem large = problems_for(subject).front(), slow = large;
    large.n = 40;
    slow.microseconds = 3000;
    SolverBench on_large(subject, large, 2);
    const double seconds = seconds_of_run(on_large, conditions);
    require(seconds < 1.3, fmt::format("a run with a time limit of 0.3 s ended after {:.2f} s", seconds));
    if (subject.problem != nullptr) return;
    SolverBench on_slow(subject, slow, 2);
    const double waited = seconds_of_run(on_slow, conditions);
    require(waited < 1.3,
            fmt::format("with evaluations of 3 ms, a run with a time limit of 0.3 s ended after {:.2f} s: the "
                        "solver does not call should_stop often enough",
                        waited));
}

/// Saves a solver's state in the middle of a run and loads it into a fresh solver. The fresh solver must end like an
/// uninterrupted run.
void solver_resumes(const Subject& subject) {
    const SmallProblem small = problems_for(subject).back();
    SolverBench probe(subject, small, 2), whole(subject, small, 2), half(subject, small, 2), rest(subject, small, 1);
    if (!whole.solver.resumable()) throw Skip("it saves no state");
    StopConditions one_round;
    one_round.rounds = 1;
    const std::uint64_t round = run(probe, one_round, 3).counters.iterations;
    const RunResult expected = run(whole, limits_of(3 * round), 3);
    const RunResult first = run(half, limits_of(2 * round), 3);
    Checkpoint checkpoint;
    checkpoint.counters = first.counters;
    checkpoint.solutions = first.solutions;
    half.solver.save(checkpoint.state);
    require_same(expected, run(rest, limits_of(3 * round), 3, &checkpoint), "uninterrupted and resumed");
}

/// Checks that a run obeys a limit on evaluations. The limit is four times the evaluations of the shortest run (a run
/// with the limit 1). Rounds are cut near the limit, so a run may make at most twice as many evaluations as the limit.
void solver_budget(const Subject& subject) {
    const SmallProblem small = problems_for(subject).front();
    SolverBench probe(subject, small, 2), limited(subject, small, 2);
    if (!limited.solver.takes_slices()) throw Skip("it does not support slices (parts of a round)");
    StopConditions conditions;
    conditions.evaluations = 1;
    const std::uint64_t limit = 4 * run(probe, conditions, 3).counters.evaluations;
    conditions.evaluations = limit;
    const std::uint64_t made = run(limited, conditions, 3).counters.evaluations;
    require(
        made <= 2 * limit,
        fmt::format("{} evaluations were made with a limit of {}; at most twice the limit is allowed", made, limit));
}

/// Makes a long run, which reaches restarts and rare paths. Repeats its rounds with another number of threads. Repeats
/// them once more with a save and a load after half of the rounds.
void solver_long(const Subject& subject) {
    const SmallProblem small = problems_for(subject).back();
    StopConditions conditions;
    conditions.iterations = subject.iterations > 0 ? subject.iterations : kLongRun;
    RunResult expected;
    for (const double seconds : kLongSeconds) {
        SolverBench first(subject, small, 1);
        if (subject.iterations == 0) conditions.time_limit = seconds;
        expected = run(first, conditions, 9);
        if (expected.counters.rounds >= 2) break;
    }
    SolverBench second(subject, small, 3);
    conditions.time_limit.reset();
    conditions.rounds = expected.counters.rounds;
    if (expected.counters.rounds < 2) throw Skip("the run ended in its first round");
    const RunResult again = run(second, conditions, 9);
    const auto require_digest = [&](const RunResult& found, const char* what) {
        require(found.counters.digest == expected.counters.digest,
                fmt::format("{}: the trajectories differ, digest {:016x} and {:016x} after {} rounds, {} iterations",
                            what, expected.counters.digest, found.counters.digest, found.counters.rounds,
                            found.counters.iterations));
    };
    require_digest(again, "one thread and three");
    SolverBench half(subject, small, 2), rest(subject, small, 1);
    if (!half.solver.resumable()) return;
    StopConditions middle = conditions;
    middle.rounds = expected.counters.rounds / 2;
    Checkpoint checkpoint;
    const RunResult before = run(half, middle, 9);
    checkpoint.counters = before.counters;
    checkpoint.solutions = before.solutions;
    half.solver.save(checkpoint.state);
    require_digest(run(rest, conditions, 9, &checkpoint), "uninterrupted and resumed");
}

constexpr Case kSolverCases[] = {
    {"solve-reports", "A run reports a solution, evaluations, and no more iterations than were granted.",
     solver_reports},
    {"solve-repeats", "The trajectory depends on the seed alone, not on threads.", solver_repeats},
    {"solve-seeds", "Another seed gives another trajectory.", solver_seeds},
    {"solve-warm-start", "A run never ends worse than its warm start.", solver_warm_start},
    {"solve-stops", "A time limit is kept to within a second.", solver_stops},
    {"solve-budget", "A run makes at most twice the evaluations that its limit allows.", solver_budget},
    {"solve-resumes", "A resumed run gives the same result as an uninterrupted one.", solver_resumes},
    {"solve-long", "Even late in a run the trajectory depends on the seed alone, also if the run is resumed.",
     solver_long},
};

}  // namespace

std::span<const Case> solver_cases() {
    return kSolverCases;
}

}  // namespace qapfw::framework::conformance
