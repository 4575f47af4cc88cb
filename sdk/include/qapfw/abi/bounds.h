/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.bounds/1": costs below which no solution lies, for the instance, and for the solutions that
 * have given values at some positions of segment 0. A branch and bound goes by the latter. */
#ifndef QAPFW_ABI_BOUNDS_H
#define QAPFW_ABI_BOUNDS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_BOUNDS "qapfw.problem.bounds/1"

struct qapfw_problem;
/* The bounds along one path of a tree search: positions that were fixed one after the other, and what the problem
 * remembers of each. Made by `create`, freed by `destroy`. */
typedef struct qapfw_bounds qapfw_bounds;

/* A bound of the whole instance. */
typedef struct qapfw_instance_bound {
    qapfw_cost bound; /* no solution costs less */
    const char* name; /* such as "Gilmore-Lawler bound"; lives as long as the library. Null: there is none */
} qapfw_instance_bound;

/* The capability's table. A cutoff is a cost: solutions that cost as much or more are of no interest. A bound that is at
 * least the cutoff says that nothing below the cutoff is left; any other bound holds for the solutions below the cutoff.
 * The greatest cost (INT64_MAX, infinity) is a cutoff under which all are of interest. */
typedef struct qapfw_problem_bounds {
    uint32_t struct_size;
    /* [thread-safe] The best bound that is found before should_stop(stop_context) says no longer; both may be null. It
     * ends by itself, in some seconds for the largest instances, and may find none that is better than that of
     * qapfw_problem_info. */
    qapfw_status (*of_instance)(struct qapfw_problem*, int32_t (*should_stop)(void*), void* stop_context,
                                qapfw_instance_bound* out);
    /* [thread-safe] Makes a path on which nothing is fixed but what the instance fixes; use it from one thread at a
     * time. QAPFW_ERROR_UNSUPPORTED where the instance is too large. */
    qapfw_status (*create)(struct qapfw_problem*, qapfw_bounds** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_bounds*);
    /* [worker] Goes back to the path's start and bounds it. It comes before the functions below. */
    qapfw_status (*reset)(qapfw_bounds*, qapfw_cost cutoff, qapfw_cost* bound);
    /* [worker] Fixes a free position to a free value, and bounds what is left. The bound depends on the path and the
     * cutoffs alone. Neither is checked. */
    qapfw_status (*fix)(qapfw_bounds*, uint32_t position, uint32_t value, qapfw_cost cutoff, qapfw_cost* bound);
    /* [worker] Takes the last `fix` back. */
    void (*unfix)(qapfw_bounds*);
    /* [worker] Looks one step ahead of where the last bound was below its cutoff. For each free position p and free
     * value v, bounds[p * length + v] becomes a bound of the solutions in which p is fixed to v, too. Free values with
     * the same value_class can stand for each other: whatever position is fixed next, it is enough to try one of them.
     * Likewise positions with the same position_class, whatever value is given next. Each array has `length` entries for
     * the elements of segment 0; those of fixed positions and their values are left as they are. */
    void (*children)(qapfw_bounds*, qapfw_cost* bounds, uint16_t* position_class, uint16_t* value_class);
} qapfw_problem_bounds;

#ifdef __cplusplus
}
#endif
#endif
