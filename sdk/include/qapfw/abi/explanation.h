/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.explanation/1": the parts of a solution's cost, as named numbers. */
#ifndef QAPFW_ABI_EXPLANATION_H
#define QAPFW_ABI_EXPLANATION_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_EXPLANATION "qapfw.problem.explanation/1"

/* Receives one number and its name, which is UTF-8 without control characters and valid during the call. */
typedef void (*qapfw_emit_part)(void* user, const char* name, double value);

struct qapfw_problem;
/* The capability's table. */
typedef struct qapfw_problem_explanation {
    uint32_t struct_size;
    /* [thread-safe] Emits some named numbers of a solution, such as "makespan" or "late jobs". The numbers are finite
     * and have the sign that a user expects: a profit is positive, though its cost is negative. Each name comes once,
     * and all solutions have the same names. The numbers need not sum up to the cost. */
    qapfw_status (*explain)(struct qapfw_problem* problem, const void* solution, qapfw_emit_part emit, void* user);
} qapfw_problem_explanation;

#ifdef __cplusplus
}
#endif
#endif
