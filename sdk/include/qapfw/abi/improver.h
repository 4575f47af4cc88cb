/* SPDX-License-Identifier: Apache-2.0 */
/* An improver: a local search that a solver applies to a batch of solutions. It keeps no memory between calls and is
 * re-entrant: one workspace per worker or device. */
#ifndef QAPFW_ABI_IMPROVER_H
#define QAPFW_ABI_IMPROVER_H

#include "qapfw/abi/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qapfw_improver qapfw_improver;
typedef struct qapfw_workspace qapfw_workspace;

/* Coordinates of all random draws of a call: individual k of the batch draws with
 * (seed, iteration = generation << 32 | own iteration, individual = first_individual + k, stream). */
typedef struct qapfw_improve_request {
    uint32_t struct_size;
    uint32_t generation;
    uint64_t seed;
    uint32_t first_individual;
    uint32_t stream;
    uint64_t iterations; /* 0: the improver's own parameter */
    /* Nonzero from should_stop(stop_context): return soon with valid, not worse solutions. May be null. */
    int32_t (*should_stop)(void* stop_context); /* [thread-safe] */
    void* stop_context;
    /* Of a device batch: device address of the solutions' numbers, a uint32_t each, in place of first_individual + k,
     * so that a batch may be some individuals of many. They stay until the call has finished. 0: none. */
    uint64_t individuals;
} qapfw_improve_request;

typedef struct qapfw_improver_table {
    uint32_t struct_size;
    /* [main] `problem` and `host` outlive the improver. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters*, const qapfw_problem_ref* problem,
                           qapfw_improver** out);
    void (*destroy)(qapfw_improver*);
    qapfw_status (*create_workspace)(qapfw_improver*, qapfw_workspace** out); /* [thread-safe] */
    void (*destroy_workspace)(qapfw_workspace*);
    /* [worker] Replaces each solution and its cost (which is right on entry) by ones not worse. Adds to *evaluations
     * the number of candidates whose cost became known. */
    qapfw_status (*improve)(qapfw_workspace*, const qapfw_batch*, const qapfw_improve_request*, uint64_t* evaluations);
} qapfw_improver_table;

typedef struct qapfw_improver_ref {
    uint32_t struct_size;
    qapfw_improver* improver;
    const qapfw_improver_table* table;
    const void* (*get_capability)(const char* id);
    const char* id;
} qapfw_improver_ref;

/* Capability: the same on a GPU, with equal results. */
#define QAPFW_IMPROVER_DEVICE "qapfw.improver.device/1"
typedef struct qapfw_device_workspace qapfw_device_workspace;
typedef struct qapfw_device_batch {
    uint64_t solutions; /* device address, the encoding's stride */
    uint64_t costs;     /* device address of 8-byte costs, right on entry */
    uint64_t count;
} qapfw_device_batch;
typedef struct qapfw_improver_device {
    uint32_t struct_size;
    /* [main] For batches of up to `capacity` solutions on one device. */
    qapfw_status (*create)(qapfw_improver*, const qapfw_device*, uint64_t capacity, qapfw_device_workspace** out);
    void (*destroy)(qapfw_device_workspace*);
    /* [one thread per device] Enqueues one call in stream order. Long budgets are cut into launches of bounded length;
     * it waits between them and asks should_stop. So what is to work on several GPUs at a time calls from a thread for
     * each. */
    qapfw_status (*enqueue)(qapfw_device_workspace*, qapfw_stream*, const qapfw_device_batch*,
                            const qapfw_improve_request*);
    /* [one thread per device] Candidates evaluated by all finished calls so far, or enqueued ones: see counts_enqueued. */
    uint64_t (*evaluations)(qapfw_device_workspace*);
    /* 1: they are known, and counted, as soon as a call is enqueued. */
    uint32_t counts_enqueued;
} qapfw_improver_device;

#ifdef __cplusplus
}
#endif
#endif
