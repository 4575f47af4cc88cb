/* SPDX-License-Identifier: Apache-2.0 */
/* qapfw as a library: problems from memory or files, solved inside the calling process.
 *
 * A session knows the plugins. A model is a problem. qapfw_solve searches and gives an answer.
 *
 *     qapfw_session* session = NULL;
 *     qapfw_model* model = NULL;
 *     qapfw_answer* answer = NULL;
 *     qapfw_session_open(NULL, &session);
 *     qapfw_model_from_qap(session, &qap, &model);
 *     qapfw_solve(model, &options, &answer);
 *
 * Most calls that can fail return a status; qapfw_last_error() has the message. Functions may be called from any
 * thread. The library installs no signal handler, never ends the process, writes nothing to standard output or standard
 * error, and changes neither locale, working directory nor environment. After fork() only the process that opened a
 * session may use it: calls in the child return QAPFW_STATUS_USAGE. All texts are UTF-8. All indices count from 0. */
#ifndef QAPFW_QAPFW_H
#define QAPFW_QAPFW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define QAPFW_API __attribute__((visibility("default")))
#else
#define QAPFW_API
#endif

/* Version of this header. The header works with libraries of the same major number and an equal or larger minor
 * number. */
#define QAPFW_API_MAJOR 1
#define QAPFW_API_MINOR 0
/* Version of the library, such as "0.2.0", and version of the interface that the library offers. */
QAPFW_API const char* qapfw_version(void);
QAPFW_API void qapfw_api_version(uint32_t* major, uint32_t* minor);

/* Results of calls. */
typedef int32_t qapfw_call_status;
enum {
    QAPFW_STATUS_OK = 0,
    QAPFW_STATUS_USAGE = 2,        /* an option or argument is wrong, or the session is closed or of another process */
    QAPFW_STATUS_INPUT = 3,        /* the problem's data are wrong */
    QAPFW_STATUS_PLUGIN = 4,       /* a plugin failed */
    QAPFW_STATUS_DEVICE = 5,       /* no GPU can be used, or a GPU failed */
    QAPFW_STATUS_IO = 6,           /* a file cannot be read or written */
    QAPFW_STATUS_MEMORY = 7,       /* memory ran out */
    QAPFW_STATUS_MISUSE = 8,       /* a null pointer, a wrong struct_size or an unknown log level */
    QAPFW_STATUS_INTERNAL = 9,     /* a fault of the library */
    QAPFW_STATUS_UNSUPPORTED = 10, /* the solver, the improver or the device does not take the problem's solutions */
    QAPFW_STATUS_CANCELLED = 11    /* the search was cancelled before it had a solution */
};
/* The message of this thread's last call of qapfw_answer_json or of a function that returns a status; "" if that call
 * succeeded. Valid until the thread's next call. */
QAPFW_API const char* qapfw_last_error(void);

/* ---- Sessions ---- */

/* A session: plugins, data folders and a log. */
typedef struct qapfw_session qapfw_session;

/* Levels of the log. */
enum {
    QAPFW_LEVEL_DEBUG = 0,
    QAPFW_LEVEL_INFO = 1,
    QAPFW_LEVEL_WARNING = 2,
    QAPFW_LEVEL_ERROR = 3,
    QAPFW_LEVEL_OFF = 4
};

/* Options of a session. All members except struct_size may be 0, which means the default. Everything is copied. */
typedef struct qapfw_session_options {
    uint32_t struct_size;              /* sizeof(qapfw_session_options) */
    uint32_t plugin_folder_count;      /* number of folders in `plugin_folders` */
    const char* const* plugin_folders; /* searched for plugins before the installed folders */
    const char* const* data_folders;   /* searched for instances before the folders of QAPFW_DATA */
    uint32_t data_folder_count;        /* number of folders in `data_folders` */
    uint32_t threads;                  /* largest number of threads of a run; 0: all that the process may use */
    int32_t log_level;                 /* QAPFW_LEVEL_...: lines of this level and above are handed to `log` */
    /* Receives one line of the log; null: the log is dropped. Several threads may call it. Within a search they call it
     * one at a time, but threads of different searches may call it at the same time. */
    void (*log)(void* user, int32_t level, const char* text, size_t size);
    void* user; /* first argument of `log` */
} qapfw_session_options;

/* Opens a session. `options` may be null. */
QAPFW_API qapfw_call_status qapfw_session_open(const qapfw_session_options* options, qapfw_session** session);
/* Ends the session's runs and waits for them. The session's models can then only be freed; answers stay valid. Null is
 * ignored. */
QAPFW_API void qapfw_session_close(qapfw_session* session);

/* ---- Models ---- */

/* A problem. A model does not change, so several threads may solve it at once. */
typedef struct qapfw_model qapfw_model;

/* Types of a matrix' entries. */
enum {
    QAPFW_TYPE_FLOAT64 = 1,
    QAPFW_TYPE_FLOAT32 = 2,
    QAPFW_TYPE_INT64 = 3,
    QAPFW_TYPE_INT32 = 4,
    QAPFW_TYPE_INT16 = 5,
    QAPFW_TYPE_INT8 = 6,
    QAPFW_TYPE_UINT64 = 7,
    QAPFW_TYPE_UINT32 = 8,
    QAPFW_TYPE_UINT16 = 9,
    QAPFW_TYPE_UINT8 = 10
};

/* A view of a matrix in the caller's memory. Strides are in bytes and may be negative or 0. */
typedef struct qapfw_matrix {
    const void* data;       /* the entry in row 0 and column 0; null: there is no matrix */
    uint32_t type;          /* QAPFW_TYPE_... */
    uint32_t reserved;      /* 0 */
    uint64_t rows, columns; /* numbers of rows and columns */
    int64_t row_stride;     /* bytes from an entry to the entry below */
    int64_t column_stride;  /* bytes from an entry to the next entry on the right */
} qapfw_matrix;

/* The quadratic assignment problem: sum over i, j of flow[i][j] distance[p(i)][p(j)] + sum over i of
 * linear[i][p(i)]. Here p gives each of n facilities a location of its own, out of m locations, n <= m. All
 * members except struct_size, flow and distance may be 0, which means the default. Only qapfw_model_from_qap reads
 * the arrays. */
typedef struct qapfw_qap {
    uint32_t struct_size;   /* sizeof(qapfw_qap) */
    uint32_t maximize;      /* 1: the largest sum is sought; else 0 */
    qapfw_matrix flow;      /* n x n */
    qapfw_matrix distance;  /* m x m */
    qapfw_matrix linear;    /* n x m, or no matrix */
    qapfw_matrix forbidden; /* n x m, or no matrix. Entry (i, k) not 0: facility i may not be at location k */
    const int64_t* fixed;   /* n locations: facility i has to be at fixed[i]; -1: it is free. Null: all are free */
    const char* const* facility_names; /* n names, or null */
    const char* const* location_names; /* m names, or null */
    const char* name;                  /* the instance's name in records and messages; null: "memory" */
} qapfw_qap;
QAPFW_API qapfw_call_status qapfw_model_from_qap(qapfw_session* session, const qapfw_qap* qap, qapfw_model** model);

/* A QAP with sparse flows, and with distances that a text describes. The flows are a graph in compressed rows, like
 * SciPy's CSR: entry k of row u, offsets[u] <= k < offsets[u + 1], is a flow from u to columns[k]. Only
 * qapfw_model_from_graph reads the arrays. */
typedef struct qapfw_graph {
    uint32_t struct_size;   /* sizeof(qapfw_graph) */
    uint32_t reserved;      /* 0 */
    uint64_t vertices;      /* n, at least 1 */
    const int64_t* offsets; /* n + 1 numbers, ascending from 0 */
    const int64_t* columns; /* the vertex of each entry, counted from 0; there are offsets[n] entries */
    const int64_t* weights; /* the weight of each entry; null: all weights are 1 */
    const char* distance;   /* the distances, such as "torus:20x20x20"; the guide on mapping graphs has all forms */
    const char* const* vertex_names; /* n names, or null */
    const char* name;                /* the instance's name in records and messages; null: "memory" */
} qapfw_graph;
QAPFW_API qapfw_call_status qapfw_model_from_graph(qapfw_session* session, const qapfw_graph* graph,
                                                   qapfw_model** model);

/* Makes a model of an instance. `instance`: a file, or a name that the data folders hold or a problem generates.
 * `options`: `option_count` pairs of key and value, such as "problem.linear" and "costs.csv"; the keys are those
 * of a configuration. */
QAPFW_API qapfw_call_status qapfw_model_from_file(qapfw_session* session, const char* instance,
                                                  const char* const* options, uint32_t option_count,
                                                  qapfw_model** model);
/* Makes a model from a configuration: a TOML file (`path`, or null for none), to which `options` are applied.
 * qapfw_solve obeys these settings as the command line does. So without a limit the search goes on until it is
 * cancelled, and a record is written unless the settings forbid it. */
QAPFW_API qapfw_call_status qapfw_model_from_config(qapfw_session* session, const char* path,
                                                    const char* const* options, uint32_t option_count,
                                                    qapfw_model** model);
/* Makes a model from an interrupted run. `folder` is the folder of the run's record. qapfw_solve continues the run, and
 * the options of qapfw_solve may change the run's limits. */
QAPFW_API qapfw_call_status qapfw_model_from_record(qapfw_session* session, const char* folder, qapfw_model** model);
/* Numbers of facilities and locations of a model from memory. For other models, both are the problem's size n. */
QAPFW_API void qapfw_model_size(const qapfw_model* model, uint64_t* facilities, uint64_t* locations);
/* Frees a model. Null is ignored. A model must not be freed while it is being solved. */
QAPFW_API void qapfw_model_free(qapfw_model* model);

/* ---- Solving ---- */

/* State of a search, as the callback `progress` gets it. Its pointers are valid until the callback returns. */
typedef struct qapfw_progress {
    uint32_t struct_size;
    uint32_t improved;         /* 1: the best solution is new since the last call; else 0 */
    double cost;               /* cost of the best solution, in the problem's unit; NaN: none yet */
    double seconds;            /* seconds of search so far, in all sessions of the run */
    uint64_t evaluations;      /* number of solutions whose cost became known */
    const int64_t* assignment; /* the best solution: the location of each facility; null if `improved` is 0 */
    uint64_t size;             /* number of entries of `assignment` */
} qapfw_progress;

typedef struct qapfw_cancel qapfw_cancel;

/* Options of a search. All members except struct_size may be 0. Then the search of a configuration or record follows
 * the settings in it. Any other model is searched by the default algorithm with seed 1, for 60 seconds or until a
 * solution is proven optimal. */
typedef struct qapfw_solve_options {
    uint32_t struct_size;  /* sizeof(qapfw_solve_options) */
    uint32_t option_count; /* number of pairs in `options` */
    /* Pairs of key and value, as in a configuration: "run.time_limit", "10s", "algorithm.plugin", "tabu". */
    const char* const* options;
    /* Assignments to start from, one after the other; null: none. Each assignment has the location of each facility,
     * or -1 if the facility's location is open; the problem then completes the assignment. Several assignments enter
     * the first population, if the algorithm has one. */
    const int64_t* initial;
    uint64_t initial_count; /* number of assignments in `initial`; 0 means 1 */
    /* Called at the ends of rounds, but at most a hundred times a second while nothing improves. Within a long round it
     * is also called for better solutions, at most five times a second. A search never makes two calls at the same
     * time, but it may call from another thread than the one that called qapfw_solve. Nonzero ends the search. May be
     * null. The function must not throw or leave by longjmp. */
    int32_t (*progress)(void* user, const qapfw_progress* progress);
    void* user;           /* first argument of `progress` */
    qapfw_cancel* cancel; /* lets another thread end the search; null: none can */
} qapfw_solve_options;

typedef struct qapfw_answer qapfw_answer;

/* Searches, and returns when the search has ended. `options` may be null. */
QAPFW_API qapfw_call_status qapfw_solve(const qapfw_model* model, const qapfw_solve_options* options,
                                        qapfw_answer** answer);
/* Solves `count` models, several at a time, each on one CPU thread unless `options` say otherwise. answers[k] is null
 * if statuses[k] is not OK. qapfw_last_error() has only the message of the failed model with the smallest index.
 * Returns this model's status, or OK if all models succeeded. Searches run at the same time, so several threads may
 * call `progress` at once. */
QAPFW_API qapfw_call_status qapfw_solve_many(const qapfw_model* const* models, uint64_t count,
                                             const qapfw_solve_options* options, qapfw_answer** answers,
                                             qapfw_call_status* statuses);

QAPFW_API qapfw_cancel* qapfw_cancel_new(void);        /* null: memory ran out */
QAPFW_API void qapfw_cancel_set(qapfw_cancel* cancel); /* may be called by signal handlers too */
QAPFW_API void qapfw_cancel_free(qapfw_cancel* cancel);

/* ---- Answers ---- */

/* Cost of the best solution in the unit of the problem. If the problem maximises, this is the maximised value. */
QAPFW_API double qapfw_answer_cost(const qapfw_answer* answer);
/* Location of each facility. For problems other than the QAP: the solution's first list of numbers, such as a
 * permutation. */
QAPFW_API const int64_t* qapfw_answer_assignment(const qapfw_answer* answer, uint64_t* size);
/* 1: a bound proves that no solution is better, or the list of known optima says so; else 0. In result.json this is
 * "optimal". */
QAPFW_API int32_t qapfw_answer_is_optimal(const qapfw_answer* answer);
/* 1: the best solution meets the instance's demands; 0: it breaks one; -1: the problem cannot say. */
QAPFW_API int32_t qapfw_answer_is_feasible(const qapfw_answer* answer);
/* Why the search ended: "time_limit", "target", "optimal", "cancelled", ... as stop_reason in result.json. */
QAPFW_API const char* qapfw_answer_reason(const qapfw_answer* answer);
/* Seconds of search, and number of candidates whose cost became known. */
QAPFW_API double qapfw_answer_seconds(const qapfw_answer* answer);
QAPFW_API uint64_t qapfw_answer_evaluations(const qapfw_answer* answer);
/* The best proven bound, which the problem states or the run computed: no solution is better. Returns 1, or 0 if
 * no bound is known. */
QAPFW_API int32_t qapfw_answer_bound(const qapfw_answer* answer, double* bound);
/* Number of good solutions, which all differ. */
QAPFW_API uint64_t qapfw_answer_solution_count(const qapfw_answer* answer);
/* Solution `index` and its cost; index 0 is the best. Null: the index is too large. */
QAPFW_API const int64_t* qapfw_answer_solution(const qapfw_answer* answer, uint64_t index, double* cost);
/* The improvements of the best cost in their order; the last one has the answer's cost. */
typedef struct qapfw_trace_point {
    double seconds;       /* seconds of search until the improvement */
    double cost;          /* cost of the best solution after the improvement */
    uint64_t evaluations; /* number of solutions whose cost was known at the improvement */
} qapfw_trace_point;
QAPFW_API const qapfw_trace_point* qapfw_answer_trace(const qapfw_answer* answer, uint64_t* count);
/* Tells why the search failed after it had found a solution, or else why its record is incomplete. "": neither. */
QAPFW_API const char* qapfw_answer_failure(const qapfw_answer* answer);
/* Makes the files that the problem writes for the best solution, such as "layout.svg" or "assignment.csv". Only
 * the first call makes them. `model` must be the model whose search gave the answer. The files live as long as the
 * answer. */
QAPFW_API qapfw_call_status qapfw_answer_make_files(const qapfw_model* model, qapfw_answer* answer, uint64_t* count);
/* The content of one of these files; null if the index is too large. */
QAPFW_API const char* qapfw_answer_file(const qapfw_answer* answer, uint64_t index, const char** name, uint64_t* size);
/* Everything known about the run, in the form of result.json. Only the first call makes the text. Null if
 * memory runs out. */
QAPFW_API const char* qapfw_answer_json(const qapfw_answer* answer);
/* Frees an answer. Null is ignored. */
QAPFW_API void qapfw_answer_free(qapfw_answer* answer);

/* ---- Linear assignment ---- */

/* Gives each row of a FLOAT64 matrix a column of its own, so that the sum of the chosen entries is least. If
 * `maximize` is not 0, the sum is greatest. The matrix must have at least as many columns as rows. `columns`
 * receives the column of each row. O(rows^2 columns). */
QAPFW_API qapfw_call_status qapfw_linear_assignment(const qapfw_matrix* costs, int32_t maximize, int64_t* columns);

#ifdef __cplusplus
}
#endif
#endif
