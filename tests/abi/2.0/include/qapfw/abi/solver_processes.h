/* SPDX-License-Identifier: Apache-2.0 */
/* One run on several processes: a capability of a solver's component. */
#ifndef QAPFW_ABI_SOLVER_PROCESSES_H
#define QAPFW_ABI_SOLVER_PROCESSES_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. A solver that gives it shares its work by qapfw_exchange. Any other one
 * would do the same in every process, and is refused before its run begins. */
#define QAPFW_SOLVER_PROCESSES "qapfw.solver.processes/1"
/* The capability's table. */
typedef struct qapfw_solver_processes {
    uint32_t struct_size;
} qapfw_solver_processes;

#ifdef __cplusplus
}
#endif
#endif
