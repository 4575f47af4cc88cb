/* SPDX-License-Identifier: Apache-2.0 */
/* Services of the framework to every plugin object. The table is valid until the plugin object is destroyed. */
#ifndef QAPFW_ABI_HOST_H
#define QAPFW_ABI_HOST_H

#include "qapfw/abi/parameters.h"

#ifdef __cplusplus
extern "C" {
#endif

struct qapfw_device;

/* Levels of qapfw_host.log. */
enum {
    QAPFW_LOG_DEBUG = 0,   /* details that help to find a fault */
    QAPFW_LOG_INFO = 1,    /* what a user may want to know */
    QAPFW_LOG_WARNING = 2, /* something that the user will not expect */
    QAPFW_LOG_ERROR = 3    /* something failed */
};

/* Body of a parallel loop. `worker` is a number below qapfw_host.worker_count; only one thread at a time has it. */
typedef qapfw_status (*qapfw_loop_body)(void* user, uint64_t index, uint32_t worker);

/* The framework's services. Owned by the framework. */
typedef struct qapfw_host {
    uint32_t struct_size;
    uint32_t abi_minor;            /* QAPFW_ABI_MINOR of the framework */
    void* context;                 /* first argument of every function below */
    uint32_t worker_count;         /* number of workers of parallel_for, at least 1 */
    uint32_t data_path_count;      /* number of folders in `data_paths` */
    const char* const* data_paths; /* folders in which instances are searched by name, in this order */
    /* [thread-safe] Writes one line to the log; `text` has no newline. */
    void (*log)(void* context, int32_t level, const char* text, uint64_t size);
    /* [thread-safe] Stores the message for the failing status that this thread will return. */
    void (*set_error)(void* context, const char* text, uint64_t size);
    /* [main] Calls body(user, index, worker) for each index from 0 to count - 1, and waits until all calls are
     * done. If a call fails, the remaining calls are left out, and the failing status with the lowest index is
     * returned. Plugins must not start threads of their own. */
    qapfw_status (*parallel_for)(void* context, uint64_t count, qapfw_loop_body body, void* user);
    /* [main, during create] Reports the value of an "auto" parameter, for the resolved configuration. The
     * framework reads the value's type and the member of this type. An INTEGER may stand for a size, a real
     * number, a flag (0 or 1) or a choice (its index). A TEXT may stand for a choice. */
    void (*resolve)(void* context, const char* name, const qapfw_value* value);
    /* [thread-safe] A further service by its id and revision, or null. */
    const void* (*get_capability)(void* context, const char* id);
    /* The run's GPUs, the same as in qapfw_run, so that "auto" values of improvers and solvers may depend on them.
     * Empty for problems and on the CPU. */
    const struct qapfw_device* const* devices;
    uint64_t device_count; /* number of GPUs in `devices` */
} qapfw_host;

/* Service: tells whether the run must end. Code that works long without calling the framework should ask at least
 * every 20 ms, and then cut its work short if it can. */
#define QAPFW_HOST_STOP "qapfw.host.stop/1"
/* The service's table. Owned by the framework. */
typedef struct qapfw_host_stop {
    uint32_t struct_size;
    /* [thread-safe] Nonzero: stop. `context` is qapfw_host.context. A call costs as much as reading a clock. */
    int32_t (*should_stop)(void* context);
} qapfw_host_stop;

/* Types of the elements of qapfw_array. */
enum {
    QAPFW_ARRAY_INT64 = 1,   /* int64_t */
    QAPFW_ARRAY_FLOAT64 = 2, /* double, each finite */
    QAPFW_ARRAY_TEXT = 3     /* const char*, none null, in UTF-8 */
};
/* An array in memory, row by row without gaps. Owned by the framework, and valid as long as the problem exists. */
typedef struct qapfw_array {
    uint32_t struct_size;
    uint32_t type;          /* QAPFW_ARRAY_... */
    uint64_t rows, columns; /* numbers of rows and columns, at least 1 each */
    const void* data;       /* the elements: rows * columns */
} qapfw_array;

/* Service: arrays of the program that calls the engine, in place of files. A problem that reads matrices asks for them
 * if its parameter `instance` is "memory:NAME"; NAME is the instance's name. Runs started from the command line
 * lack this service. */
#define QAPFW_HOST_ARRAYS "qapfw.host.arrays/1"
/* The service's table. Owned by the framework. */
typedef struct qapfw_host_arrays {
    uint32_t struct_size;
    /* [main, during create] The array of this name, or null. `context` is qapfw_host.context. */
    const qapfw_array* (*find)(void* context, const char* name);
} qapfw_host_arrays;

#ifdef __cplusplus
}
#endif
#endif
