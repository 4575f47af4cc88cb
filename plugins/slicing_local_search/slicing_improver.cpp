// SPDX-License-Identifier: Apache-2.0
#include "plugins/slicing_local_search/slicing_improver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "qapfw/error.hpp"

namespace qapfw::slicing_local_search {
namespace {

constexpr double kPenaltyAtFirst = 0.1;
/// Default number of steps of an annealing: kStepsOfSquare r^2, but at least kFewestSteps and at most kMostSteps. r is
/// the number of rows of the flow matrix: one for each department with flow and for each fixed point.
constexpr std::uint64_t kStepsOfSquare = 24, kFewestSteps = 4096, kMostSteps = std::uint64_t{1} << 18;
/// Steps between two calls of should_stop.
constexpr std::uint64_t kStepsOfSlice = 1024;

}  // namespace

SlicingImprover::SlicingImprover(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
    : problem_(problem), data_(data_of(problem, "improver")), instance_(data_) {
    const std::uint64_t rows = data_.rows;
    steps_ = parameters.is_auto("steps") ? std::clamp(kStepsOfSquare * rows * rows, kFewestSteps, kMostSteps)
                                         : static_cast<std::uint64_t>(parameters.integer("steps"));
    const double hot = parameters.real("hot"), cold = parameters.real("cold");
    if (cold > hot) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format("cold of improver slicing_local_search is {}, but it must not be above hot ({})", cold, hot));
    }
    hot_ = hot / std::max(1u, data_.rows);
    log_ratio_ = logarithm(hot / cold);
    settings_ = {parameters.real("feasible"), kPenaltyAtFirst, move_limits(data_.space_count > 1)};
}

SlicingImprover::Workspace::Workspace(const SlicingImprover& improver)
    : improver_(improver),
      memory_(improver.instance_.view()),
      tree_(kernels::slicing_tree_words(improver.data_.departments)),
      best_(tree_.size()),
      candidate_(improver.problem_.solution_bytes() / sizeof(std::uint16_t)) {}

std::uint64_t SlicingImprover::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    std::uint64_t evaluations = 0;
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const sdk::ImproveCall call(request, k);
        if (call.should_stop()) break;
        void* const solution = sdk::solution_at(batch.solutions, improver_.problem_.solution_bytes(), k);
        evaluations += anneal(static_cast<std::uint16_t*>(solution), batch.costs + k, call);
    }
    return evaluations;
}

std::uint64_t SlicingImprover::Workspace::anneal(std::uint16_t* solution, qapfw_cost* cost,
                                                 const sdk::ImproveCall& call) {
    const kernels::SlicingView& view = improver_.instance_.view();
    const qapfw_segment& genes = improver_.problem_.encoding().segments[1];
    const kernels::SlicingTree best{best_.data(), view.departments};
    read_solution(solution, genes.offset, genes.element_bytes, {tree_.data(), view.departments});
    const HostTeam team{improver_.problem_.get()->problem, table_of(improver_.problem_)->flow_cost};
    kernels::SlicingAnnealer<HostTeam> annealer(team, view, call.individual() % view.roots,
                                                memory_.search(view, tree_.data(), best_.data()));
    kernels::SlicingStanding standing{};
    annealer.enter(standing);
    const std::uint64_t steps = call.iterations() > 0 ? call.iterations() : improver_.steps_;
    annealer.begin(improver_.settings_, improver_.hot_, cooling_of(improver_.log_ratio_, steps), steps, standing);
    std::uint64_t made = 0;
    while (made < steps && !call.should_stop()) {
        const std::uint64_t slice = std::min(kStepsOfSlice, steps - made);
        annealer.advance(
            improver_.settings_,
            {call.seed(), call.iteration(static_cast<std::uint32_t>(made)), call.individual(), call.stream()}, slice,
            standing);
        made += slice;
    }
    if (standing.best_violations == kernels::kSlicingNone) return made;
    write_solution(best, candidate_.data(), genes.offset, genes.element_bytes, memory_.candidate.data(),
                   memory_.order.data());
    const qapfw_cost found = improver_.problem_.evaluate_one(candidate_.data());
    if (improver_.problem_.less()(found, *cost)) {
        std::copy(candidate_.begin(), candidate_.end(), solution);
        *cost = found;
    }
    return made + 1;
}

}  // namespace qapfw::slicing_local_search
