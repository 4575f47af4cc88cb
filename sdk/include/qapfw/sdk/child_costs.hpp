// SPDX-License-Identifier: Apache-2.0
// Costs of children of known parents: by the problem's own method if it has one (abi/child_costs.h), else by full
// evaluation.
#pragma once

#include "qapfw/abi/child_costs.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Computes costs of children. Thread-safe.
class ChildCosts {
  public:
    /// The problem must outlive this object.
    explicit ChildCosts(const ProblemRef& problem)
        : problem_(problem), table_(problem.capability<qapfw_child_costs>(QAPFW_PROBLEM_CHILD_COSTS)) {}

    /// Fills in the costs of `children`; child k comes from parent k, whose cost is known. Both batches have equal
    /// counts; the solutions must be valid. Throws StatusError if the problem fails.
    void evaluate(const qapfw_batch& parents, const qapfw_batch& children) const {
        if (children.count == 0) return;
        if (table_ == nullptr) {
            problem_.evaluate(children);
        } else {
            check(table_->evaluate_children(problem_.get()->problem, &parents, &children), "child costs");
        }
    }

  private:
    ProblemRef problem_;
    const qapfw_child_costs* table_;
};

/// Table of the capability QAPFW_PROBLEM_CHILD_COSTS, for a problem class with `evaluate_children`.
template <class Handle>
struct ChildCostsTable {
    static constexpr qapfw_child_costs table = {
        sizeof(qapfw_child_costs),
        [](qapfw_problem* problem, const qapfw_batch* parents, const qapfw_batch* children) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] { handle->object.evaluate_children(*parents, *children); });
        }};
};

}  // namespace qapfw::sdk
