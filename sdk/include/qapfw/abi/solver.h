/* SPDX-License-Identifier: Apache-2.0 */
/* A solver: a whole algorithm. Its `run` is the main loop; at the end of each logical round it meets the framework,
 * which then takes the incumbent, writes trace and checkpoint, and decides whether to go on. Rounds are a fixed number
 * of iterations, never of seconds, so the trajectory depends on (resolved configuration, seed) alone; time and signals
 * act through should_stop at any moment and end a run between or inside rounds. */
#ifndef QAPFW_ABI_SOLVER_H
#define QAPFW_ABI_SOLVER_H

#include "qapfw/abi/improver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A created solver and the state of its searches. */
typedef struct qapfw_solver qapfw_solver;

/* Takes the bytes of a saved state. Owned by the framework. */
typedef struct qapfw_writer {
    void* context; /* first argument of `write` */
    /* [main] Appends `size` bytes; they are copied before it returns. */
    qapfw_status (*write)(void* context, const void* bytes, uint64_t size);
} qapfw_writer;
/* Gives the bytes of a saved state. Owned by the framework. */
typedef struct qapfw_reader {
    void* context; /* first argument of `read` */
    /* [main] Gives at most `size` of the next bytes and returns how many; 0 at the end. Short reads are normal. */
    uint64_t (*read)(void* context, void* bytes, uint64_t size);
} qapfw_reader;

/* Report of a solver on one round, or a slice of it. */
typedef struct qapfw_round {
    uint32_t struct_size;
    uint32_t complete;         /* 0: cut short by should_stop; `digest` is not used then */
    uint64_t iterations;       /* outer iterations, per search or population */
    uint64_t evaluations;      /* candidates whose cost became known, all searches together */
    uint64_t digest;           /* hash of (solution, cost, best) of every search at the round's end */
    /* Null: this report has none, and the framework keeps that of an earlier one. The last report must have it, and so
     * must each report of a run with a target. */
    const void* best_solution; /* the best of all searches so far; ties: least iteration, then least search */
    qapfw_cost best_cost;      /* of best_solution */
    uint64_t best_iteration;   /* of the solver, at which it was found; 0: at the start */
    uint64_t best_search;      /* number of the search or individual that found it, from 0 */
    uint32_t has_lower_bound;  /* 1: lower_bound is set; else 0 */
    /* The solver has proven that no solution but those that it has reported costs less. The run ends where best_cost is
     * not above it. It may be above best_cost: with it the solver speaks of the owner's costs (owner_costs.h). */
    qapfw_cost lower_bound;
    uint32_t is_slice;         /* 1: a slice, after which the round goes on: `complete` is 0, `digest` is not used */
} qapfw_round;

/* Meeting point of the processes that share one run. Owned by the framework, as long as the run. */
typedef struct qapfw_exchange {
    uint32_t struct_size;
    uint32_t rank, size; /* of the processes that share this run; 0 and 1 alone */
    void* context;       /* first argument of all_gather */
    /* [main] Every process hands in `size` bytes (0 or more); `all`, of all_size bytes, receives those of all
     * processes in the order of their ranks, without gaps. `own` may lie in `all` where it belongs. All processes call
     * it the same number of times, with the same all_size, which is the sum of all sizes. */
    qapfw_status (*all_gather)(void* context, const void* own, uint64_t size, void* all, uint64_t all_size);
} qapfw_exchange;

/* A solver's run: its settings, and services of the framework, which owns it. */
typedef struct qapfw_run {
    uint32_t struct_size;
    uint32_t device_count;              /* 0: work on the CPU with qapfw_host.parallel_for */
    void* context;                      /* first argument of every function below */
    uint64_t seed;                      /* of all random draws */
    const qapfw_device* const* devices; /* `device_count` GPUs */
    qapfw_batch initial;            /* warm starts, may be empty; the run must not end worse than the best of them */
    uint32_t has_target;            /* 1: target is set; else 0 */
    uint32_t resumed;               /* 1: load was called before run */
    qapfw_cost target;              /* a search that reaches it may stop early */
    const qapfw_exchange* exchange; /* null: this process is alone */
    /* [main] How many of the `wanted` iterations the next round may have; 0: the run is over, return. */
    uint64_t (*begin_round)(void* context, uint64_t wanted);
    /* [main] Reports; may call the solver's `save` before it returns. */
    qapfw_status (*end_round)(void* context, const qapfw_round*);
    /* [thread-safe] Nonzero: leave the round at the next convenient point (well within 0.1 s). Cheap: a clock read. */
    int32_t (*should_stop)(void* context);
    /* [main] A named figure for the record's statistics; the last value of a name stays. */
    void (*statistic)(void* context, const char* name, double value);
    /* [thread-safe] A solution found within the present round, with its cost, worth showing before the round ends: the
     * first one, and later ones that are better than all before. It is copied before the call returns, and evaluated by
     * the framework later, if at all. The run's course does not depend on it: the round's end reports its best again.
     * Cheap, but not for every candidate. May be null: nobody wants it. */
    void (*offer)(void* context, const void* solution, qapfw_cost cost);
    /* How much may be done before a limit ends the run, for solvers that plan their whole course. What a solver makes of
     * `seconds_left` must not change once it has begun, and belongs into its saved state. */
    double seconds_left;         /* of search; 0: no limit of time */
    uint64_t iterations_left;    /* 0: no limit */
    uint64_t evaluations_left;   /* 0: no limit */
    /* The limit on evaluations of the whole run, with what was done before it was resumed; 0: no limit. A solver may go
     * by it: a small budget is for few and short searches. So it belongs to the trajectory. */
    uint64_t most_evaluations;
    /* [main] After begin_round has granted fewer iterations than were wanted. Not 0: they are a slice of the round, see
     * QAPFW_SOLVER_SLICES; 0: they are the last round. May be null: never a slice. */
    int32_t (*is_slice)(void* context);
} qapfw_run;

/* The functions of a solver. */
typedef struct qapfw_solver_table {
    uint32_t struct_size;
    /* [main] `improver` is null where the configuration names none. All references outlive the solver. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters*, const qapfw_problem_ref* problem,
                           const qapfw_improver_ref* improver, qapfw_solver** out);
    /* [main] After run has returned. */
    void (*destroy)(qapfw_solver*);
    /* [main] Called once per solver. */
    qapfw_status (*run)(qapfw_solver*, const qapfw_run*);
    /* [main, inside end_round or after run] The whole state, so that a fresh solver with the same parameters, after
     * load, goes on exactly as this one. It may come after a round that was
     * cut short. Null together with load: its runs cannot be resumed. */
    qapfw_status (*save)(qapfw_solver*, const qapfw_writer*);
    /* [main] Before run: the state that save wrote. An error where it is not whole or does not fit. */
    qapfw_status (*load)(qapfw_solver*, const qapfw_reader*);
} qapfw_solver_table;

/* Capability: the solver shares its work among the processes of a run by qapfw_exchange. Any other one would do the same
 * in every process, and is refused before its run begins. */
#define QAPFW_SOLVER_PROCESSES "qapfw.solver.processes/1"
/* The capability's table. */
typedef struct qapfw_solver_processes {
    uint32_t struct_size;
} qapfw_solver_processes;

/* Capability: the solver works with exchanges that problems propose (qapfw/abi/sampled_neighbourhood.h). Of problems that
 * have these and no neighbourhood of all pairs, large instances are given to such solvers alone. */
#define QAPFW_SOLVER_SAMPLES "qapfw.solver.samples/1"
/* The capability's table. */
typedef struct qapfw_solver_samples {
    uint32_t struct_size;
} qapfw_solver_samples;

/* Capability: runs begin on the CPU while GPUs are made ready, and then move there. Who offers it says: what `save`
 * wrote on the CPU goes on exactly on GPUs after `load`, as it would have gone on on the CPU; objects made for GPUs and
 * for the CPU resolve "auto" alike; and an object of the solver and its improver, with which nothing else works, may be
 * made, run and destroyed by another thread than the main one while a second object works. The framework lets such an
 * object come to its first begin_round, where it is told that the run is over: by then it should have asked for all its
 * kernels.
 * get_capability gives an array of `const char*` that ends with null: parameters whose "auto" depends on the run's GPUs
 * all the same. Where one of them is "auto", the run begins as soon as an object that was made for the GPUs has resolved
 * it: so its construction should not wait for kernels. With several processes such runs do not begin on the CPU. */
#define QAPFW_SOLVER_MOVES "qapfw.solver.moves/1"

/* Capability: the solver takes slices of rounds, so that a limit on evaluations is overshot by one iteration at most. A
 * slice has the iterations that were granted and ends as it stands: nothing is exchanged and no digest is told, and the
 * next begin_round wants what the round still lacks. So the search is the same with slices and without. */
#define QAPFW_SOLVER_SLICES "qapfw.solver.slices/1"
/* The capability's table. */
typedef struct qapfw_solver_slices {
    uint32_t struct_size;
} qapfw_solver_slices;

/* Service of qapfw_host, for solvers alone: improvers that a solver chooses itself. */
#define QAPFW_HOST_IMPROVERS "qapfw.host.improvers/1"
/* The service's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_improvers {
    uint32_t struct_size;
    void* context; /* first argument of every function below */
    /* [main, during create] 1: the improver `id` is loaded, takes the run's solutions and runs on the run's backend. */
    int32_t (*has)(void* context, const char* id);
    /* [main, during create] Makes the improver `id` for the run's problem. `settings`: its parameters, each "key=value",
     * apart by blanks; the others have their defaults. `place`: where the settings stand, for messages. The improver
     * lives until the solver has been destroyed. */
    qapfw_status (*make)(void* context, const char* id, const char* settings, const char* place,
                         const qapfw_improver_ref** out);
} qapfw_host_improvers;

/* Service of qapfw_host, for solvers alone: words on the progress line. */
#define QAPFW_HOST_PROGRESS "qapfw.host.progress/1"
/* The service's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_progress {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during run] A few words, such as "arms: ux 5/8", that stand on the progress line until the next call. They
     * end up nowhere else. */
    void (*say)(void* context, const char* text, uint64_t size);
} qapfw_host_progress;

/* Service of qapfw_host, for solvers alone: the GPUs of all processes that share a run. */
#define QAPFW_HOST_ALL_GPUS "qapfw.host.all_gpus/1"
/* The service's table. Owned by the framework, as long as the solver. */
typedef struct qapfw_host_all_gpus {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during create] `own` is a figure of the GPUs in qapfw_host.devices, such as how many searches they work on
     * at a time; 0 where there are none. `all` becomes the sum over the processes; a GPU that several of them use counts
     * once. All processes call it the same number of times, and wait for each other. */
    qapfw_status (*sum)(void* context, uint64_t own, uint64_t* all);
} qapfw_host_all_gpus;

#ifdef __cplusplus
}
#endif
#endif
