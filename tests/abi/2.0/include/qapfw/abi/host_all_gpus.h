/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUs of all processes that share a run: a capability of qapfw_host, for solvers alone. */
#ifndef QAPFW_ABI_HOST_ALL_GPUS_H
#define QAPFW_ABI_HOST_ALL_GPUS_H

#include "qapfw/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for qapfw_host.get_capability. */
#define QAPFW_HOST_ALL_GPUS "qapfw.host.all_gpus/1"
/* The capability's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_all_gpus {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during create] `own` is a figure of the GPUs in qapfw_host.devices, such as how many searches they work on
     * at a time; 0 where there are none. `all` becomes the sum over the processes; a GPU that several of them use counts
     * once. All processes call it the same number of times, and wait for each other. */
    qapfw_status (*sum)(void* context, uint64_t own, uint64_t* all);
} qapfw_host_all_gpus;

#ifdef __cplusplus
}
#endif
#endif
