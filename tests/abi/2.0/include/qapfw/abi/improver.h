/* SPDX-License-Identifier: Apache-2.0 */
/* An improver: a local search that a solver applies to a batch of solutions. It keeps no memory between calls and is
 * re-entrant: one workspace per worker or device. */
#ifndef QAPFW_ABI_IMPROVER_H
#define QAPFW_ABI_IMPROVER_H

#include "qapfw/abi/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A created improver: its parameters and what it derived from the problem. It does not change. */
typedef struct qapfw_improver qapfw_improver;
/* Scratch memory of an improver for one worker. */
typedef struct qapfw_workspace qapfw_workspace;

/* Coordinates of all random draws of a call: individual k of the batch draws with
 * (seed, iteration = generation << 32 | own iteration, individual = first_individual + k, stream). */
typedef struct qapfw_improve_request {
    uint32_t struct_size;
    uint32_t generation;       /* of the solver: the upper 32 bits of the iteration in draws */
    uint64_t seed;             /* of the run */
    uint32_t first_individual; /* number of the batch's first solution in the run */
    uint32_t stream;           /* below 2^16 - 1; the next one is the improver's, too */
    uint64_t iterations; /* 0: the improver's own parameter */
    /* Nonzero from should_stop(stop_context): return soon with valid, not worse solutions. May be null. */
    int32_t (*should_stop)(void* stop_context); /* [thread-safe] */
    void* stop_context; /* the argument of should_stop */
    /* Of a device batch: device address of the solutions' numbers, a uint32_t each, in place of first_individual + k,
     * so that a batch may be some individuals of many. They stay until the call has finished. 0: none. */
    uint64_t individuals;
    /* Of a device batch: device address of a uint64_t for each solution, to which the call adds the number
     * of candidates whose cost became known from that solution, where the improver says counts_each. 0: none. */
    uint64_t evaluations;
} qapfw_improve_request;

/* The functions of an improver. */
typedef struct qapfw_improver_table {
    uint32_t struct_size;
    /* [main] `problem` and `host` outlive the improver. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters*, const qapfw_problem_ref* problem,
                           qapfw_improver** out);
    /* [main] After all of its workspaces. */
    void (*destroy)(qapfw_improver*);
    /* [thread-safe] A workspace that lives no longer than the improver. */
    qapfw_status (*create_workspace)(qapfw_improver*, qapfw_workspace** out);
    /* [main] Frees a workspace that nobody uses any more. */
    void (*destroy_workspace)(qapfw_workspace*);
    /* [worker] Replaces each solution and its cost (which is right on entry) by ones not worse. Adds to *evaluations
     * the number of candidates whose cost became known. */
    qapfw_status (*improve)(qapfw_workspace*, const qapfw_batch*, const qapfw_improve_request*, uint64_t* evaluations);
} qapfw_improver_table;

/* A created improver together with its functions, as solvers see it. The framework owns it. */
typedef struct qapfw_improver_ref {
    uint32_t struct_size;
    qapfw_improver* improver;          /* first argument of the table's functions */
    const qapfw_improver_table* table; /* its functions */
    /* [thread-safe] A capability of the improver's component, or null. The pointer itself may be null. */
    const void* (*get_capability)(const char* id);
    const char* id; /* the component's id, for messages */
} qapfw_improver_ref;

/* Capability: the same on a GPU, with equal results. */
#define QAPFW_IMPROVER_DEVICE "qapfw.improver.device/1"
/* Memory and kernels of an improver on one device. */
typedef struct qapfw_device_workspace qapfw_device_workspace;
/* Solutions in device memory with their costs, owned by the caller. */
typedef struct qapfw_device_batch {
    uint64_t solutions; /* device address, the encoding's stride */
    uint64_t costs;     /* device address of 8-byte costs, right on entry */
    uint64_t count;     /* solutions, at most the workspace's capacity */
} qapfw_device_batch;
/* The capability's table. */
typedef struct qapfw_improver_device {
    uint32_t struct_size;
    /* [main] For batches of up to `capacity` solutions on one device. */
    qapfw_status (*create)(qapfw_improver*, const qapfw_device*, uint64_t capacity, qapfw_device_workspace** out);
    /* [worker] After its enqueued calls are done. */
    void (*destroy)(qapfw_device_workspace*);
    /* [worker] Enqueues one call in stream order. Long budgets are cut into launches of bounded length; it waits between
     * them and asks should_stop. So what is to work on several GPUs at a time, or for several batches on one GPU, calls
     * from a thread for each, with workspaces of their own. */
    qapfw_status (*enqueue)(qapfw_device_workspace*, qapfw_stream*, const qapfw_device_batch*,
                            const qapfw_improve_request*);
    /* [worker] Candidates evaluated by all finished calls so far, or enqueued ones: see counts_enqueued. */
    uint64_t (*evaluations)(qapfw_device_workspace*);
    /* 1: they are known, and counted, as soon as a call is enqueued. */
    uint32_t counts_enqueued;
    /* [main] Solutions that the device works on at a time: larger batches take as much longer. 0: not known.
     * May be null. */
    uint64_t (*capacity)(qapfw_improver*, const qapfw_device*);
    uint32_t counts_each; /* 1: calls add to the request's evaluations */
    /* [main] Announces the kernels that a workspace of this capacity needs (qapfw_device.prepare), so that
     * they are compiled beside others. What fails is told by create. May be null. */
    void (*announce)(qapfw_improver*, const qapfw_device*, uint64_t capacity);
} qapfw_improver_device;

#ifdef __cplusplus
}
#endif
#endif
