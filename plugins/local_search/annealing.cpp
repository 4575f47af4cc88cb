// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace qapfw::local_search {
namespace {

/// The ratio between two beats: a root of `cooling` by square roots and products, which IEEE 754 rounds correctly.
double ratio_of_beat(double cooling, std::uint64_t beats) {
    std::uint64_t parts = 1;
    double ratio = cooling;
    for (; parts < beats; parts *= 2) ratio = std::sqrt(ratio);
    return ratio;  // of the next power of two: the end is a little warmer
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
    plan.ratio = ratio_of_beat(cooling_, (plan.limit + kAnnealingBeat - 1) / kAnnealingBeat);
    return plan;
}

struct Annealing::Workspace::Walk {
    const sdk::ProblemRef& problem;
    sdk::MoveNeighbourhood& neighbourhood;
    std::vector<unsigned char>& best;
    qapfw_cost best_cost;
    bool best_is_old = false;  ///< the present solution is better than the copy

    static qapfw_move of(const AnnealingMove& move) { return {move.kind, move.segment, move.i, move.to}; }
    const std::uint8_t* solution() const { return static_cast<const std::uint8_t*>(neighbourhood.solution()); }
    qapfw_cost delta(const AnnealingMove& move) { return neighbourhood.delta(of(move)); }
    double value(qapfw_cost cost) const { return problem.has_integer_costs() ? static_cast<double>(cost.i) : cost.f; }
    /// The best solution is copied when it is left, so that a descent is not copied at every step.
    void make(const AnnealingMove& move, qapfw_cost delta) {
        if (value(delta) > 0) keep_best();
        neighbourhood.apply(of(move), delta);
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
    : improver_(improver), neighbourhood_(improver.problem()), best_(improver.problem().solution_bytes()) {}

std::uint64_t Annealing::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    const AnnealingPlan plan = improver_.plan(request);
    std::uint64_t proposals = 0;
    for (std::uint64_t k = 0; k < batch.count && plan.elements > 0 && !is_to_stop(request); ++k) {
        void* const solution = sdk::solution_at(batch.solutions, best_.size(), k);
        proposals +=
            anneal(solution, batch.costs + k, plan, request, request.first_individual + static_cast<std::uint32_t>(k));
    }
    return proposals;
}

std::uint64_t Annealing::Workspace::anneal(void* solution, qapfw_cost* cost, const AnnealingPlan& plan,
                                           const qapfw_improve_request& request, std::uint32_t individual) {
    const sdk::ProblemRef& problem = improver_.problem();
    const kernels::SegmentList list = improver_.segments().list();
    AnnealingStanding standing = annealing_start(request.seed, request.generation, individual, request.stream);
    Walk walk{problem, neighbourhood_, best_, neighbourhood_.reset(solution)};
    std::memcpy(best_.data(), solution, best_.size());
    do {
        anneal_beat(plan, list, walk, standing);
    } while (standing.proposals < plan.limit && !is_to_stop(request));
    walk.keep_best();
    if (!problem.has_integer_costs()) {  // a sum of real-valued deltas is rounded
        walk.best_cost = problem.evaluate_one(best_.data());
        if (!problem.less()(walk.best_cost, *cost)) return standing.proposals;
    }
    std::memcpy(solution, best_.data(), best_.size());
    *cost = walk.best_cost;
    return standing.proposals;
}

}  // namespace qapfw::local_search
