/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.swap_neighbourhood/1": swaps of two positions i < j of segment 0. The problem
 * keeps the tables that make a whole iteration fast. The caller keeps the tabu memory and passes it as plain data, so
 * one call covers one iteration. Fixed positions never move. Of pairs with equal deltas the smallest (i, j) wins. A
 * pair may be left out if its swap never changes the cost: two positions, or two elements, that the problem cannot
 * distinguish. */
#ifndef QAPFW_ABI_SWAP_NEIGHBOURHOOD_H
#define QAPFW_ABI_SWAP_NEIGHBOURHOOD_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD "qapfw.problem.swap_neighbourhood/1"

struct qapfw_problem;
/* The neighbourhood of one search: a solution and the problem's tables about it. Made by `create`, freed by
 * `destroy`. */
typedef struct qapfw_neighbourhood qapfw_neighbourhood;

/* The pairs that may be taken. A pair is
 *   tabu    if pair_expiry[i * stride + j] > iteration,
 *   aspired if delta < aspiration (even if tabu),
 *   forced  if pair_latest is given and pair_latest[i * stride + j] < forced_before (Taillard's long-term aspiration).
 * Without pair_latest the best pair that is aspired or not tabu is taken. With pair_latest, the best of the forced and
 * aspired pairs is taken, even if a pair that is not tabu is better. If no pair is forced or aspired, the best pair
 * that is not tabu is taken.
 * Only entries with i < j are read. Rows are padded with readable memory up to `stride`, a multiple of 16. */
typedef struct qapfw_swap_filter {
    uint32_t struct_size;
    uint32_t stride;            /* elements from row to row of both tables */
    const int32_t* pair_expiry; /* see above; null: no pair is tabu */
    const int32_t* pair_latest; /* see above; null: no pair is forced */
    int32_t iteration;          /* the present iteration, counted as in pair_expiry */
    int32_t forced_before;      /* an iteration, counted as in pair_latest; not used if pair_latest is null */
    qapfw_cost aspiration;      /* a delta of the problem's cost kind: below it a tabu pair may be taken */
} qapfw_swap_filter;

/* A swap of the elements at two positions. */
typedef struct qapfw_swap_move {
    uint32_t i, j; /* positions of segment 0, i < j */
    qapfw_cost delta; /* cost after - cost before, exact for integer costs */
} qapfw_swap_move;

/* The capability's table. */
typedef struct qapfw_swap_neighbourhood {
    uint32_t struct_size;
    /* [thread-safe] Makes a neighbourhood without a solution. Only one thread at a time may use it. */
    qapfw_status (*create)(struct qapfw_problem* problem, qapfw_neighbourhood** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_neighbourhood*);
    /* [worker] Starts from `solution`, which is copied, and reports its cost. */
    qapfw_status (*reset)(qapfw_neighbourhood*, const void* solution, qapfw_cost* cost);
    /* [worker] Writes the best pair that the filter admits and returns 1. Returns 0 if there is none. */
    int32_t (*best_admissible)(qapfw_neighbourhood*, const qapfw_swap_filter*, qapfw_swap_move* out);
    /* [worker] Writes the first pair with delta < 0 at or after (i, j), in row-major order, and returns 1. Returns 0
     * if there is none. */
    int32_t (*first_improving)(qapfw_neighbourhood*, uint32_t i, uint32_t j, qapfw_swap_move* out);
    /* [worker] Swaps the elements at positions i < j. Neither may be fixed; this is not checked. */
    void (*apply)(qapfw_neighbourhood*, uint32_t i, uint32_t j);
    /* [thread-safe] One line for the log: the algorithm in use and its complexity. Lives as long as the problem. */
    const char* (*describe)(struct qapfw_problem* problem);
    /* [worker] From now on, long calls ask should_stop(context) every 20 ms, and may give up if it returns
     * nonzero. `reset` then returns QAPFW_STOPPED and must be called again before anything else. With a null
     * should_stop, and before the first call of `watch`, calls never give up. `watch` may be null. */
    void (*watch)(qapfw_neighbourhood*, int32_t (*should_stop)(void* context), void* context);
} qapfw_swap_neighbourhood;

#ifdef __cplusplus
}
#endif
#endif
