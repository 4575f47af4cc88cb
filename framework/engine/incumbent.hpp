// SPDX-License-Identifier: Apache-2.0
// The best solutions of a run. The problem evaluates each solution from scratch before it is taken in.
#pragma once

#include <atomic>
#include <vector>

#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// Says that a reported cost is not what the problem computes for the same solution; it names both values.
class CostMismatch : public Error {
  public:
    explicit CostMismatch(const std::string& message) : Error(ErrorKind::kPlugin, message) {}
};

class Incumbent {
  public:
    /// The number of distinct solutions that are kept.
    static constexpr std::size_t kSolutions = 10;

    /// `on_device`: solutions are reported from a GPU. There alone a problem's device code may compute costs less
    /// accurately than the host.
    explicit Incumbent(const Problem& problem, bool on_device = false)
        : problem_(problem), approximate_(on_device && problem.has_approximate_device()) {}

    /// Takes a solution that is better than the best, or as good and different from all that are kept. Returns whether
    /// the best cost improved. Throws CostMismatch, but keeps the solution with its recomputed cost if even that is an
    /// improvement; throws Error(kPlugin) for an invalid solution. The message names `reporter`. `known` may be a
    /// solution with its cost from evaluated(): if it is the offered one, it is not evaluated again.
    bool offer(const void* solution, qapfw_cost reported, const std::string& reporter,
               const CostedSolution* known = nullptr);
    /// The solution with the cost that the problem computes; it is not taken in. [thread-safe] Throws as offer does.
    CostedSolution evaluated(const void* solution, qapfw_cost reported, const std::string& reporter);
    /// Takes a solution of a checkpoint or a record, which is evaluated again.
    bool offer(const CostedSolution& solution, const std::string& reporter);
    /// Improves all solutions, or the best alone, by the owner's costs, if answers are ranked by them. Returns whether
    /// the best cost improved.
    bool improve_answers(bool best_alone);
    /// Takes what all() of another incumbent gave, in the same order. Nothing may have been offered before.
    void restore(std::vector<CostedSolution> solutions, const std::string& reporter);

    bool empty() const { return solutions_.empty(); }
    const CostedSolution& best() const { return solutions_.front(); }
    /// All solutions, the best first; equal ones in the order of their discovery.
    const std::vector<CostedSolution>& all() const { return solutions_; }

  private:
    bool is_worse(qapfw_cost search_cost) const;
    bool take(const void* solution, SolutionValues values, const qapfw_cost* reported, const std::string& reporter);
    bool keep(CostedSolution solution, qapfw_cost search_cost);
    bool knows(const SolutionValues& values) const;

    void check_cost(qapfw_cost reported, qapfw_cost recomputed, const std::string& reporter);

    const Problem& problem_;
    const bool approximate_;         // reported costs are rounded
    std::atomic<bool> told_{false};  // a warning was given: a cost was farther off than rounding explains
    std::vector<CostedSolution> solutions_;
    qapfw_cost best_search_cost_{};  // of the best, as solvers count it
};

}  // namespace qapfw::framework
