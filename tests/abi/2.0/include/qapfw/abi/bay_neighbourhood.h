/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.bay_neighbourhood/1" of problems whose solutions are a permutation of n departments and n - 1
 * bits (bit k: position k is the last one of its bay): lower bounds of many neighbours' costs, so that a search evaluates
 * only those that may be good. A bound decides nothing that an evaluation would not: results are the same without it. */
#ifndef QAPFW_ABI_BAY_NEIGHBOURHOOD_H
#define QAPFW_ABI_BAY_NEIGHBOURHOOD_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_BAY_NEIGHBOURHOOD "qapfw.problem.bay_neighbourhood/1"

struct qapfw_problem;
/* The bounds of one search: made by `create`, freed by `destroy`, the problem's own inside. */
typedef struct qapfw_bay_bounds qapfw_bay_bounds;

/* Kinds of moves. */
enum {
    QAPFW_BAY_MOVE_SWAP = 0,         /* exchanges the departments at positions first < second; the bits stay */
    QAPFW_BAY_MOVE_INSERT = 1,       /* takes the department at `first` out of its bay (which vanishes if it is empty
                                        then); it comes after `second` of the other n - 1 */
    QAPFW_BAY_MOVE_SHIFT_BORDER = 2, /* moves the border after (variant 0) or before (1) position `first` there */
    QAPFW_BAY_MOVE_FLIP_BIT = 3,     /* inverts the bit at `first` */
    QAPFW_BAY_MOVE_SWAP_BAYS = 4     /* exchanges bays number first < second with their departments */
};
/* Variants of an insertion where it comes between two bays, or to an end; inside a bay it is LEFT. */
enum {
    QAPFW_BAY_INSERT_LEFT = 0,  /* last one of the bay on the left */
    QAPFW_BAY_INSERT_RIGHT = 1, /* first one of the bay on the right */
    QAPFW_BAY_INSERT_ALONE = 2  /* a bay of its own */
};
/* A move, which gives a neighbour of a solution. */
typedef struct qapfw_bay_move {
    uint32_t kind; /* QAPFW_BAY_MOVE_... */
    uint32_t first, second; /* positions or bays, see the kinds; 0 where the kind does not name it */
    uint32_t variant; /* QAPFW_BAY_INSERT_... of an insertion; see SHIFT_BORDER; else 0 */
} qapfw_bay_move;

/* The capability's table. */
typedef struct qapfw_bay_neighbourhood {
    uint32_t struct_size;
    /* [thread-safe] Makes an empty object; use it from one thread at a time. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_bay_bounds** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_bay_bounds*);
    /* [worker] Bounds are about the neighbours of `solution` (copied) from now on. */
    qapfw_status (*reset)(qapfw_bay_bounds*, const void* solution);
    /* [worker] The index of the first of these moves, all of which the solution has, whose neighbour may cost less than
     * `limit`: of the ones before it the bound shows that evaluate would not give less. `count` where it shows so of all. */
    qapfw_status (*first_promising)(qapfw_bay_bounds*, const qapfw_bay_move* moves, uint64_t count, qapfw_cost limit,
                                    uint64_t* index);
} qapfw_bay_neighbourhood;

#ifdef __cplusplus
}
#endif
#endif
