/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.defaults/1": values of a problem's "auto" parameters for runs whose
 * configuration names no algorithm, or names the solver given here. In other runs the problem resolves "auto"
 * itself. */
#ifndef QAPFW_ABI_DEFAULTS_H
#define QAPFW_ABI_DEFAULTS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_DEFAULTS "qapfw.problem.defaults/1"

/* The capability's table. */
typedef struct qapfw_problem_defaults {
    uint32_t struct_size;
    /* Values for parameters that are "auto", in runs that name no algorithm: texts "key=value", separated by blanks.
     * A string literal; never null. */
    const char* without_algorithm;
    const char* solver; /* id of a solver: runs that name it use the values too; null: no such solver */
} qapfw_problem_defaults;

#ifdef __cplusplus
}
#endif
#endif
