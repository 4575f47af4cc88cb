// SPDX-License-Identifier: Apache-2.0
// A problem object of a plugin, created from its choice in the configuration and checked before use.
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

/// A named output file of the problem.
struct Artefact {
    std::string name, media_type, bytes;
};

class Problem {
  public:
    /// Reads the instance. If the plugin reports the value of an "auto" parameter, writes this value into `choice`.
    /// `host` and `choice` must outlive this object. With `for_answers` (the default), costs() and evaluate() use the
    /// costs of the data's owner, if the problem has such costs (qapfw/abi/owner_costs.h). Otherwise they use search
    /// costs, which may be rounded.
    Problem(Host& host, Choice& choice, bool for_answers = true);
    ~Problem();
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    const qapfw_problem_info& info() const { return shown_info_; }
    const qapfw_problem_ref* ref() const { return &ref_; }
    const CostSpace& costs() const { return costs_; }
    const std::string& owner() const { return host_.owner(); }
    /// The cost space of solvers. This space equals costs() unless answers have the owner's costs.
    const CostSpace& search_costs() const { return search_costs_; }

    /// The cost of a solution in the cost space costs(), from scratch. Throws Error(kPlugin) if the cost is NaN. Also
    /// throws the plugin's errors, such as Error(kInput) for an invalid solution.
    qapfw_cost evaluate(const void* solution) const;
    /// The search cost of a solution, from scratch; throws as `evaluate`.
    qapfw_cost search_cost(const void* solution) const;
    /// True if the owner's costs rank the answers. Searches still use the search costs.
    bool has_owner_costs() const { return owner_costs_ != nullptr; }
    /// If two search costs differ by at least this number, the owner's costs have the same order. 0: they always have
    /// the same order.
    std::int64_t resolution() const { return owner_costs_ != nullptr ? owner_costs_->resolution(problem_) : 0; }
    /// The lower bound in answer costs (see costs()) that follows from a lower bound in search costs.
    qapfw_cost bound_of_answers(qapfw_cost search_bound) const;
    /// Lets the problem lower the owner's cost of a solution. Does nothing if there are no owner's costs.
    void improve(void* solution) const;
    /// Reads a warm start in the problem's own text form. Throws Error(kInput) for a bad text, Error(kUsage) if the
    /// problem has no text form.
    SolutionBuffer read_solution(const std::string& text) const;
    /// Reads one solution from each line if the text has two or more lines and each line is a solution. Every line
    /// must then consist of the same count of whole numbers, at least three. Otherwise reads the whole text as one
    /// solution.
    std::vector<SolutionBuffer> read_solutions(const std::string& text) const;
    /// The problem's own files, and assignment.csv if a solution is an assignment.
    std::vector<Artefact> artefacts(const void* solution) const;
    /// Same as artefacts(solution), for callers that already know the search cost and the pairs from `assignment`.
    std::vector<Artefact> artefacts(const void* solution, qapfw_cost search_cost,
                                    const std::vector<AssignedPair>& pairs) const;
    /// The solution's pairs of facility and location; empty if the problem has no such pairs. Thread-safe.
    std::vector<AssignedPair> assignment(const void* solution) const;
    /// The pairs of facility and location of a valid solution that is given in plain numbers.
    std::vector<AssignedPair> assignment_of(const SolutionValues& values) const;
    /// A drawing for the terminal; empty if the problem has none.
    std::string drawing(const void* solution) const;
    const void* capability(const char* id) const;
    /// True if solvers on GPUs may report costs that differ slightly from evaluate.
    bool has_approximate_device() const;

  private:
    /// A sentence about a facility that is not at the location where it is fixed. Empty: there is no such facility, or
    /// the solution has another defect.
    std::string misplaced(const void* solution) const;
    void check_info() const;

    HostTable host_;
    const qapfw_component* component_;
    const qapfw_problem_table* table_;
    qapfw_problem* problem_ = nullptr;
    const qapfw_problem_info* info_ = nullptr;
    const qapfw_owner_costs* owner_costs_ = nullptr;  // functions for the owner's costs; null: answers use search costs
    qapfw_problem_info shown_info_{};                 // *info_ with texts that are safe to show
    std::string instance_, summary_;
    qapfw_problem_ref ref_{};
    CostSpace costs_, search_costs_;
};

}  // namespace qapfw::framework
