// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/incumbent.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "framework/host/log.hpp"

namespace qapfw::framework {

bool Incumbent::offer(const void* solution, qapfw_cost reported, const std::string& reporter,
                      const CostedSolution* known) {
    const CostSpace& costs = problem_.search_costs();
    if (!costs.is_number(reported)) throw CostMismatch(reporter + ": reported NaN as a cost");
    if (!empty() && is_worse(reported)) return false;
    SolutionValues values = solution_values(problem_.info().encoding, solution);
    if (!empty() && knows(values) && costs.agree(reported, best_search_cost_)) return false;
    if (known == nullptr || problem_.has_owner_costs() || known->values != values)
        return take(solution, std::move(values), &reported, reporter);
    const bool improved = keep({known->cost, std::move(values)}, known->cost);
    check_cost(reported, known->cost, reporter);
    return improved;
}

/// True if a solution with this search cost is certainly worse than the best one. Search costs may be rounded. So a
/// solution with a slightly worse search cost may be better by the owner's costs.
bool Incumbent::is_worse(qapfw_cost search_cost) const {
    const std::int64_t resolution = problem_.resolution();
    if (resolution == 0) return problem_.search_costs().less(best_search_cost_, search_cost);
    return search_cost.i - resolution >= best_search_cost_.i;
}

/// Evaluates a solution and passes it to keep(). Returns whether the best cost improved. `reported`: the search cost
/// that was reported with the solution; the function checks it. Null: no cost was reported.
bool Incumbent::take(const void* solution, SolutionValues values, const qapfw_cost* reported,
                     const std::string& reporter) {
    const std::string defect = solution_defect(problem_.info().encoding, solution);
    if (!defect.empty()) throw Error(ErrorKind::kPlugin, fmt::format("{} reported {}", reporter, defect));
    const qapfw_cost recomputed = problem_.search_cost(solution);
    const qapfw_cost cost = problem_.has_owner_costs() ? problem_.evaluate(solution) : recomputed;
    const bool improved = keep({cost, std::move(values)}, recomputed);
    if (reported != nullptr) check_cost(*reported, recomputed, reporter);
    return improved;
}

bool Incumbent::improve_answers(bool best_alone) {
    if (!problem_.has_owner_costs()) return false;
    bool improved = false;
    for (const CostedSolution& known : std::vector<CostedSolution>(solutions_)) {
        const qapfw_encoding& encoding = problem_.info().encoding;
        SolutionBuffer buffer = solution_of(encoding, known.values);
        problem_.improve(buffer.data());
        if (take(buffer.data(), solution_values(encoding, buffer.data()), nullptr, problem_.owner())) improved = true;
        if (best_alone) break;
    }
    return improved;
}

CostedSolution Incumbent::evaluated(const void* solution, qapfw_cost reported, const std::string& reporter) {
    const std::string defect = solution_defect(problem_.info().encoding, solution);
    if (!defect.empty()) throw Error(ErrorKind::kPlugin, fmt::format("{} reported {}", reporter, defect));
    const qapfw_cost recomputed = problem_.search_cost(solution);
    check_cost(reported, recomputed, reporter);
    return {problem_.has_owner_costs() ? problem_.evaluate(solution) : recomputed,
            solution_values(problem_.info().encoding, solution)};
}

/// Throws CostMismatch if the two costs differ by more than rounding. If a GPU computes rounded costs, warns once and
/// does not throw. Rounding may then push a department over a limit, and the penalty for this makes the costs differ.
/// This does no harm, because all costs are recomputed.
void Incumbent::check_cost(qapfw_cost reported, qapfw_cost recomputed, const std::string& reporter) {
    const CostSpace& costs = problem_.search_costs();
    if (costs.agree(reported, recomputed, approximate_ ? CostSpace::kDeviceTolerance : CostSpace::kRealTolerance))
        return;
    const std::string text = fmt::format("{} reported cost {} for a solution that {} evaluates to {}", reporter,
                                         costs.shown_text(reported), problem_.owner(), costs.shown_text(recomputed));
    if (!approximate_) throw CostMismatch(text);
    if (!told_.exchange(true))
        log_warning("{}; rounding explains only a relative difference of up to {}", text, CostSpace::kDeviceTolerance);
}

bool Incumbent::offer(const CostedSolution& solution, const std::string& reporter) {
    const SolutionBuffer buffer = solution_of(problem_.info().encoding, solution.values);
    if (!problem_.has_owner_costs()) return offer(buffer.data(), solution.cost, reporter);
    const bool improved = take(buffer.data(), solution.values, nullptr, reporter);
    const qapfw_cost cost = problem_.evaluate(buffer.data());
    if (problem_.costs().agree(solution.cost, cost)) return improved;
    throw CostMismatch(fmt::format("{} states cost {} for a solution that {} evaluates to {}", reporter,
                                   problem_.costs().shown_text(solution.cost), problem_.owner(),
                                   problem_.costs().shown_text(cost)));
}

void Incumbent::restore(std::vector<CostedSolution> solutions, const std::string& reporter) {
    // Offers the worst first, since offer() refuses a solution that is worse than the best one so far. Solutions of
    // equal cost keep the order in which they were found.
    std::stable_sort(solutions.begin(), solutions.end(), [&](const CostedSolution& a, const CostedSolution& b) {
        return problem_.costs().less(b.cost, a.cost);
    });
    for (const CostedSolution& solution : solutions) offer(solution, reporter);
}

bool Incumbent::knows(const SolutionValues& values) const {
    return std::any_of(solutions_.begin(), solutions_.end(),
                       [&](const CostedSolution& known) { return known.values == values; });
}

bool Incumbent::keep(CostedSolution solution, qapfw_cost search_cost) {
    const CostSpace& costs = problem_.costs();
    if (knows(solution.values)) return false;
    const bool improved = empty() || costs.less(solution.cost, best().cost);
    if (improved) best_search_cost_ = search_cost;
    const auto place =
        std::upper_bound(solutions_.begin(), solutions_.end(), solution,
                         [&](const CostedSolution& a, const CostedSolution& b) { return costs.less(a.cost, b.cost); });
    solutions_.insert(place, std::move(solution));
    if (solutions_.size() > kSolutions) solutions_.pop_back();
    return improved;
}

}  // namespace qapfw::framework
