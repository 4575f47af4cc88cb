/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.feasibility/1": checks whether a solution is feasible, that is, meets the instance's
 * demands; and finds a feasible solution. */
#ifndef QAPFW_ABI_FEASIBILITY_H
#define QAPFW_ABI_FEASIBILITY_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_FEASIBILITY "qapfw.problem.feasibility/1"

struct qapfw_problem;
/* The capability's table. */
typedef struct qapfw_problem_feasibility {
    uint32_t struct_size;
    /* [thread-safe] Checks a solution. If it is not feasible, emits the demand that the solution breaks, in
     * a few words of media type "text/plain". Emits nothing if the solution is feasible. */
    qapfw_status (*defect)(struct qapfw_problem* problem, const void* solution, qapfw_emit emit, void* user);
    /* [main] Writes a feasible solution, from which a run starts if the user gives no start. Returns 1, or 0 if no
     * feasible solution is known. May be null. */
    int32_t (*start)(struct qapfw_problem* problem, void* solution);
} qapfw_problem_feasibility;

#ifdef __cplusplus
}
#endif
#endif
