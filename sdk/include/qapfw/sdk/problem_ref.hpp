// SPDX-License-Identifier: Apache-2.0
// A created problem, as solvers and improvers use it.
#pragma once

#include "qapfw/abi/problem.h"
#include "qapfw/sdk/encoding.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// A reference to a created problem. The problem must outlive this object. Copies are cheap and refer to the same
/// problem. Thread-safe.
class ProblemRef {
  public:
    /// `ref` and what it points to must outlive this object.
    explicit ProblemRef(const qapfw_problem_ref* ref) : ref_(ref), info_(ref->table->info(ref->problem)) {}

    const qapfw_problem_ref* get() const { return ref_; }  ///< the C form
    /// The problem's facts about the instance.
    const qapfw_problem_info& info() const { return *info_; }
    /// The layout of the problem's solutions in memory.
    const qapfw_encoding& encoding() const { return info_->encoding; }
    std::uint32_t n() const { return info_->n; }  ///< problem size: the n in values such as "16n" of a configuration
    /// Number of elements of segment 0 (in most problems the permutation).
    std::uint32_t length() const { return info_->encoding.segments[0].length; }
    /// Bytes of one solution with its padding, a multiple of 16. Solutions of a batch follow each other at this
    /// distance.
    std::uint64_t solution_bytes() const { return info_->encoding.solution_bytes; }
    CostLess less() const { return {info_->cost_kind}; }  ///< the order of the problem's costs
    /// True if costs are exact integers; else they are binary64.
    bool has_integer_costs() const { return info_->cost_kind == QAPFW_COST_INT64; }
    /// a + b
    qapfw_cost sum(qapfw_cost a, qapfw_cost b) const { return cost_sum(info_->cost_kind, a, b); }
    /// a - b
    qapfw_cost difference(qapfw_cost a, qapfw_cost b) const { return cost_difference(info_->cost_kind, a, b); }

    /// Fills in the costs of a batch, from scratch. Throws StatusError if a solution is invalid.
    void evaluate(const qapfw_batch& batch) const { check(ref_->table->evaluate(ref_->problem, &batch), "evaluate"); }
    /// The cost of one solution, from scratch; throws as `evaluate`.
    qapfw_cost evaluate_one(void* solution) const {
        qapfw_cost cost{};
        evaluate({solution, &cost, 1});
        return cost;
    }

    /// The table of the problem's capability `id`, such as qapfw_swap_neighbourhood; null if the problem lacks this
    /// capability. `Table` must be the type for `id`.
    template <class Table>
    const Table* capability(const char* id) const {
        return ref_->get_capability == nullptr ? nullptr : static_cast<const Table*>(ref_->get_capability(id));
    }

  private:
    const qapfw_problem_ref* ref_;
    const qapfw_problem_info* info_;
};

}  // namespace qapfw::sdk
