// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace qapfw::local_search {
namespace {

/// Returns the factor by which the temperature falls in each beat of kAnnealingBeat proposals. It is the k-th root of
/// `cooling`, where k is the least power of two that is not below `beats`. The function takes only square roots, which
/// IEEE 754 rounds correctly.
double ratio_of_beat(double cooling, std::uint64_t beats) {
    std::uint64_t parts = 1;
    double ratio = cooling;
    for (; parts < beats; parts *= 2) ratio = std::sqrt(ratio);
    return ratio;  // If `parts` is greater than `beats`, the last temperature is above `cooling` times the first.
}

qapfw_move move_of(const AnnealingMove& move) {
    return {move.kind, move.segment, move.i, move.to};
}
qapfw_cost delta_in(sdk::MoveNeighbourhood& neighbourhood, const AnnealingMove& move) {
    return neighbourhood.delta(move_of(move));
}
qapfw_cost delta_in(sdk::InsertionNeighbourhood& neighbourhood, const AnnealingMove& move) {
    return neighbourhood.delta(move.i, move.to);
}
void apply_in(sdk::MoveNeighbourhood& neighbourhood, const AnnealingMove& move, qapfw_cost delta) {
    neighbourhood.apply(move_of(move), delta);
}
void apply_in(sdk::InsertionNeighbourhood& neighbourhood, const AnnealingMove& move, qapfw_cost delta) {
    neighbourhood.apply(move.i, move.to, delta);
}

bool is_to_stop(const qapfw_improve_request& request) {
    return request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
}

}  // namespace

AnnealingPlan Annealing::plan(const qapfw_improve_request& request) const {
    AnnealingPlan plan{};
    plan.limit = request.iterations > 0 ? request.iterations : iterations_;
    const kernels::SegmentList list = segments_.list();
    for (std::uint32_t s = 0; s < list.count; ++s) {
        const std::uint32_t free = kernels::mutable_elements(list.segments[s]);
        plan.elements += free;
        plan.segments += free > 0 ? 1 : 0;
    }
    plan.descent = std::min(plan.limit, kAnnealingDescent * plan.elements);
    plan.heat = heat_;
    plan.inserts = inserts_ ? 1 : 0;
    plan.ratio = ratio_of_beat(cooling_, (plan.limit + kAnnealingBeat - 1) / kAnnealingBeat);
    return plan;
}

template <class Neighbourhood>
struct Annealing::Workspace::Walk {
    const sdk::ProblemRef& problem;
    Neighbourhood& neighbourhood;
    std::vector<unsigned char>& best;
    qapfw_cost best_cost;
    bool best_is_old = false;  ///< true: the current solution is the best so far, but not yet copied to `best`

    const std::uint8_t* solution() const { return static_cast<const std::uint8_t*>(neighbourhood.solution()); }
    qapfw_cost delta(const AnnealingMove& move) { return delta_in(neighbourhood, move); }
    double value(qapfw_cost cost) const { return problem.has_integer_costs() ? static_cast<double>(cost.i) : cost.f; }
    /// Makes a move. The best solution is copied only before a move that raises the cost, so a descent needs no copies.
    void make(const AnnealingMove& move, qapfw_cost delta) {
        if (value(delta) > 0) keep_best();
        apply_in(neighbourhood, move, delta);
        if (!problem.less()(neighbourhood.cost(), best_cost)) return;
        best_cost = neighbourhood.cost();
        best_is_old = true;
    }
    void keep_best() {
        if (best_is_old) std::memcpy(best.data(), neighbourhood.solution(), best.size());
        best_is_old = false;
    }
};

Annealing::Workspace::Workspace(const Annealing& improver)
    : improver_(improver), best_(improver.problem().solution_bytes()) {
    if (improver.inserts())
        insertions_ = std::make_unique<sdk::InsertionNeighbourhood>(improver.problem());
    else
        moves_ = std::make_unique<sdk::MoveNeighbourhood>(improver.problem());
}

std::uint64_t Annealing::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    const AnnealingPlan plan = improver_.plan(request);
    std::uint64_t proposals = 0;
    for (std::uint64_t k = 0; k < batch.count && plan.elements > 0 && !is_to_stop(request); ++k) {
        void* const solution = sdk::solution_at(batch.solutions, best_.size(), k);
        const std::uint32_t individual = request.first_individual + static_cast<std::uint32_t>(k);
        proposals += insertions_ ? anneal(*insertions_, solution, batch.costs + k, plan, request, individual)
                                 : anneal(*moves_, solution, batch.costs + k, plan, request, individual);
    }
    return proposals;
}

template <class Neighbourhood>
std::uint64_t Annealing::Workspace::anneal(Neighbourhood& neighbourhood, void* solution, qapfw_cost* cost,
                                           const AnnealingPlan& plan, const qapfw_improve_request& request,
                                           std::uint32_t individual) {
    const sdk::ProblemRef& problem = improver_.problem();
    const kernels::SegmentList list = improver_.segments().list();
    AnnealingStanding standing = annealing_start(request.seed, request.generation, individual, request.stream);
    Walk<Neighbourhood> walk{problem, neighbourhood, best_, neighbourhood.reset(solution)};
    std::memcpy(best_.data(), solution, best_.size());
    do {
        anneal_beat(plan, list, walk, standing);
    } while (standing.proposals < plan.limit && !is_to_stop(request));
    walk.keep_best();
    if (!problem.has_integer_costs()) {  // a sum of real-valued deltas is rounded, so the cost is evaluated again
        walk.best_cost = problem.evaluate_one(best_.data());
        if (!problem.less()(walk.best_cost, *cost)) return standing.proposals;
    }
    std::memcpy(solution, best_.data(), best_.size());
    *cost = walk.best_cost;
    return standing.proposals;
}

}  // namespace qapfw::local_search
