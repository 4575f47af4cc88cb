/* SPDX-License-Identifier: Apache-2.0 */
/* An improver: a local search that a solver applies to a batch of solutions. It remembers nothing between calls.
 * Several workers or devices may use it at once, each with a workspace of its own. */
#ifndef QAPFW_ABI_IMPROVER_H
#define QAPFW_ABI_IMPROVER_H

#include "qapfw/abi/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A created improver: its parameters, and data derived from the problem. Calls do not change the improver. */
typedef struct qapfw_improver qapfw_improver;
/* Scratch memory of an improver for one worker. */
typedef struct qapfw_workspace qapfw_workspace;

/* Request for one call of an improver. Random draws for solution k of the batch are made with (seed, iteration =
 * generation << 32 | the improver's own iteration, individual = first_individual + k, stream). */
typedef struct qapfw_improve_request {
    uint32_t struct_size;
    uint32_t generation;       /* the solver's generation: the upper 32 bits of the iteration in draws */
    uint64_t seed;             /* seed of the run */
    uint32_t first_individual; /* number of the batch's first individual, counted over the whole run */
    uint32_t stream;           /* stream of random draws, below 2^16 - 1; the call may also draw from stream + 1 */
    uint64_t iterations; /* number of iterations for each solution; 0: the improver's own parameter decides */
    /* If should_stop(stop_context) returns nonzero: return soon. The solutions must then be valid, and no solution may
     * be worse than before the call. May be null. */
    int32_t (*should_stop)(void* stop_context); /* [thread-safe] */
    void* stop_context; /* the argument of should_stop */
    /* For device batches: device address of the individuals' numbers, a uint32_t for each solution. They replace
     * first_individual + k, so that a batch may consist of any individuals. They must stay alive until the call has
     * finished. 0: there are none. */
    uint64_t individuals;
    /* For device batches: device address of a uint64_t for each solution. If the improver has counts_each, the call
     * adds to each the number of candidates evaluated in the search from that solution. 0: nothing is to be added. */
    uint64_t evaluations;
} qapfw_improve_request;

/* The functions of an improver. */
typedef struct qapfw_improver_table {
    uint32_t struct_size;
    /* [main] `problem` and `host` outlive the improver. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters*, const qapfw_problem_ref* problem,
                           qapfw_improver** out);
    /* [main] Call it after all workspaces of the improver are destroyed. */
    void (*destroy)(qapfw_improver*);
    /* [thread-safe] Makes a workspace; it is destroyed before the improver. */
    qapfw_status (*create_workspace)(qapfw_improver*, qapfw_workspace** out);
    /* [main] Destroys a workspace that nobody uses any more. */
    void (*destroy_workspace)(qapfw_workspace*);
    /* [worker] Replaces each solution by a solution that is not worse, and writes its cost. Costs are right on entry.
     * Adds to *evaluations the number of candidates whose cost became known. */
    qapfw_status (*improve)(qapfw_workspace*, const qapfw_batch*, const qapfw_improve_request*, uint64_t* evaluations);
} qapfw_improver_table;

/* A created improver together with its functions, as solvers see it. The framework owns it. */
typedef struct qapfw_improver_ref {
    uint32_t struct_size;
    qapfw_improver* improver;          /* first argument of the table's functions */
    const qapfw_improver_table* table; /* its functions */
    /* [thread-safe] Returns the table of the capability with this id; null if the component lacks it. If the function
     * pointer get_capability is null, the component has no capabilities. */
    const void* (*get_capability)(const char* id);
    const char* id; /* the component's id, for messages */
} qapfw_improver_ref;

/* Capability: the improver also runs on GPUs, with equal results. */
#define QAPFW_IMPROVER_DEVICE "qapfw.improver.device/1"
/* Memory and kernels of an improver on one device. */
typedef struct qapfw_device_workspace qapfw_device_workspace;
/* Solutions and their costs in device memory. The caller owns this memory. */
typedef struct qapfw_device_batch {
    uint64_t solutions; /* device address of the solutions, with the encoding's stride */
    uint64_t costs;     /* device address of the solutions' costs of 8 bytes each, which the caller has computed */
    uint64_t count;     /* number of solutions, at most the workspace's capacity */
} qapfw_device_batch;
/* The table of the capability QAPFW_IMPROVER_DEVICE. */
typedef struct qapfw_improver_device {
    uint32_t struct_size;
    /* [main] Makes a workspace for batches of up to `capacity` solutions on one device. */
    qapfw_status (*create)(qapfw_improver*, const qapfw_device*, uint64_t capacity, qapfw_device_workspace** out);
    /* [worker] Call it after all enqueued calls are done. */
    void (*destroy)(qapfw_device_workspace*);
    /* [worker] Enqueues one call in stream order. A long budget is cut into launches of bounded length; the call
     * waits between them and asks should_stop. For several GPUs or batches at once, call it from several threads,
     * each with a workspace of its own. */
    qapfw_status (*enqueue)(qapfw_device_workspace*, qapfw_stream*, const qapfw_device_batch*,
                            const qapfw_improve_request*);
    /* [worker] Number of candidates evaluated by all calls. `counts_enqueued` tells whether unfinished calls are
     * included. */
    uint64_t (*evaluations)(qapfw_device_workspace*);
    /* 1: `evaluations` includes a call's candidates as soon as the call is enqueued. 0: `evaluations` includes them
     * only when the call has finished. */
    uint32_t counts_enqueued;
    /* [main] Number of solutions that the device improves at the same time. Larger batches take proportionally
     * longer. Returns 0 if the number is unknown. The function itself may be null. */
    uint64_t (*capacity)(qapfw_improver*, const qapfw_device*);
    uint32_t counts_each; /* 1: each call counts its candidates at qapfw_improve_request.evaluations */
    /* [main] Announces the kernels of a workspace of this capacity (qapfw_device.prepare), so that they are
     * compiled at the same time as other kernels. If they cannot be compiled, `create` reports it. May be null. */
    void (*announce)(qapfw_improver*, const qapfw_device*, uint64_t capacity);
} qapfw_improver_device;

#ifdef __cplusplus
}
#endif
#endif
