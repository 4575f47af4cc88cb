// SPDX-License-Identifier: Apache-2.0
// Costs of answers in the numbers of the data's owner, for problems whose searches work with rounded ones.
#pragma once

#include "qapfw/abi/owner_costs.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// The capability's table for a problem class with `owner_info`, `owner_cost` and `improve_owner_cost`.
template <class Handle>
struct OwnerCostsTable {
    /// The object behind an opaque pointer.
    static Handle* cast(qapfw_problem* problem) { return reinterpret_cast<Handle*>(problem); }
    /// The functions.
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
        }};
};

}  // namespace qapfw::sdk
