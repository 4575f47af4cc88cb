/* SPDX-License-Identifier: Apache-2.0 */
/* A solver: a whole algorithm. Its `run` is the main loop. At the end of each round it reports to the framework,
 * which updates the best solution, writes trace and checkpoint, and decides whether to go on. The length of a
 * round is a number of iterations, never of seconds. So the search depends only on the resolved configuration and
 * the seed. Time limits and signals act through should_stop at any moment; they end a run between or inside
 * rounds. */
#ifndef QAPFW_ABI_SOLVER_H
#define QAPFW_ABI_SOLVER_H

#include "qapfw/abi/improver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A created solver and the state of its searches. */
typedef struct qapfw_solver qapfw_solver;

/* Takes the bytes of a saved state. The framework owns the writer. */
typedef struct qapfw_writer {
    void* context; /* first argument of `write` */
    /* [main] Appends `size` bytes; they are copied before it returns. */
    qapfw_status (*write)(void* context, const void* bytes, uint64_t size);
} qapfw_writer;
/* Gives the bytes of a saved state. The framework owns the reader. */
typedef struct qapfw_reader {
    void* context; /* first argument of `read` */
    /* [main] Gives at most `size` of the next bytes and returns how many; 0 at the end. Short reads are normal. */
    uint64_t (*read)(void* context, void* bytes, uint64_t size);
} qapfw_reader;

/* A solver's report on one round, or on a slice of it. */
typedef struct qapfw_round {
    uint32_t struct_size;
    uint32_t complete;         /* 0: should_stop cut the round short, or this is a slice; `digest` is then not used */
    uint64_t iterations;       /* outer iterations of each search or population since the last report */
    uint64_t evaluations;      /* candidates of all searches whose cost became known since the last report */
    uint64_t digest;           /* hash of (solution, cost, best) of every search at the round's end */
    /* Null: this report has no solution, and the framework keeps the solution of an earlier report. The last report
     * must have a solution. In a run with a target, every report must have one. */
    const void* best_solution; /* best of all searches so far; ties: least best_iteration, then least best_search */
    qapfw_cost best_cost;      /* cost of best_solution */
    uint64_t best_iteration;   /* the solver's iteration that found best_solution; 0: the start */
    uint64_t best_search;      /* number of the search or individual that found best_solution, from 0 */
    uint32_t has_lower_bound;  /* 1: lower_bound is set; else 0 */
    /* A proven lower bound of all solutions, except those that the solver has reported. The run ends if best_cost
     * is at most this bound. The bound may be above best_cost only if the problem has owner's costs
     * (owner_costs.h). */
    qapfw_cost lower_bound;
    uint32_t is_slice;         /* 1: report on a slice; the round goes on. `complete` is 0, `digest` is not used */
} qapfw_round;

/* Exchange between the processes of one run. Owned by the framework, and valid as long as the run lasts. */
typedef struct qapfw_exchange {
    uint32_t struct_size;
    uint32_t rank, size; /* number of this process, and number of processes; 0 and 1 for a single process */
    void* context;       /* first argument of all_gather */
    /* [main] Every process passes `size` bytes (0 or more). `all`, of all_size bytes, receives the bytes of all
     * processes, in the order of their ranks and without gaps. `own` may point to this process's part of `all`. All
     * processes must call this function the same number of times. In each call, all of them pass the same all_size:
     * the sum of `size` over all processes. */
    qapfw_status (*all_gather)(void* context, const void* own, uint64_t size, void* all, uint64_t all_size);
} qapfw_exchange;

/* A solver's run: its settings, and the framework's services. The framework owns it. */
typedef struct qapfw_run {
    uint32_t struct_size;
    uint32_t device_count;              /* number of GPUs; 0: work on the CPU with qapfw_host.parallel_for */
    void* context;                      /* first argument of every function below */
    uint64_t seed;                      /* seed of all random draws */
    const qapfw_device* const* devices; /* the `device_count` GPUs */
    qapfw_batch initial;            /* warm starts, may be empty; the run must not end worse than the best of them */
    uint32_t has_target;            /* 1: target is set; else 0 */
    uint32_t resumed;               /* 1: load was called before run */
    qapfw_cost target;              /* cost at which a search may stop early */
    const qapfw_exchange* exchange; /* exchange with other processes; null: this process is alone */
    /* [main] Returns the number of iterations granted for the next round, at most `wanted`. 0: the run is over, and
     * the solver must return from `run`. */
    uint64_t (*begin_round)(void* context, uint64_t wanted);
    /* [main] Takes a report. May call the solver's `save` before it returns. */
    qapfw_status (*end_round)(void* context, const qapfw_round*);
    /* [thread-safe] Nonzero: leave the round as soon as possible (well within 0.1 s). A call costs as much as
     * reading a clock. */
    int32_t (*should_stop)(void* context);
    /* [main] Sets a named number in the record's statistics. The last value of a name is kept. */
    void (*statistic)(void* context, const char* name, double value);
    /* [thread-safe] Shows a solution of the present round, with its cost, before the round ends. Call it for the
     * first solution, and for each later one that is better than all before. The solution is copied; the framework
     * evaluates it later, if at all. The search must not depend on it: end_round reports the best solution again. A
     * call is cheap, but too slow for every candidate. Null: nobody needs solutions early. */
    void (*offer)(void* context, const void* solution, qapfw_cost cost);
    /* The next three numbers say how much work remains before a limit ends the run. They are set when `run` is called,
     * and are meant for solvers that plan their whole course. A solver that derives a value from `seconds_left` must
     * save this value with its state, and not derive it again. */
    double seconds_left;         /* seconds of search that are left; 0: no time limit */
    uint64_t iterations_left;    /* number of iterations that are left; 0: no limit */
    uint64_t evaluations_left;   /* number of evaluations that are left; 0: no limit */
    /* The limit on evaluations of the whole run, including those before a resume; 0: no limit. A solver may make
     * fewer and shorter searches for a small limit. So the trajectory may depend on the limit. */
    uint64_t most_evaluations;
    /* [main] Call it after begin_round has granted fewer iterations than wanted. Nonzero: they are a slice of the
     * round, see QAPFW_SOLVER_SLICES. 0: they are the last round, cut by the limit on iterations. May be null: never a
     * slice. */
    int32_t (*is_slice)(void* context);
} qapfw_run;

/* The functions of a solver. */
typedef struct qapfw_solver_table {
    uint32_t struct_size;
    /* [main] `improver` is null if the configuration names no improver. All objects that the arguments point to,
     * except *out, outlive the solver. */
    qapfw_status (*create)(const qapfw_host* host, const qapfw_parameters*, const qapfw_problem_ref* problem,
                           const qapfw_improver_ref* improver, qapfw_solver** out);
    /* [main] Call it after `run` has returned. */
    void (*destroy)(qapfw_solver*);
    /* [main] The main loop. Called once per solver. */
    qapfw_status (*run)(qapfw_solver*, const qapfw_run*);
    /* [main, inside end_round or after run] Writes the whole state. A new solver with the same parameters must go
     * on exactly as this one after `load`. It may be called after a round that was cut short. Null together with
     * `load`: runs cannot be resumed. */
    qapfw_status (*save)(qapfw_solver*, const qapfw_writer*);
    /* [main] Reads the state that `save` wrote; called before `run`. Fails if the state is incomplete, or is not for
     * this problem and these parameters. */
    qapfw_status (*load)(qapfw_solver*, const qapfw_reader*);
} qapfw_solver_table;

/* Capability: the solver splits its work among the processes of a run, by qapfw_exchange. A solver without this
 * capability would do the same work in every process, so it is refused in runs of several processes. */
#define QAPFW_SOLVER_PROCESSES "qapfw.solver.processes/1"
/* The table of QAPFW_SOLVER_PROCESSES. It has no functions. */
typedef struct qapfw_solver_processes {
    uint32_t struct_size;
} qapfw_solver_processes;

/* Capability: the solver uses swaps that problems propose (qapfw/abi/sampled_neighbourhood.h). If a problem
 * proposes swaps but has no swap neighbourhood, only solvers with this capability may run on its instances of more than
 * 512 positions. */
#define QAPFW_SOLVER_SAMPLES "qapfw.solver.samples/1"
/* The table of QAPFW_SOLVER_SAMPLES. It has no functions. */
typedef struct qapfw_solver_samples {
    uint32_t struct_size;
} qapfw_solver_samples;

/* Capability: runs begin on the CPU while GPUs are prepared, and then move to the GPUs. A solver with this capability
 * promises three things. First, a state that `save` wrote on the CPU continues on GPUs after `load` exactly as on the
 * CPU. Second, objects made for GPUs and objects made for the CPU resolve "auto" equally. Third, another thread than
 * the main one may make, run and destroy a separate solver and improver while the first ones work. The framework runs
 * this second solver until its first begin_round, which returns 0. Before that call, the second solver should request
 * all its kernels. Exceptions to the second promise: get_capability returns the names of the parameters whose "auto"
 * does depend on the run's GPUs, as an array of `const char*` that ends with null. If such a parameter is "auto", the
 * run begins only after a solver made for the GPUs has resolved it. To keep this wait short, the solver's construction
 * should not wait for kernels. With several processes, a run in which such a parameter is "auto" does not begin on
 * the CPU. */
#define QAPFW_SOLVER_MOVES "qapfw.solver.moves/1"

/* Capability: the solver supports slices of rounds, so that a run exceeds its limit on evaluations by at most one
 * iteration. A slice has the granted number of iterations. At its end nothing is exchanged and no digest is reported.
 * At the next begin_round the solver wants the remaining iterations of the round. So the search is the same with and
 * without slices. */
#define QAPFW_SOLVER_SLICES "qapfw.solver.slices/1"
/* The capability's table. */
typedef struct qapfw_solver_slices {
    uint32_t struct_size;
} qapfw_solver_slices;

/* Service of qapfw_host, only for solvers: makes improvers that a solver names by id. */
#define QAPFW_HOST_IMPROVERS "qapfw.host.improvers/1"
/* The service's table. The framework owns the table, which is valid as long as the solver exists. */
typedef struct qapfw_host_improvers {
    uint32_t struct_size;
    void* context; /* first argument of every function below */
    /* [main, during create] 1: the improver `id` is loaded, supports the run's solutions and runs on the run's
     * backend. Else 0. */
    int32_t (*has)(void* context, const char* id);
    /* [main, during create] Makes the improver `id` for the run's problem. `settings`: parameters of the improver,
     * each "key=value", separated by blanks; other parameters have their defaults. `place`: the origin of the settings,
     * for messages. The improver lives until the solver has been destroyed. */
    qapfw_status (*make)(void* context, const char* id, const char* settings, const char* place,
                         const qapfw_improver_ref** out);
} qapfw_host_improvers;

/* Service of qapfw_host, only for solvers: a text on the progress line. */
#define QAPFW_HOST_PROGRESS "qapfw.host.progress/1"
/* The service's table. The framework owns the table, which is valid as long as the solver exists. */
typedef struct qapfw_host_progress {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during run] Shows a few words on the progress line until the next call, such as "arms: ux 5/8". The
     * words are not recorded. */
    void (*say)(void* context, const char* text, uint64_t size);
} qapfw_host_progress;

/* Service of qapfw_host, only for solvers: the GPUs of all processes of a run. */
#define QAPFW_HOST_ALL_GPUS "qapfw.host.all_gpus/1"
/* The service's table. The framework owns the table, which is valid as long as the solver exists. */
typedef struct qapfw_host_all_gpus {
    uint32_t struct_size;
    void* context; /* first argument of the function below */
    /* [main, during create] `own` is a number about the GPUs in qapfw_host.devices, such as how many searches they
     * run at the same time; 0 without GPUs. `all` becomes the sum over all processes; a GPU that several processes
     * use counts once. All processes must call this equally often, and wait for each other. */
    qapfw_status (*sum)(void* context, uint64_t own, uint64_t* all);
} qapfw_host_all_gpus;

#ifdef __cplusplus
}
#endif
#endif
