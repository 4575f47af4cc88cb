/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU as plugins see it: memory, streams, and kernels compiled at run time. Addresses are device addresses
 * (CUdeviceptr). All functions are [thread-safe], but a stream is used by one thread at a time. The status
 * QAPFW_ERROR_DEVICE means that the GPU's context is dead: return this status at once. */
#ifndef QAPFW_ABI_DEVICE_H
#define QAPFW_ABI_DEVICE_H

#include "qapfw/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A queue of work on a device. The work runs in the order in which it was enqueued. */
typedef struct qapfw_stream qapfw_stream;
/* A compiled kernel. It belongs to its device, so the caller does not free it. */
typedef struct qapfw_kernel qapfw_kernel;

/* Request for a kernel. Everything pointed to belongs to the caller. */
typedef struct qapfw_kernel_request {
    uint32_t struct_size;
    uint32_t text_count;      /* number of texts, at least 1 */
    const qapfw_text* texts;  /* compiled after the framework's kernel headers and the problem's texts */
    const char* entry;        /* name of an `extern "C" __global__` function of the texts */
    uint32_t define_count;    /* number of macros in `defines` */
    uint32_t with_problem;    /* 0: the texts do not use qapfw::device::Problem; else 1 */
    const char* const* defines; /* macros as "NAME=value" */
} qapfw_kernel_request;

/* One launch of a kernel. `launch` reads the structure and the arguments before it returns. */
typedef struct qapfw_launch {
    uint32_t grid[3];              /* CUDA blocks along x, y, z, each at least 1 */
    uint32_t block[3];             /* threads of a CUDA block along x, y, z, each at least 1 */
    uint32_t dynamic_shared_bytes; /* per CUDA block; with the static shared bytes at most shared_bytes_per_block */
    uint32_t argument_count;       /* number of the kernel's parameters */
    void* const* arguments; /* addresses of the arguments, as for cuLaunchKernel */
} qapfw_launch;

/* One GPU and its functions. Owned by the framework; outlives the plugin objects of the run. */
typedef struct qapfw_device {
    uint32_t struct_size;
    uint32_t ordinal; /* number of the GPU among those that CUDA shows, from 0 */
    void* context; /* first argument of every function below */
    const char* name; /* the driver's name of the GPU, in UTF-8; for messages */
    uint32_t multiprocessors; /* number of multiprocessors */
    uint32_t compute_capability; /* CUDA compute capability times 10: 90 for 9.0 */
    uint32_t shared_bytes_per_block; /* most shared memory that a CUDA block can request */
    uint32_t shared_bytes_per_multiprocessor; /* shared memory for all CUDA blocks on a multiprocessor */
    uint64_t memory_free; /* free memory when the GPU was opened, in bytes */

    /* Allocates uninitialised device memory, aligned as by cuMemAlloc; address 0 for 0 bytes. QAPFW_ERROR_MEMORY
     * if there is too little; the message tells how much is free. */
    qapfw_status (*allocate)(void* context, uint64_t bytes, uint64_t* address);
    /* Frees memory of `allocate`; does nothing for an address that `allocate` did not return. */
    void (*release)(void* context, uint64_t address);
    /* Makes a new stream, which runs beside other streams. */
    qapfw_status (*create_stream)(void* context, qapfw_stream** out);
    /* Destroys a stream that create_stream made. */
    void (*destroy_stream)(void* context, qapfw_stream*);
    /* Copies `size` bytes from host to device, in stream order. Host memory must stay alive and unchanged until
     * synchronize returns. If `mark` was called after the copy, the memory may be changed or freed once reach_mark has
     * returned. Fails if the device's bytes are not within one allocation. */
    qapfw_status (*upload)(void* context, qapfw_stream*, uint64_t address, const void* bytes, uint64_t size);
    /* Copies `size` bytes from device to host, in stream order; host memory must stay alive as for `upload`. The bytes
     * have arrived when synchronize returns, or reach_mark if `mark` was called after the copy. */
    qapfw_status (*download)(void* context, qapfw_stream*, void* bytes, uint64_t address, uint64_t size);
    /* Copies `size` bytes within the device, in stream order; the two ranges must not overlap. */
    qapfw_status (*copy)(void* context, qapfw_stream*, uint64_t to, uint64_t from, uint64_t size);
    /* Sets `size` bytes to `value`, in stream order. */
    qapfw_status (*fill)(void* context, qapfw_stream*, uint64_t address, uint8_t value, uint64_t size);
    /* Waits until everything enqueued so far is done. Also reports a kernel that failed. */
    qapfw_status (*synchronize)(void* context, qapfw_stream*);
    /* 1 if everything enqueued so far is done, 0 if not yet, -status after a failure. */
    int32_t (*finished)(void* context, qapfw_stream*);
    /* Announces kernels that will be requested, so that they are compiled in parallel while the caller goes on.
     * Their texts must stay alive and unchanged until the device is closed. If a text does not compile, `kernel`
     * reports it. */
    qapfw_status (*prepare)(void* context, const qapfw_kernel_request* requests, uint32_t count);
    /* Compiles the kernel, or finds it already compiled. The kernel lives until the device is closed. */
    qapfw_status (*kernel)(void* context, const qapfw_kernel_request*, qapfw_kernel** out);
    /* Enqueues one launch. Fails if the kernel cannot run with the launch's numbers, for example with too many threads
     * or too much shared memory. */
    qapfw_status (*launch)(void* context, qapfw_stream*, qapfw_kernel*, const qapfw_launch*);
    /* Writes how many CUDA blocks of the kernel fit on one multiprocessor at a time. */
    qapfw_status (*occupancy)(void* context, qapfw_kernel*, uint32_t block_threads, uint32_t dynamic_shared_bytes,
                              uint32_t* blocks);
    /* Writes the problem's View with its device addresses: pass its bytes as a kernel argument.
     * QAPFW_ERROR_UNSUPPORTED if the problem has no device code. */
    qapfw_status (*problem_view)(void* context, const void** view, uint64_t* size);
    /* Marks the work enqueued so far. A stream has only one mark: the last. */
    qapfw_status (*mark)(void* context, qapfw_stream*);
    /* Waits for the marked work, not for later work; the marked downloads have then arrived. If there is no mark, it
     * waits for all work, like synchronize. */
    qapfw_status (*reach_mark)(void* context, qapfw_stream*);
} qapfw_device;

#ifdef __cplusplus
}
#endif
#endif
