/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a solver on the progress line: a capability of qapfw_host, for solvers alone. */
#ifndef QAPFW_ABI_HOST_PROGRESS_H
#define QAPFW_ABI_HOST_PROGRESS_H

#include "qapfw/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for qapfw_host.get_capability. */
#define QAPFW_HOST_PROGRESS "qapfw.host.progress/1"
/* The capability's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_progress {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during run] A few words, such as "arms: ux 5/8", that stand on the progress line until the next call. They
     * end up nowhere else. */
    void (*say)(void* context, const char* text, uint64_t size);
} qapfw_host_progress;

#ifdef __cplusplus
}
#endif
#endif
