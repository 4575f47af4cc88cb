/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of the program to the library that speaks MPI. All calls of MPI lie in that library, so the program itself
 * needs none, and only the library is built for one MPI or another. The main thread alone calls these functions. */
#ifndef QAPFW_PROCESSES_COMPONENT_H
#define QAPFW_PROCESSES_COMPONENT_H

#include <stdint.h>

#define QAPFW_MPI_COMPONENT_SYMBOL "qapfw_mpi_component_v1"

typedef struct qapfw_mpi_component {
    uint32_t struct_size;
    /* The MPI with which the library was built, and the one it found: "Open MPI v4.1.4, ...". May be called before
     * `open`. */
    const char* (*description)(void);
    /* Joins the processes that the launcher started. All functions below return 0, or another number with error(). */
    int32_t (*open)(uint32_t* rank, uint32_t* count);
    /* Like qapfw_exchange.all_gather. While it waits, it asks `go_on` again and again. If `go_on` returns 0, it
     * gives up and returns -1; afterwards only error() may be called. */
    int32_t (*all_gather)(const void* own, uint64_t size, void* all, uint64_t all_size, int32_t (*go_on)(void* context),
                          void* context);
    /* Leaves MPI. Every process must call it. */
    int32_t (*close)(void);
    const char* (*error)(void);
} qapfw_mpi_component;

#endif
