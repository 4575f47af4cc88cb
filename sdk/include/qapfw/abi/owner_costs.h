/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.owner_costs/1": costs in the numbers of the data's owner. If data are not integers,
 * the problem may round them, so that searches work with integers. Ranks, targets, records and everything shown then
 * use the owner's costs. Searches, digests and devices know only the problem's own costs. */
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
    /* [thread-safe] Facts about the instance as the owner's costs need them: cost_kind is QAPFW_COST_FLOAT64, and the
     * least cost is best. Null if the problem's own costs are exact for this instance. The other functions are not
     * called if this one returns null. */
    const qapfw_problem_info* (*info)(qapfw_problem*);
    /* [thread-safe] The owner's cost of a valid solution. */
    qapfw_status (*cost)(qapfw_problem*, const void* solution, double* cost);
    /* [thread-safe] Lowers the owner's cost of a valid solution by changes that are quick to find. Returns soon
     * after should_stop(context) returns nonzero; should_stop may be null. */
    qapfw_status (*improve)(qapfw_problem*, void* solution, int32_t (*should_stop)(void* context), void* context);
    /* [thread-safe] If the own costs (integers) of two solutions differ by at least this number, the owner's costs
     * rank them in the same order. 0: the owner's costs are the own costs in another unit. A proof must examine all
     * solutions whose own cost differs from the best own cost by less than this number. */
    int64_t (*resolution)(qapfw_problem*);
    /* [thread-safe] A lower bound of the owner's costs. It is valid if `own_bound` is a lower bound of the problem's
     * own costs (integers). */
    double (*bound)(qapfw_problem*, int64_t own_bound);
} qapfw_owner_costs;

#ifdef __cplusplus
}
#endif
#endif
