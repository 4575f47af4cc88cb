// SPDX-License-Identifier: Apache-2.0
// The owner's costs: costs computed from the user's own numbers, for problems whose searches use rounded costs.
#pragma once

#include "qapfw/abi/owner_costs.h"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// The capability's table for a problem class with `owner_info`, `owner_cost`, `improve_owner_cost`, `owner_resolution`
/// and `owner_bound`.
template <class Handle>
struct OwnerCostsTable {
    /// The object behind an opaque pointer.
    static Handle* cast(qapfw_problem* problem) { return reinterpret_cast<Handle*>(problem); }
    /// Table for get_capability.
    static constexpr qapfw_owner_costs table = {
        sizeof(qapfw_owner_costs),
        [](qapfw_problem* problem) -> const qapfw_problem_info* { return cast(problem)->object.owner_info(); },
        [](qapfw_problem* problem, const void* solution, double* cost) -> qapfw_status {
            return guarded(cast(problem)->host, [&] { *cost = cast(problem)->object.owner_cost(solution); });
        },
        [](qapfw_problem* problem, void* solution, std::int32_t (*should_stop)(void*), void* context) -> qapfw_status {
            return guarded(cast(problem)->host, [&] {
                cast(problem)->object.improve_owner_cost(solution, StopQuestion{should_stop, context});
            });
        },
        [](qapfw_problem* problem) -> std::int64_t { return cast(problem)->object.owner_resolution(); },
        [](qapfw_problem* problem, std::int64_t bound) -> double { return cast(problem)->object.owner_bound(bound); }};
};

/// The costs of the capability qapfw_owner_costs, for solvers that prove optimality. An object can be made for any
/// problem. If the problem lacks the capability, resolution() is 0.
class OwnerCosts {
  public:
    /// The problem must outlive this object.
    explicit OwnerCosts(const ProblemRef& problem)
        : problem_(problem.get()->problem), table_(problem.capability<qapfw_owner_costs>(QAPFW_PROBLEM_OWNER_COSTS)) {
        if (table_ != nullptr && table_->info(problem_) == nullptr) table_ = nullptr;
    }
    /// Returns qapfw_owner_costs::resolution. Returns 0 if the owner's costs equal the problem's costs or differ only
    /// in the unit, or if the problem lacks the capability.
    std::int64_t resolution() const { return table_ != nullptr ? table_->resolution(problem_) : 0; }
    /// The cost as in qapfw_owner_costs. Call it only if resolution() is not 0. Throws StatusError if the problem
    /// fails.
    double cost(const void* solution) const {
        double cost = 0;
        check(table_->cost(problem_, solution, &cost), "owner_costs: cost");
        return cost;
    }

  private:
    qapfw_problem* problem_;
    const qapfw_owner_costs* table_;
};

}  // namespace qapfw::sdk
