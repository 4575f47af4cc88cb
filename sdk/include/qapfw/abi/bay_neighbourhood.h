/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.bay_neighbourhood/1": lower bounds of the costs of many neighbours, so that a search
 * evaluates only promising neighbours. It is for problems whose solutions are a permutation of n departments and
 * n - 1 bits. Bit k is 1 if position k is the last one of its bay. The bounds only save evaluations: a search without
 * bounds has the same results. */
#ifndef QAPFW_ABI_BAY_NEIGHBOURHOOD_H
#define QAPFW_ABI_BAY_NEIGHBOURHOOD_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_BAY_NEIGHBOURHOOD "qapfw.problem.bay_neighbourhood/1"

struct qapfw_problem;
/* One search's data for lower bounds of its neighbours' costs. Made by `create`, freed by `destroy`; only the problem
 * knows what is inside. */
typedef struct qapfw_bay_bounds qapfw_bay_bounds;

/* Kinds of moves. */
enum {
    QAPFW_BAY_MOVE_SWAP = 0,         /* swaps the departments at positions first < second; the bits stay */
    QAPFW_BAY_MOVE_INSERT = 1,       /* moves the department at `first`, so that `second` of the other n - 1
                                        departments stand before it; an empty bay vanishes */
    QAPFW_BAY_MOVE_SHIFT_BORDER = 2, /* moves a border between bays to behind position `first`: the next
                                        border after it (variant 0) or the last border before it (variant 1) */
    QAPFW_BAY_MOVE_FLIP_BIT = 3,     /* inverts the bit at `first` */
    QAPFW_BAY_MOVE_SWAP_BAYS = 4     /* swaps the bays with numbers first < second, departments included */
};
/* Variants of an insertion between two bays, or at an end of the layout. Inside a bay the variant is LEFT. */
enum {
    QAPFW_BAY_INSERT_LEFT = 0,  /* the department becomes the last one of the bay on the left */
    QAPFW_BAY_INSERT_RIGHT = 1, /* the department becomes the first one of the bay on the right */
    QAPFW_BAY_INSERT_ALONE = 2  /* the department gets a new bay */
};
/* A move. It turns a solution into a neighbour. */
typedef struct qapfw_bay_move {
    uint32_t kind; /* QAPFW_BAY_MOVE_... */
    uint32_t first, second; /* positions or bays, see the kinds; 0: not used by the kind */
    /* For an insertion: QAPFW_BAY_INSERT_... For QAPFW_BAY_MOVE_SHIFT_BORDER: 0 or 1. For the other kinds: 0. */
    uint32_t variant;
} qapfw_bay_move;

/* The capability's table. */
typedef struct qapfw_bay_neighbourhood {
    uint32_t struct_size;
    /* [thread-safe] Makes an object without a solution. Only one thread at a time may use the object. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_bay_bounds** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_bay_bounds*);
    /* [worker] From now on, bounds are about the neighbours of `solution`, which is copied. */
    qapfw_status (*reset)(qapfw_bay_bounds*, const void* solution);
    /* [worker] Writes the index of the first move that may lead to a cost below `limit`; `count` if no move may. The
     * bounds prove that every earlier move leads to a cost of at least `limit`. Each move must be a move of the
     * solution. */
    qapfw_status (*first_promising)(qapfw_bay_bounds*, const qapfw_bay_move* moves, uint64_t count, qapfw_cost limit,
                                    uint64_t* index);
} qapfw_bay_neighbourhood;

#ifdef __cplusplus
}
#endif
#endif
