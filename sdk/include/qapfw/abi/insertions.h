/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.insertions/1": the changes of the cost by insertions. An insertion takes out the
 * element at one position of segment 0, a permutation of 16-bit elements, and puts it in at another position. The
 * elements at free positions between these positions move by one free position; fixed ones stay. Searches ask for all
 * insertions of one element at a time. Without the capability they evaluate the changed solutions. */
#ifndef QAPFW_ABI_INSERTIONS_H
#define QAPFW_ABI_INSERTIONS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_INSERTIONS "qapfw.problem.insertions/1"

struct qapfw_problem;
/* The state of one search that makes insertions: a solution, and the problem's tables about that solution. Made by
 * `create`, freed by `destroy`. */
typedef struct qapfw_insertion_search qapfw_insertion_search;

/* The capability's table. */
typedef struct qapfw_insertions {
    uint32_t struct_size;
    /* [thread-safe] Makes an object without a solution. Only one thread at a time may use the object. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_insertion_search** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_insertion_search*);
    /* [worker] Starts from `solution`, which is copied, and reports its cost. */
    qapfw_status (*reset)(qapfw_insertion_search*, const void* solution, qapfw_cost* cost);
    /* [worker] Writes for each of `count` positions from `first` on: cost after moving the element at `from` there -
     * cost before. Exact for integer costs. The caller does not read results for `from` and for fixed positions. */
    qapfw_status (*deltas)(qapfw_insertion_search*, uint32_t from, uint32_t first, uint32_t count, qapfw_cost* deltas);
    /* [worker] Moves the element at `from` to `to`. Neither position may be fixed. */
    qapfw_status (*apply)(qapfw_insertion_search*, uint32_t from, uint32_t to);
} qapfw_insertions;

#ifdef __cplusplus
}
#endif
#endif
