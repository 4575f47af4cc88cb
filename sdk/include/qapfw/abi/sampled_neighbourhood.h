/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.sampled_neighbourhood/1": single swaps that a problem proposes itself, each with its
 * exact change of the cost. It is for instances whose neighbourhood is too large to be scanned: sparse flows,
 * thousands of positions. A walk holds one solution in a form of the problem's own. Many threads may ask one walk
 * for proposals at once. The solver then chooses some of them and makes these swaps. No function needs a table of
 * n x n elements. */
#ifndef QAPFW_ABI_SAMPLED_NEIGHBOURHOOD_H
#define QAPFW_ABI_SAMPLED_NEIGHBOURHOOD_H

#include "qapfw/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD "qapfw.problem.sampled_neighbourhood/1"

struct qapfw_problem;

/* A walk: one solution in the form that the problem needs for proposals. */
typedef struct qapfw_sampled_walk qapfw_sampled_walk;

/* What a solver that calls `propose` must know about the instance. */
typedef struct qapfw_sampled_facts {
    uint32_t struct_size;
    uint32_t starts;   /* number of ways that `construct` offers, at least 1; way 0 is the quickest */
    uint32_t movers;   /* `propose` may be asked for positions below this; others move only as partners */
    uint32_t hotness;  /* at least 1: how many times hotter than usual an annealing starts */
    int64_t unit;      /* at least 1: a typical weight, in which temperatures are counted */
    uint64_t terms;    /* number of terms that one call of `cost` adds up */
} qapfw_sampled_facts;

/* The neighbours of a position: all positions that occur together with it in a term of the cost. */
typedef struct qapfw_sampled_neighbours {
    const void* first;  /* address of the first position, a number of 4 bytes (uint32_t) */
    uint32_t count;     /* number of positions */
    uint32_t stride;    /* bytes from one position to the next */
} qapfw_sampled_neighbours;

/* The capability's table. Costs are exact integers (QAPFW_COST_INT64). */
typedef struct qapfw_sampled_neighbourhood {
    uint32_t struct_size;
    /* [thread-safe] Writes the facts. */
    qapfw_status (*facts)(struct qapfw_problem*, qapfw_sampled_facts* out);
    /* [thread-safe] Makes an empty walk; the problem outlives it. */
    qapfw_status (*create)(struct qapfw_problem*, qapfw_sampled_walk** out);
    /* [thread-safe] Call it after everything that uses the walk. */
    void (*destroy)(qapfw_sampled_walk*);
    /* [one thread per walk] Starts from a valid solution, which is copied. */
    qapfw_status (*reset)(qapfw_sampled_walk*, const void* solution);
    /* [one thread per walk] Writes the walk's solution: all bytes of the encoding, with the padding. */
    qapfw_status (*solution)(qapfw_sampled_walk*, void* solution);
    /* [thread-safe while no `exchange` runs] Computes the exact cost of the walk's solution. */
    qapfw_status (*cost)(qapfw_sampled_walk*, qapfw_cost* out);
    /* [thread-safe while no `exchange` runs] For each of the positions, proposes a partner to swap with, and
     * computes the change of the cost. `draws` has 64 random bits for each position; equal bits give the same
     * partner. A partner equal to the position means: no proposal. */
    void (*propose)(qapfw_sampled_walk*, uint64_t count, const uint32_t* positions, const uint64_t* draws,
                    uint32_t* partners, int64_t* deltas);
    /* [thread-safe] The positions that have a common term of the cost with `position`: a swap at one of
     * them may change the deltas of `position`. */
    qapfw_sampled_neighbours (*neighbours)(qapfw_sampled_walk*, uint32_t position);
    /* [thread-safe for pairs without a common position] Swaps the elements of two positions. */
    void (*exchange)(qapfw_sampled_walk*, uint32_t a, uint32_t b);
    /* [thread-safe] Constructs a good solution to start from. `way` is below `starts`. If the way is random,
     * another seed gives another solution. `should_stop` may be null. QAPFW_STOPPED if the construction gave up
     * because of should_stop. */
    qapfw_status (*construct)(struct qapfw_problem*, uint32_t way, uint64_t seed, int32_t (*should_stop)(void* context),
                              void* context, void* solution);
} qapfw_sampled_neighbourhood;

#ifdef __cplusplus
}
#endif
#endif
