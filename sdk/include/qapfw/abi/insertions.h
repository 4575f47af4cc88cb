/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.insertions/1": what insertions of an order's elements change the cost by. An insertion takes
 * the element at one position of segment 0, a permutation of 16-bit elements, out and puts it in at another one. The
 * elements at free positions between the two move by one free position; fixed ones stay. Searches ask for all places of
 * one element at a time. Without the capability they evaluate the changed solutions. */
#ifndef QAPFW_ABI_INSERTIONS_H
#define QAPFW_ABI_INSERTIONS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_INSERTIONS "qapfw.problem.insertions/1"

struct qapfw_problem;
/* The insertions of one search: a solution and the problem's tables about it. Made by `create`, freed by `destroy`. */
typedef struct qapfw_insertion_search qapfw_insertion_search;

/* The capability's table. */
typedef struct qapfw_insertions {
    uint32_t struct_size;
    /* [thread-safe] Makes an empty object; use it from one thread at a time. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_insertion_search** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_insertion_search*);
    /* [worker] Starts from `solution` (copied) and tells its cost. */
    qapfw_status (*reset)(qapfw_insertion_search*, const void* solution, qapfw_cost* cost);
    /* [worker] Cost with the element of position `from` at each of `count` positions from `first` on - cost before, exact
     * for integer costs. Those of `from` itself and of fixed positions are not read. */
    qapfw_status (*deltas)(qapfw_insertion_search*, uint32_t from, uint32_t first, uint32_t count, qapfw_cost* deltas);
    /* [worker] Makes an insertion; neither position is fixed. */
    qapfw_status (*apply)(qapfw_insertion_search*, uint32_t from, uint32_t to);
} qapfw_insertions;

#ifdef __cplusplus
}
#endif
#endif
