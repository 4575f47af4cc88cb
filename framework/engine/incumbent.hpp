// SPDX-License-Identifier: Apache-2.0
// The best solutions of a run. Nothing gets in before the problem has evaluated it from scratch.
#pragma once

#include <vector>

#include "framework/engine/problem.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// A reported cost is not what the problem says about the same solution. Names both values.
class CostMismatch : public Error {
  public:
    explicit CostMismatch(const std::string& message) : Error(ErrorKind::kPlugin, message) {}
};

class Incumbent {
  public:
    /// How many distinct solutions are kept.
    static constexpr std::size_t kSolutions = 10;

    explicit Incumbent(const Problem& problem) : problem_(problem) {}

    /// Takes a solution that is better than the best, or as good and different from all that are kept. Returns whether
    /// the best cost improved. Throws CostMismatch, and keeps the recomputed value where even that is an improvement;
    /// Error(kPlugin) for an invalid solution. `reporter` is named in the message.
    bool offer(const void* solution, qapfw_cost reported, const std::string& reporter);
    /// From a checkpoint or a record: evaluated anew.
    bool offer(const CostedSolution& solution, const std::string& reporter);
    /// Takes what all() of another one gave, in the same order, where nothing has been offered yet.
    void restore(std::vector<CostedSolution> solutions, const std::string& reporter);

    bool empty() const { return solutions_.empty(); }
    const CostedSolution& best() const { return solutions_.front(); }
    /// Best first; equal ones in the order of their discovery.
    const std::vector<CostedSolution>& all() const { return solutions_; }

  private:
    bool keep(CostedSolution solution);
    bool knows(const SolutionValues& values) const;

    const Problem& problem_;
    std::vector<CostedSolution> solutions_;
};

}  // namespace qapfw::framework
