// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/two_opt.hpp"

#include <limits>
#include <utility>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::local_search {
namespace {

/// Evaluates the solution again and sets `cost`, since a sum of real-valued deltas is rounded. Does nothing if costs
/// are integers.
void evaluate_again(const sdk::ProblemRef& problem, void* solution, qapfw_cost* cost) {
    if (!problem.has_integer_costs()) *cost = problem.evaluate_one(solution);
}

/// Number of improving moves that a sweep finds between two calls of should_stop. Finding and making these moves takes
/// less than 20 ms for n = 2000.
constexpr std::uint32_t kMovesPerQuestion = 4;

/// True if the caller wants to stop.
bool stopped(const qapfw_improve_request& request) {
    return request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
}

}  // namespace

std::uint64_t SwapDescent::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    std::uint64_t evaluations = 0;
    // Checks for a stop before each solution, since each descent first computes a table of deltas, which takes long.
    // After a stop, the solutions that are left keep the costs that the caller gave.
    for (std::uint64_t k = 0; k < batch.count && !stopped(request); ++k) {
        void* solution = sdk::solution_at(batch.solutions, improver_.problem().solution_bytes(), k);
        evaluations += descend(solution, batch.costs + k, request);
    }
    return evaluations;
}

std::uint64_t SwapDescent::Workspace::descend(void* solution, qapfw_cost* cost, const qapfw_improve_request& request) {
    const sdk::ProblemRef& problem = improver_.problem();
    const std::uint64_t asked = request.iterations > 0 ? request.iterations : improver_.limit();
    const Descent descent = improver_.descent();
    if (neighbours_.insertions) return neighbours_.insertions->improve(solution, cost, descent, asked, request);
    if (neighbours_.segments) return neighbours_.segments->improve(solution, cost, descent, asked, request);
    const std::uint64_t limit = asked > 0 ? asked : std::numeric_limits<std::uint64_t>::max();
    std::uint64_t scans = 0;
    neighbours_.swaps->watch({request.should_stop, request.stop_context});
    try {
        *cost = neighbours_.swaps->reset(solution);
        for (bool changed = true; changed && scans < limit && !stopped(request); ++scans)
            changed = descent == Descent::kBestImprovement ? make_best(solution, cost) : sweep(solution, cost, request);
    } catch (const sdk::Stopped&) {  // `solution` and `cost` are as the last swap made them
    }
    evaluate_again(problem, solution, cost);
    return scans * sdk::free_pairs(problem);
}

bool SwapDescent::Workspace::make_best(void* solution, qapfw_cost* cost) {
    // A filter by which nothing is tabu or forced: every pair is admissible, so the best one is returned.
    qapfw_swap_filter everything{};
    everything.struct_size = sizeof everything;
    qapfw_swap_move move{};
    if (!neighbours_.swaps->best_admissible(everything, &move) || !improver_.problem().less()(move.delta, qapfw_cost{}))
        return false;
    make(solution, cost, move);
    return true;
}

bool SwapDescent::Workspace::sweep(void* solution, qapfw_cost* cost, const qapfw_improve_request& request) {
    const auto less = improver_.problem().less();
    bool changed = false;
    qapfw_cost last{};  // in rising sweeps: delta of the last swap made
    std::uint32_t i = 0, j = 1, moves = 0;
    for (qapfw_swap_move move{}; neighbours_.swaps->first_improving(i, j, &move); i = move.i, j = move.j + 1) {
        if (++moves % kMovesPerQuestion == 0 && stopped(request)) throw sdk::Stopped();
        if (!less(move.delta, last)) continue;
        make(solution, cost, move);
        if (improver_.descent() == Descent::kRisingSweeps) last = move.delta;
        changed = true;
    }
    return changed;
}

void SwapDescent::Workspace::make(void* solution, qapfw_cost* cost, const qapfw_swap_move& move) {
    neighbours_.swaps->apply(move.i, move.j);
    std::swap(sdk::permutation_of(solution)[move.i], sdk::permutation_of(solution)[move.j]);
    *cost = improver_.problem().sum(*cost, move.delta);
}

}  // namespace qapfw::local_search
