/* SPDX-License-Identifier: Apache-2.0 */
/* Improvers that a solver chooses itself: a capability of qapfw_host, for solvers alone. */
#ifndef QAPFW_ABI_HOST_IMPROVERS_H
#define QAPFW_ABI_HOST_IMPROVERS_H

#include "qapfw/abi/improver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for qapfw_host.get_capability. */
#define QAPFW_HOST_IMPROVERS "qapfw.host.improvers/1"
/* The capability's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_improvers {
    uint32_t struct_size;
    void* context; /* first argument of every function below */
    /* [main, during create] 1: the improver `id` is loaded, takes the run's solutions and runs on the run's backend. */
    int32_t (*has)(void* context, const char* id);
    /* [main, during create] Makes the improver `id` for the run's problem. `settings`: its parameters, each "key=value",
     * apart by blanks; the others have their defaults. `place`: where the settings stand, for messages. The improver
     * lives until the solver has been destroyed. */
    qapfw_status (*make)(void* context, const char* id, const char* settings, const char* place,
                         const qapfw_improver_ref** out);
} qapfw_host_improvers;

#ifdef __cplusplus
}
#endif
#endif
