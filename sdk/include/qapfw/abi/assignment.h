/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.assignment/1": a solution as pairs of a facility and its location, with the numbers
 * and names of the instance's owner. The framework shows the pairs, writes them to "assignment.csv" and puts them
 * into the result. */
#ifndef QAPFW_ABI_ASSIGNMENT_H
#define QAPFW_ABI_ASSIGNMENT_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_ASSIGNMENT "qapfw.problem.assignment/1"

struct qapfw_problem;

/* A facility and its location. Texts are UTF-8 and valid during the call that gets them. */
typedef struct qapfw_assigned {
    uint32_t facility;         /* number of the facility, counted from 0 */
    uint32_t location;         /* number of the location, counted from 0 */
    const char* facility_name; /* null: the facility has no name; people see its number, counted from 1 */
    const char* location_name; /* null: the location has no name; people see its number, counted from 1 */
} qapfw_assigned;

/* Receives one pair. */
typedef void (*qapfw_emit_assigned)(void* user, const qapfw_assigned* pair);

/* The capability's table. */
typedef struct qapfw_assignment {
    uint32_t struct_size;
    /* [thread-safe] Emits each facility once, in the order of the instance's owner, without dummies. `emit` gets `user`
     * as its first argument. Emits nothing if solutions of this instance are not pairs. */
    qapfw_status (*assignment)(struct qapfw_problem*, const void* solution, qapfw_emit_assigned emit, void* user);
} qapfw_assignment;

#ifdef __cplusplus
}
#endif
#endif
