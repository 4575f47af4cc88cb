// SPDX-License-Identifier: Apache-2.0
// The best solutions of a run. The problem evaluates each solution from scratch before it is taken. Solvers report
// search costs; some problems rank answers by other costs, those of the instance's owner (see Problem::search_costs).
#pragma once

#include <atomic>
#include <vector>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// A reported cost is NaN, or differs from what the problem computes for the same solution. The message says which.
class CostMismatch : public Error {
  public:
    explicit CostMismatch(const std::string& message) : Error(ErrorKind::kPlugin, message) {}
};

class Incumbent {
  public:
    /// Largest number of solutions that are kept, all distinct.
    static constexpr std::size_t kSolutions = 10;

    /// `on_device`: solutions come from a GPU. Only a GPU's costs may be less accurate than the host's.
    explicit Incumbent(const Problem& problem, bool on_device = false)
        : problem_(problem), approximate_(on_device && problem.has_approximate_device()) {}

    /// Takes a solution that is at least as good as the best and different from all kept ones. If search costs are
    /// rounded, "as good" means equal up to the rounding. Returns whether the best cost improved. Throws CostMismatch
    /// for a wrong cost, after keeping the solution with its recomputed cost. (A wrong cost from a GPU that rounds
    /// costs is only a warning.) Throws Error(kPlugin) for an invalid solution; the message names `reporter`. `known`:
    /// a solution with its cost from evaluated(). An offered solution equal to `known` is not evaluated again, unless
    /// there are owner's costs.
    bool offer(const void* solution, qapfw_cost reported, const std::string& reporter,
               const CostedSolution* known = nullptr);
    /// [thread-safe] Returns the solution with the cost that the problem computes. Does not add the solution to all().
    /// Throws the same errors as offer().
    CostedSolution evaluated(const void* solution, qapfw_cost reported, const std::string& reporter);
    /// Takes a solution of a checkpoint or of the search for alternatives, and evaluates it again. Returns whether the
    /// best cost improved. Throws the same errors as the other overload.
    bool offer(const CostedSolution& solution, const std::string& reporter);
    /// If the problem has owner's costs (Problem::has_owner_costs), lets the problem lower these costs of all
    /// solutions, or of only the best one. Returns whether the best cost improved.
    bool improve_answers(bool best_alone);
    /// Takes the solutions that all() of another incumbent returned, in the same order. Call it before any offer.
    void restore(std::vector<CostedSolution> solutions, const std::string& reporter);

    bool empty() const { return solutions_.empty(); }
    const CostedSolution& best() const { return solutions_.front(); }
    /// All solutions, the best first. Solutions of equal cost are in the order of their discovery.
    const std::vector<CostedSolution>& all() const { return solutions_; }

  private:
    bool is_worse(qapfw_cost search_cost) const;
    bool take(const void* solution, SolutionValues values, const qapfw_cost* reported, const std::string& reporter);
    bool keep(CostedSolution solution, qapfw_cost search_cost);
    bool knows(const SolutionValues& values) const;

    void check_cost(qapfw_cost reported, qapfw_cost recomputed, const std::string& reporter);

    const Problem& problem_;
    const bool approximate_;         // reported costs are rounded
    std::atomic<bool> told_{false};  // true: check_cost has warned of a cost once, and does not warn again
    std::vector<CostedSolution> solutions_;
    qapfw_cost best_search_cost_{};  // search cost of the best solution
};

}  // namespace qapfw::framework
