/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.owner_costs/1": costs of answers, where those of searches are rounded. A problem whose data
 * are real numbers may give searches integers that stand for them. Answers then go by the numbers of the data's owner:
 * their ranks, targets, records and what is shown. Searches, digests and devices know the problem's own costs alone. */
#ifndef QAPFW_ABI_OWNER_COSTS_H
#define QAPFW_ABI_OWNER_COSTS_H

#include "qapfw/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_OWNER_COSTS "qapfw.problem.owner_costs/1"

/* The capability's table. */
typedef struct qapfw_owner_costs {
    uint32_t struct_size;
    /* [thread-safe] What the problem says of its instance, with costs of the owner: cost_kind is QAPFW_COST_FLOAT64,
     * and they are minimised as well. Null where this instance's own costs are exact: then the others are not called.
     */
    const qapfw_problem_info* (*info)(qapfw_problem*);
    /* [thread-safe] The owner's cost of a valid solution. */
    qapfw_status (*cost)(qapfw_problem*, const void* solution, double* cost);
    /* [thread-safe] Improves a valid solution by the owner's costs, as far as this is quick; it gives up soon after
     * should_stop, which may be null, returns nonzero. */
    qapfw_status (*improve)(qapfw_problem*, void* solution, int32_t (*should_stop)(void* context), void* context);
    /* [thread-safe] Of two solutions whose own costs, which are integers, differ by at least this, the owner's costs
     * rank the same one first. 0: the owner's costs are the own ones in another unit. A proof has to look at all
     * solutions that are closer than this to the best. */
    int64_t (*resolution)(qapfw_problem*);
    /* [thread-safe] No solution has an owner's cost below the result if none has an own cost below `own_bound`. */
    double (*bound)(qapfw_problem*, int64_t own_bound);
} qapfw_owner_costs;

#ifdef __cplusplus
}
#endif
#endif
