/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU as plugins see it: memory, streams, and kernels joined from texts at run time. Addresses are device addresses
 * (CUdeviceptr). All functions are [main] unless the solver keeps one thread per device. A QAPFW_ERROR_DEVICE means
 * that the GPU's context is dead: return it at once. */
#ifndef QAPFW_ABI_DEVICE_H
#define QAPFW_ABI_DEVICE_H

#include "qapfw/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qapfw_stream qapfw_stream;
typedef struct qapfw_kernel qapfw_kernel;

typedef struct qapfw_kernel_request {
    uint32_t struct_size;
    uint32_t text_count;
    const qapfw_text* texts;  /* compiled after the framework's kernel headers and the problem's texts */
    const char* entry;        /* extern "C" __global__ function */
    uint32_t define_count;
    uint32_t with_problem;    /* 0: the texts do not use qapfw::device::Problem */
    const char* const* defines; /* "NAME=value" */
} qapfw_kernel_request;

typedef struct qapfw_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
    uint32_t argument_count;
    void* const* arguments; /* addresses of the arguments, as for cuLaunchKernel */
} qapfw_launch;

typedef struct qapfw_device {
    uint32_t struct_size;
    uint32_t ordinal;
    void* context; /* first argument of every function below */
    const char* name;
    uint32_t multiprocessors;
    uint32_t compute_capability; /* 90 for 9.0 */
    uint32_t shared_bytes_per_block; /* the most a block can opt in to */
    uint32_t shared_bytes_per_multiprocessor;
    uint64_t memory_free; /* bytes at the run's start */

    qapfw_status (*allocate)(void* context, uint64_t bytes, uint64_t* address);
    void (*release)(void* context, uint64_t address);
    qapfw_status (*create_stream)(void* context, qapfw_stream** out);
    void (*destroy_stream)(void* context, qapfw_stream*);
    /* In stream order; host memory must stay until synchronize returns, or reach_mark for what was marked. */
    qapfw_status (*upload)(void* context, qapfw_stream*, uint64_t address, const void* bytes, uint64_t size);
    qapfw_status (*download)(void* context, qapfw_stream*, void* bytes, uint64_t address, uint64_t size);
    qapfw_status (*copy)(void* context, qapfw_stream*, uint64_t to, uint64_t from, uint64_t size);
    qapfw_status (*fill)(void* context, qapfw_stream*, uint64_t address, uint8_t value, uint64_t size);
    qapfw_status (*synchronize)(void* context, qapfw_stream*);
    /* 1 when everything enqueued so far is done, 0 when not yet, negative: -status. */
    int32_t (*finished)(void* context, qapfw_stream*);
    /* Announces kernels that will be asked for, so that they are compiled side by side while the caller goes on. Their
     * texts must stay until the device is closed; `kernel` reports what does not compile. */
    qapfw_status (*prepare)(void* context, const qapfw_kernel_request* requests, uint32_t count);
    /* Compiles or finds the kernel; it lives until the device is closed. */
    qapfw_status (*kernel)(void* context, const qapfw_kernel_request*, qapfw_kernel** out);
    qapfw_status (*launch)(void* context, qapfw_stream*, qapfw_kernel*, const qapfw_launch*);
    /* How many blocks of the kernel fit on one multiprocessor at a time. */
    qapfw_status (*occupancy)(void* context, qapfw_kernel*, uint32_t block_threads, uint32_t dynamic_shared_bytes,
                              uint32_t* blocks);
    /* The problem's View with its device addresses: pass its bytes as a kernel argument. */
    qapfw_status (*problem_view)(void* context, const void** view, uint64_t* size);
    /* Marks what was enqueued so far; a stream has one mark, the last. */
    qapfw_status (*mark)(void* context, qapfw_stream*);
    /* Waits for what was marked, not for what came after it; its downloads have arrived then. Without a mark as
     * synchronize. */
    qapfw_status (*reach_mark)(void* context, qapfw_stream*);
} qapfw_device;

#ifdef __cplusplus
}
#endif
#endif
