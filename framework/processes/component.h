/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the library that connects the program with MPI. Only this library is linked to an MPI, so the same
 * program runs with every MPI and without one. Only the main thread calls these functions. */
#ifndef QAPFW_PROCESSES_COMPONENT_H
#define QAPFW_PROCESSES_COMPONENT_H

#include <stdint.h>

#define QAPFW_MPI_COMPONENT_SYMBOL "qapfw_mpi_component_v1"

typedef struct qapfw_mpi_component {
    uint32_t struct_size;
    /* Returns the text by which the MPI that is loaded describes itself: "Open MPI v4.1.4, ...". May be called before
     * `open`. */
    const char* (*description)(void);
    /* Joins the processes that the launcher started. Like `all_gather` and `close` it returns 0 if it succeeds;
     * otherwise error() has the message. */
    int32_t (*open)(uint32_t* rank, uint32_t* count);
    /* Like qapfw_exchange.all_gather. While all_gather waits, it calls `go_on` again and again. If `go_on`
     * returns 0, all_gather gives up and returns -1; afterwards only error() may be called. */
    int32_t (*all_gather)(const void* own, uint64_t size, void* all, uint64_t all_size, int32_t (*go_on)(void* context),
                          void* context);
    /* Leaves MPI. Every process must call it. */
    int32_t (*close)(void);
    const char* (*error)(void);
} qapfw_mpi_component;

#endif
