/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.defaults/1": what parameters of a problem become in runs whose configuration names no
 * algorithm, so that nothing has to be chosen. A run that names one works with what that algorithm works with. */
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
    /* "key=value" each, apart by blanks: values of parameters that are "auto". A literal; never null. */
    const char* without_algorithm;
    const char* solver; /* runs that name this solver have them too; null: there is none */
} qapfw_problem_defaults;

#ifdef __cplusplus
}
#endif
#endif
