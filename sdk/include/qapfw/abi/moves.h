/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.moves/1": the change of a solution's cost by a single move of its elements, for
 * solutions of any segments. A search lists the moves, chooses one and makes it. The problem may keep tables from
 * which it computes the changes fast. Without this capability searches evaluate the changed solutions. Fixed elements
 * never move. */
#ifndef QAPFW_ABI_MOVES_H
#define QAPFW_ABI_MOVES_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_MOVES "qapfw.problem.moves/1"

struct qapfw_problem;
/* The moves of one search: a solution and the problem's tables about it. Made by `create`, freed by `destroy`. */
typedef struct qapfw_move_search qapfw_move_search;

/* Kinds of moves. */
enum {
    QAPFW_MOVE_EXCHANGE = 0, /* two elements of a segment swap positions; values must stay below their bounds */
    QAPFW_MOVE_SET = 1       /* an element gets another value; only for values and bits, and only without counts */
};
/* A move of the present solution. Every move changes the solution. */
typedef struct qapfw_move {
    uint32_t kind;    /* QAPFW_MOVE_... */
    uint32_t segment; /* number of the segment */
    uint32_t i;       /* index of an element of the segment */
    uint32_t to;      /* EXCHANGE: the other element, above i; SET: the new value */
} qapfw_move;

/* The capability's table. */
typedef struct qapfw_moves {
    uint32_t struct_size;
    /* [thread-safe] Makes an object without a solution. Only one thread at a time may use the object. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_move_search** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_move_search*);
    /* [worker] Starts from `solution`, which is copied, and reports its cost. */
    qapfw_status (*reset)(qapfw_move_search*, const void* solution, qapfw_cost* cost);
    /* [worker] Writes for each of `count` moves: cost after the move - cost before. Exact for integer costs. */
    qapfw_status (*deltas)(qapfw_move_search*, const qapfw_move* moves, uint64_t count, qapfw_cost* deltas);
    /* [worker] Makes a move. */
    qapfw_status (*apply)(qapfw_move_search*, const qapfw_move* move);
} qapfw_moves;

#ifdef __cplusplus
}
#endif
#endif
