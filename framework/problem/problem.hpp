// SPDX-License-Identifier: Apache-2.0
// A problem object of a plugin, created from its choice in the configuration and checked before anyone relies on it.
#pragma once

#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/host/host_table.hpp"
#include "framework/problem/assignment.hpp"
#include "framework/problem/cost.hpp"
#include "framework/problem/encoding.hpp"
#include "qapfw/abi/owner_costs.h"

namespace qapfw::framework {

/// One named output of the problem.
struct Artefact {
    std::string name, media_type, bytes;
};

class Problem {
  public:
    /// Reads the instance. `host` and `choice` must outlive this; "auto" values are written into `choice`.
    /// With `for_answers` (the default), costs are the owner's where the problem tells them (qapfw/abi/owner_costs.h);
    /// else those of searches.
    Problem(Host& host, Choice& choice, bool for_answers = true);
    ~Problem();
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    const qapfw_problem_info& info() const { return shown_info_; }
    const qapfw_problem_ref* ref() const { return &ref_; }
    const CostSpace& costs() const { return costs_; }
    const std::string& owner() const { return host_.owner(); }
    /// Costs as solvers count them: the same as those of answers, unless answers have costs in the owner's numbers.
    const CostSpace& search_costs() const { return search_costs_; }

    /// From scratch. Throws Error(kPlugin) for NaN, Error(kInput) for an invalid solution.
    qapfw_cost evaluate(const void* solution) const;
    /// The same as solvers count it.
    qapfw_cost search_cost(const void* solution) const;
    /// True if answers are ranked by other costs than searches use.
    bool has_owner_costs() const { return owner_costs_ != nullptr; }
    /// Solutions whose search costs differ by this or more are ranked by them as by the owner's costs.
    std::int64_t resolution() const { return owner_costs_ != nullptr ? owner_costs_->resolution(problem_) : 0; }
    /// The bound of the costs of answers that follows from one of search costs.
    qapfw_cost bound_of_answers(qapfw_cost search_bound) const;
    /// Improves a solution by the owner's costs; does nothing where there are none.
    void improve(void* solution) const;
    /// A warm start in the problem's own text form; throws Error(kInput), Error(kUsage) where it has none.
    SolutionBuffer read_solution(const std::string& text) const;
    /// Several where the text has lines of as many numbers each, more than two, and each line is a solution by itself;
    /// else the one that the whole text is.
    std::vector<SolutionBuffer> read_solutions(const std::string& text) const;
    /// The problem's own files, and assignment.csv where a solution is an assignment.
    std::vector<Artefact> artefacts(const void* solution) const;
    /// The same for callers that know what the solution costs in searches, and its pairs as `assignment` tells them.
    std::vector<Artefact> artefacts(const void* solution, qapfw_cost search_cost,
                                    const std::vector<AssignedPair>& pairs) const;
    /// The pairs of a solution; empty if pairs are not what a solution means. Any thread may ask.
    std::vector<AssignedPair> assignment(const void* solution) const;
    /// The same of a solution as plain numbers, which must be valid.
    std::vector<AssignedPair> assignment_of(const SolutionValues& values) const;
    /// For the terminal; empty where the problem has none.
    std::string drawing(const void* solution) const;
    const void* capability(const char* id) const;
    /// Solvers on GPUs may report costs that are not exactly those of evaluate.
    bool has_approximate_device() const;

  private:
    /// The first facility that is not where it is fixed, by the problem's names; empty where it tells none.
    std::string misplaced(const void* solution) const;
    void check_info() const;

    HostTable host_;
    const qapfw_component* component_;
    const qapfw_problem_table* table_;
    qapfw_problem* problem_ = nullptr;
    const qapfw_problem_info* info_ = nullptr;
    const qapfw_owner_costs* owner_costs_ = nullptr;  // null: answers are counted as in searches
    qapfw_problem_info shown_info_{};                 // with texts that may be shown
    std::string instance_, summary_;
    qapfw_problem_ref ref_{};
    CostSpace costs_, search_costs_;
};

}  // namespace qapfw::framework
