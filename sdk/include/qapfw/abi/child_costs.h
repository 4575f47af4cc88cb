/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.child_costs/1": costs of children. A child is a solution that was made from a parent with
 * a known cost, as in a genetic algorithm. The problem may compute a child's cost from the child's difference to the
 * parent if that is cheaper. The costs equal those of `evaluate` bit by bit. */
#ifndef QAPFW_ABI_CHILD_COSTS_H
#define QAPFW_ABI_CHILD_COSTS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_CHILD_COSTS "qapfw.problem.child_costs/1"

struct qapfw_problem;

/* The capability's table. */
typedef struct qapfw_child_costs {
    uint32_t struct_size;
    /* [thread-safe] Fills in the costs of `children`; child k comes from parent k. The parents' costs must be
     * filled in. All solutions must be valid: they are not checked. */
    qapfw_status (*evaluate_children)(struct qapfw_problem*, const qapfw_batch* parents, const qapfw_batch* children);
} qapfw_child_costs;

#ifdef __cplusplus
}
#endif
#endif
