// SPDX-License-Identifier: Apache-2.0
// A problem as solvers and improvers see it.
#pragma once

#include "qapfw/abi/problem.h"
#include "qapfw/sdk/encoding.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

class ProblemRef {
  public:
    explicit ProblemRef(const qapfw_problem_ref* ref) : ref_(ref), info_(ref->table->info(ref->problem)) {}

    const qapfw_problem_ref* get() const { return ref_; }
    const qapfw_problem_info& info() const { return *info_; }
    const qapfw_encoding& encoding() const { return info_->encoding; }
    std::uint32_t n() const { return info_->n; }
    /// Elements of segment 0.
    std::uint32_t length() const { return info_->encoding.segments[0].length; }
    std::uint64_t solution_bytes() const { return info_->encoding.solution_bytes; }
    CostLess less() const { return {info_->cost_kind}; }
    bool has_integer_costs() const { return info_->cost_kind == QAPFW_COST_INT64; }

    void evaluate(const qapfw_batch& batch) const { check(ref_->table->evaluate(ref_->problem, &batch), "evaluate"); }
    qapfw_cost evaluate_one(void* solution) const {
        qapfw_cost cost{};
        evaluate({solution, &cost, 1});
        return cost;
    }

    template <class Table>
    const Table* capability(const char* id) const {
        return ref_->get_capability == nullptr ? nullptr : static_cast<const Table*>(ref_->get_capability(id));
    }

  private:
    const qapfw_problem_ref* ref_;
    const qapfw_problem_info* info_;
};

}  // namespace qapfw::sdk
