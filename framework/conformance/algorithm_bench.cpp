// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/algorithm_bench.hpp"

#include "framework/config/component_choice.hpp"
#include "framework/host/plugin_call.hpp"

namespace qapfw::framework::conformance {
namespace {

Choice problem_choice_of(const Subject& subject, const SmallProblem& small, Host& host) {
    if (subject.problem == nullptr) return small_problem_choice(small);
    return complete_choice(*subject.problem, subject.problem_parameters, host);
}

Choice algorithm_choice(const Subject& subject, const Problem& problem) {
    Choice choice = choose_component(subject.component, subject.parameters);
    choice.parameters.resolve_sizes(problem.info().n);
    return choice;
}

}  // namespace

std::vector<SmallProblem> problems_for(const Subject& subject) {
    if (subject.problem != nullptr) return {SmallProblem{}};
    return small_problems_for(*subject.component.descriptor);
}

ImproverBench::ImproverBench(const Subject& subject, const SmallProblem& small)
    : host(2, subject.data_paths),
      problem_choice(problem_choice_of(subject, small, host)),
      problem(host, problem_choice, false),
      choice(algorithm_choice(subject, problem)),
      improver(host, choice, problem) {}

std::uint64_t ImproverBench::improve(const qapfw_batch& batch, std::uint32_t first, int (*stop)(void*)) {
    const qapfw_improver_table& table = *improver.ref()->table;
    qapfw_workspace* workspace = nullptr;
    call_plugin("improver", "create_workspace",
                [&] { return table.create_workspace(improver.ref()->improver, &workspace); });
    const qapfw_improve_request request{sizeof request, 3, 42, first, 9, 0, stop, nullptr, 0, 0};
    std::uint64_t evaluations = 0;
    const auto destroy = [&table](qapfw_workspace* w) { table.destroy_workspace(w); };
    const std::unique_ptr<qapfw_workspace, decltype(destroy)> owner(workspace, destroy);
    call_plugin("improver", "improve", [&] { return table.improve(workspace, &batch, &request, &evaluations); });
    return evaluations;
}

SolverBench::SolverBench(const Subject& subject, const SmallProblem& small, std::uint32_t threads)
    : host(threads, subject.data_paths),
      problem_choice(problem_choice_of(subject, small, host)),
      problem(host, problem_choice, false),
      choice(algorithm_choice(subject, problem)),
      improver_choice(choose_component(small_improver_component(), {})),
      improver(choice.component->descriptor->uses_improver == 2
                   ? std::make_unique<Improver>(host, improver_choice, problem)
                   : nullptr),
      solver(host, choice, problem, improver.get(), no_others) {}

StopConditions limits_of(std::uint64_t iterations) {
    StopConditions conditions;
    conditions.iterations = iterations;
    return conditions;
}

RunResult run(SolverBench& bench, const StopConditions& conditions, std::uint64_t seed, const Checkpoint* from,
              const SolutionBuffer* initial) {
    RunRecord record;
    Progress progress(ProgressStyle::kNone, conditions, std::nullopt, "");
    Processes alone;
    const Interruption nobody(nullptr, nullptr, alone);
    BookParts parts{bench.problem, conditions, nobody, alone, record, progress};
    parts.known.seed = seed;
    parts.known.costs = bench.problem.costs();
    parts.solver = bench.solver.owner();
    RunBook book(std::move(parts));
    CpuLeg cpu(nullptr, false, nullptr);
    Rounds rounds(conditions, nobody, alone, cpu, book);
    SearchTask task{seed, conditions, alone};
    if (from != nullptr) {
        bench.solver.load(from->state);
        book.restore(*from);
    }
    if (initial != nullptr) {
        task.warm_starts = WarmStarts(bench.problem, {*initial});
        book.begin_with(task.warm_starts);
    }
    {
        const std::jthread rescuer = book.start_rescuer();
        if (has_one_solution(bench.problem.info().encoding)) {
            book.take_only_solution();
        } else if (const LegEnd end = run_solver(bench.solver, {{}, from != nullptr}, task, rounds, cpu, book);
                   end.failure) {
            book.fail(end.failure);
        }
        book.search_ended();
    }
    const RunOutcome outcome = book.conclude(nullptr);
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    return outcome.result;
}

}  // namespace qapfw::framework::conformance
