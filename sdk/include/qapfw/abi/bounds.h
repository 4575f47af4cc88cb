/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.bounds/1": lower bounds of costs, for the whole instance and for the solutions with
 * given values at some positions of segment 0. A branch and bound needs the second kind. */
#ifndef QAPFW_ABI_BOUNDS_H
#define QAPFW_ABI_BOUNDS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_BOUNDS "qapfw.problem.bounds/1"

struct qapfw_problem;
/* The bounds along one path of a tree search. A path is a list of positions that were fixed one after the other.
 * The object also has the problem's data about each of these positions. Made by `create`, freed by `destroy`. */
typedef struct qapfw_bounds qapfw_bounds;

/* A bound of the whole instance. */
typedef struct qapfw_instance_bound {
    qapfw_cost bound; /* no solution costs less */
    const char* name; /* such as "Gilmore-Lawler bound"; lives as long as the library. Null: there is no bound */
} qapfw_instance_bound;

/* The capability's table. A cutoff is a cost: solutions that cost as much or more are of no interest. If a bound
 * is at least the cutoff, no solution costs less than the cutoff. Any other bound holds for the solutions that
 * cost less than the cutoff. The greatest cost (INT64_MAX, infinity) as a cutoff means: all solutions are of
 * interest. */
typedef struct qapfw_problem_bounds {
    uint32_t struct_size;
    /* [thread-safe] Computes a bound and writes it. The computation ends by itself, after some seconds for the largest
     * instances. If should_stop(stop_context) returns nonzero, it ends early and writes the best bound found until
     * then. should_stop may be null. The bound may be no better than the lower_bound of qapfw_problem_info. */
    qapfw_status (*of_instance)(struct qapfw_problem*, int32_t (*should_stop)(void*), void* stop_context,
                                qapfw_instance_bound* out);
    /* [thread-safe] Makes a path on which only the instance's fixed elements are fixed; use it from one thread at
     * a time. QAPFW_ERROR_UNSUPPORTED if the instance is too large. */
    qapfw_status (*create)(struct qapfw_problem*, qapfw_bounds** out);
    /* [worker] Frees what create made. */
    void (*destroy)(qapfw_bounds*);
    /* [worker] Makes the path as after `create` and writes the path's bound. Call reset before the functions below. */
    qapfw_status (*reset)(qapfw_bounds*, qapfw_cost cutoff, qapfw_cost* bound);
    /* [worker] Fixes a free position to a free value, and writes the bound of the longer path. The bound depends
     * only on the path and the cutoffs. Position and value are not checked. */
    qapfw_status (*fix)(qapfw_bounds*, uint32_t position, uint32_t value, qapfw_cost cutoff, qapfw_cost* bound);
    /* [worker] Undoes the last `fix`. */
    void (*unfix)(qapfw_bounds*);
    /* [worker] Looks one step ahead. Call it only if the last bound was below its cutoff. For each free position p
     * and free value v, bounds[p * length + v] becomes a bound of the solutions in which p is also fixed to v.
     * Free values with the same value_class are interchangeable: for any position fixed next, only one of these
     * values needs to be tried. Free positions with the same position_class are interchangeable too: for any value
     * fixed next, only one of these positions needs to be tried. Each class array has `length` entries for the
     * elements of segment 0. Entries of fixed positions and of their values are not written. */
    void (*children)(qapfw_bounds*, qapfw_cost* bounds, uint16_t* position_class, uint16_t* value_class);
} qapfw_problem_bounds;

#ifdef __cplusplus
}
#endif
#endif
