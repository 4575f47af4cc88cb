// SPDX-License-Identifier: Apache-2.0
// Late acceptance (Burke and Bykov 2017) rejects a move if its cost is above both the present and an earlier cost.
#include <cstring>

#include "qapfw/sdk/plugin.hpp"
#include "qapfw/sdk/population_solver.hpp"

using namespace qapfw;

struct LateAcceptance {
    struct View {  // arrays with an entry for each search
        unsigned char *solutions, *next; qapfw_cost *costs, *past;
    };
    using Steps = sdk::HostSteps<View>;
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("history", 50).range(1, 100'000).summary("Age of the earlier cost, in iterations.")};

    explicit LateAcceptance(const sdk::SolverContext& context)
        : problem(context.problem), bytes(problem.solution_bytes()),
          history(static_cast<std::uint64_t>(context.parameters.integer("history"))), free(sdk::free_positions(problem)) {}
    sdk::PopulationShape shape() const { return {.groups = 4, .size = 1}; }
    void declare(sdk::Fields<View>& fields, const sdk::Run&) {
        fields.add({.count = bytes, .is_state = true, .is_solution = true}, [](View& v) -> auto& { return v.solutions; });
        fields.add({.count = bytes}, [](View& v) -> auto& { return v.next; });
        fields.add({.is_state = true}, [](View& v) -> auto& { return v.costs; });
        fields.add({.count = history, .is_state = true}, [](View& v) -> auto& { return v.past; });
    }
    std::uint64_t round_wanted(std::uint64_t) const { return 1000; }
    void start(Steps& steps) {
        steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            void* const solution = sdk::solution_at(steps.view().solutions, bytes, k);
            steps.begin_with(solution, k);
            steps.evaluate(worker, {solution, steps.view().costs + k, 1}, k, 0);
            std::fill_n(steps.view().past + k * history, history, steps.view().costs[k]);
        });
    }
    void generation(Steps& steps, std::uint64_t t) {
        steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            const View& v = steps.view();
            void *solution = sdk::solution_at(v.solutions, bytes, k), *next = sdk::solution_at(v.next, bytes, k);
            const auto place = [&](std::uint32_t index) { return free[steps.draw(k, t, 1, index, free.size())]; };
            std::memcpy(next, solution, bytes);
            if (!free.empty()) std::swap(sdk::permutation_of(next)[place(0)], sdk::permutation_of(next)[place(1)]);
            qapfw_cost cost{}, &now = v.costs[k], &late = v.past[k * history + t % history];
            steps.evaluate(worker, {next, &cost, 1}, k, t);
            if (!problem.less()(now, cost) || !problem.less()(late, cost)) std::memcpy(solution, next, bytes), now = cost;
            if (problem.less()(now, late)) late = now;
        });
    }
    sdk::Leader leader(Steps& steps) const { return steps.place().seen(); }  // the best solution seen in this round
    std::uint64_t digest(Steps& steps, std::uint64_t t) const { return steps.digest(steps.view().solutions, steps.view().costs, t); }

    sdk::ProblemRef problem;
    std::uint64_t bytes, history;
    std::vector<std::uint16_t> free;
};

constexpr qapfw_component kSolver = sdk::solver_component<sdk::PopulationSolver<LateAcceptance>>(
    {.id = "late_acceptance", .version = "1.0.0", .summary = "Late acceptance hill climbing by swaps."});
QAPFW_PLUGIN("org.example.late_acceptance", "1.0.0", "Apache-2.0", &kSolver)
