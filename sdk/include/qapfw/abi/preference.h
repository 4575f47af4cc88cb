/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.preference/1": the solver that suits the instance, for runs whose configuration names
 * no solver. */
#ifndef QAPFW_ABI_PREFERENCE_H
#define QAPFW_ABI_PREFERENCE_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_PREFERENCE "qapfw.problem.preference/1"

struct qapfw_problem;
/* The capability's table. */
typedef struct qapfw_problem_preference {
    uint32_t struct_size;
    /* [main] Returns the id of the solver that suits the instance, or null. The framework chooses the solver if the
     * id is null or if no loaded solver has this id. The text lives as long as the problem. */
    const char* (*solver)(struct qapfw_problem* problem);
} qapfw_problem_preference;

#ifdef __cplusplus
}
#endif
#endif
