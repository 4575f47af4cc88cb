/* SPDX-License-Identifier: Apache-2.0 */
/* A complete plugin in plain C: the problem "minimal" (the sum of |p(k) - k|), and a solver and an improver that change
 * nothing. Each bad plugin sets one of the macros below, or wraps one function, and is in all else like this one. */
#ifndef QAPFW_TESTS_MINIMAL_PLUGIN_H
#define QAPFW_TESTS_MINIMAL_PLUGIN_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "qapfw/abi/plugin.h"
#include "qapfw/abi/solver.h"
#include "qapfw/abi/swap_neighbourhood.h"

#ifndef MINIMAL_MAGIC
#define MINIMAL_MAGIC QAPFW_PLUGIN_MAGIC
#endif
#ifndef MINIMAL_ABI_MAJOR
#define MINIMAL_ABI_MAJOR QAPFW_ABI_MAJOR
#endif
#ifndef MINIMAL_PLATFORM
#define MINIMAL_PLATFORM QAPFW_PLUGIN_PLATFORM
#endif
#ifndef MINIMAL_PLUGIN_SIZE
#define MINIMAL_PLUGIN_SIZE sizeof(qapfw_plugin)
#endif
#ifndef MINIMAL_COMPONENT_COUNT
#define MINIMAL_COMPONENT_COUNT 3
#endif
#ifndef MINIMAL_COMPONENT_SIZE
#define MINIMAL_COMPONENT_SIZE sizeof(qapfw_component)
#endif
#ifndef MINIMAL_TABLE_SIZE
#define MINIMAL_TABLE_SIZE sizeof(qapfw_problem_table)
#endif
#ifndef MINIMAL_ID
#define MINIMAL_ID "minimal"
#endif
#ifndef MINIMAL_SOLVER_ID
#define MINIMAL_SOLVER_ID MINIMAL_ID
#endif
#ifndef MINIMAL_BACKENDS
#define MINIMAL_BACKENDS QAPFW_BACKEND_CPU
#endif
#ifndef MINIMAL_PROBLEM_CREATE
#define MINIMAL_PROBLEM_CREATE minimal_create
#endif
#ifndef MINIMAL_EVALUATE
#define MINIMAL_EVALUATE minimal_evaluate
#endif
#ifndef MINIMAL_RUN
#define MINIMAL_RUN minimal_run
#endif
#ifndef MINIMAL_COST_KIND
#define MINIMAL_COST_KIND QAPFW_COST_INT64
#endif
#ifndef MINIMAL_PARAMETER_COUNT
#define MINIMAL_PARAMETER_COUNT (sizeof(minimal_parameters) / sizeof(minimal_parameters[0]))
#endif
#ifndef MINIMAL_PARAMETER_SIZE
#define MINIMAL_PARAMETER_SIZE sizeof(qapfw_parameter)
#endif
#ifndef MINIMAL_PARAMETERS
#define MINIMAL_PARAMETERS                                                                                  \
    {                                                                                                       \
        { "size", QAPFW_PARAMETER_INTEGER, 0, "8", 1, 1000, NULL, NULL, "n", "Length of the permutation." } \
    }
#endif

static const qapfw_parameter minimal_parameters[] = MINIMAL_PARAMETERS;

struct qapfw_problem {
    qapfw_segment segment;
    qapfw_problem_info info;
};

static inline qapfw_status minimal_create(const qapfw_host* host, const qapfw_parameters* parameters,
                                          qapfw_problem** out) {
    (void)host;
    qapfw_problem* problem = (qapfw_problem*)calloc(1, sizeof(qapfw_problem));
    if (problem == NULL) return QAPFW_ERROR_MEMORY;
    const uint32_t n = parameters != NULL && parameters->count > 0 ? (uint32_t)parameters->values[0].integer : 8;
    problem->segment.kind = QAPFW_SEGMENT_PERMUTATION;
    problem->segment.length = n;
    problem->segment.element_bytes = 2;
    problem->info.struct_size = sizeof(qapfw_problem_info);
    problem->info.n = n;
    problem->info.encoding.struct_size = sizeof(qapfw_encoding);
    problem->info.encoding.segment_count = 1;
    problem->info.encoding.segments = &problem->segment;
    problem->info.encoding.solution_bytes = (2 * (uint64_t)n + 15) / 16 * 16;
    problem->info.cost_kind = MINIMAL_COST_KIND;
    problem->info.sense = 1;
    problem->info.display_divisor = 1;
    problem->info.instance = "minimal";
    problem->info.summary = "sum of |p(k) - k|";
    *out = problem;
    return QAPFW_OK;
}

static inline void minimal_destroy(qapfw_problem* problem) {
    free(problem);
}

static inline const qapfw_problem_info* minimal_info(qapfw_problem* problem) {
    return &problem->info;
}

static inline int64_t minimal_cost(const qapfw_problem* problem, const void* solution) {
    const uint16_t* p = (const uint16_t*)solution;
    int64_t cost = 0;
    for (uint32_t k = 0; k < problem->info.n; ++k) cost += llabs((long long)p[k] - (long long)k);
    return cost;
}

static inline qapfw_status minimal_evaluate(qapfw_problem* problem, const qapfw_batch* batch) {
    for (uint64_t k = 0; k < batch->count; ++k) {
        const char* solution = (const char*)batch->solutions + k * problem->info.encoding.solution_bytes;
        batch->costs[k].i = minimal_cost(problem, solution);
    }
    return QAPFW_OK;
}

static inline qapfw_status minimal_write(qapfw_problem* problem, const void* solution, qapfw_cost cost, qapfw_emit emit,
                                         void* user) {
    (void)problem;
    (void)solution;
    (void)cost;
    emit(user, "solution.sln", "text/plain", "minimal\n", 8);
    return QAPFW_OK;
}

struct qapfw_solver {
    qapfw_problem_ref problem;
};

static inline qapfw_status minimal_solver_create(const qapfw_host* host, const qapfw_parameters* parameters,
                                                 const qapfw_problem_ref* problem, const qapfw_improver_ref* improver,
                                                 qapfw_solver** out) {
    (void)host;
    (void)parameters;
    (void)improver;
    qapfw_solver* solver = (qapfw_solver*)calloc(1, sizeof(qapfw_solver));
    if (solver == NULL) return QAPFW_ERROR_MEMORY;
    solver->problem = *problem;
    *out = solver;
    return QAPFW_OK;
}

static inline void minimal_solver_destroy(qapfw_solver* solver) {
    free(solver);
}

/* Reports the identity, whose cost is 0, one iteration per round. */
static inline qapfw_status minimal_run(qapfw_solver* solver, const qapfw_run* run) {
    const qapfw_problem_info* info = solver->problem.table->info(solver->problem.problem);
    uint16_t* solution = (uint16_t*)calloc(1, info->encoding.solution_bytes);
    if (solution == NULL) return QAPFW_ERROR_MEMORY;
    for (uint32_t k = 0; k < info->n; ++k) solution[k] = (uint16_t)k;
    qapfw_round round;
    memset(&round, 0, sizeof(round));
    round.struct_size = sizeof(round);
    round.complete = 1;
    round.best_solution = solution;
    qapfw_batch batch = {solution, &round.best_cost, 1};
    qapfw_status status = solver->problem.table->evaluate(solver->problem.problem, &batch);
    while (status == QAPFW_OK && run->begin_round(run->context, 1) != 0) {
        round.iterations = 1;
        round.evaluations = 1;
        status = run->end_round(run->context, &round);
    }
    free(solution);
    return status;
}

static inline qapfw_status minimal_improver_create(const qapfw_host* host, const qapfw_parameters* parameters,
                                                   const qapfw_problem_ref* problem, qapfw_improver** out) {
    (void)host;
    (void)parameters;
    (void)problem;
    *out = (qapfw_improver*)malloc(1);
    return *out == NULL ? QAPFW_ERROR_MEMORY : QAPFW_OK;
}

static inline void minimal_improver_destroy(qapfw_improver* improver) {
    free(improver);
}

static inline qapfw_status minimal_workspace_create(qapfw_improver* improver, qapfw_workspace** out) {
    (void)improver;
    *out = (qapfw_workspace*)malloc(1);
    return *out == NULL ? QAPFW_ERROR_MEMORY : QAPFW_OK;
}

static inline void minimal_workspace_destroy(qapfw_workspace* workspace) {
    free(workspace);
}

static inline qapfw_status minimal_improve(qapfw_workspace* workspace, const qapfw_batch* batch,
                                           const qapfw_improve_request* request, uint64_t* evaluations) {
    (void)workspace;
    (void)batch;
    (void)request;
    (void)evaluations;
    return QAPFW_OK;
}

/* The improver on GPUs, with its capacity and the evaluations of each solution. */
static qapfw_status minimal_device_create(qapfw_improver* improver, const qapfw_device* device, uint64_t capacity,
                                          qapfw_device_workspace** out) {
    (void)improver;
    (void)device;
    (void)capacity;
    *out = (qapfw_device_workspace*)malloc(1);
    return *out == NULL ? QAPFW_ERROR_MEMORY : QAPFW_OK;
}
static void minimal_device_destroy(qapfw_device_workspace* workspace) {
    free(workspace);
}
static qapfw_status minimal_device_enqueue(qapfw_device_workspace* workspace, qapfw_stream* stream,
                                           const qapfw_device_batch* batch, const qapfw_improve_request* request) {
    (void)workspace;
    (void)stream;
    (void)batch;
    (void)request->evaluations; /* stays: nothing is evaluated */
    return QAPFW_OK;
}
static uint64_t minimal_device_evaluations(qapfw_device_workspace* workspace) {
    (void)workspace;
    return 0;
}
static uint64_t minimal_device_capacity(qapfw_improver* improver, const qapfw_device* device) {
    (void)improver;
    return device->multiprocessors;
}
static const qapfw_improver_device minimal_improver_device = {sizeof(qapfw_improver_device),
                                                              minimal_device_create,
                                                              minimal_device_destroy,
                                                              minimal_device_enqueue,
                                                              minimal_device_evaluations,
                                                              1,
                                                              minimal_device_capacity,
                                                              1,
                                                              NULL};
static const void* minimal_improver_capability(const char* id) {
    return id != NULL && strcmp(id, QAPFW_IMPROVER_DEVICE) == 0 ? &minimal_improver_device : NULL;
}

#ifndef MINIMAL_GET_CAPABILITY
#define MINIMAL_GET_CAPABILITY minimal_get_capability
static const void* minimal_get_capability(const char* id) {
    (void)id;
    return NULL;
}
#endif

/* Runs begin on the CPU. */
#ifndef MINIMAL_SOLVER_CAPABILITY
#define MINIMAL_SOLVER_CAPABILITY minimal_solver_capability
static const char* const minimal_moves[] = {NULL};
static const void* minimal_solver_capability(const char* id) {
    return id != NULL && strcmp(id, QAPFW_SOLVER_MOVES) == 0 ? (const void*)minimal_moves : NULL;
}
#endif

static const qapfw_problem_table minimal_problem_table = {MINIMAL_TABLE_SIZE, MINIMAL_PROBLEM_CREATE,
                                                          minimal_destroy,    minimal_info,
                                                          MINIMAL_EVALUATE,   NULL,
                                                          minimal_write,      NULL};
static const qapfw_solver_table minimal_solver_table = {
    sizeof(qapfw_solver_table), minimal_solver_create, minimal_solver_destroy, MINIMAL_RUN, NULL, NULL};
static const qapfw_improver_table minimal_improver_table = {sizeof(qapfw_improver_table), minimal_improver_create,
                                                            minimal_improver_destroy,     minimal_workspace_create,
                                                            minimal_workspace_destroy,    minimal_improve};

static const qapfw_component minimal_problem = {MINIMAL_COMPONENT_SIZE,
                                                QAPFW_KIND_PROBLEM,
                                                MINIMAL_ID,
                                                "1.0.0",
                                                "Sum of |p(k) - k|.",
                                                NULL,
                                                MINIMAL_PARAMETER_COUNT,
                                                MINIMAL_PARAMETER_SIZE,
                                                minimal_parameters,
                                                &minimal_problem_table,
                                                NULL,
                                                MINIMAL_BACKENDS,
                                                0,
                                                MINIMAL_GET_CAPABILITY};
static const qapfw_component minimal_solver = {sizeof(qapfw_component),
                                               QAPFW_KIND_SOLVER,
                                               MINIMAL_SOLVER_ID,
                                               "1.0.0",
                                               "Reports the identity.",
                                               NULL,
                                               0,
                                               0,
                                               NULL,
                                               &minimal_solver_table,
                                               "permutation permutation+bays",
                                               QAPFW_BACKEND_CPU,
                                               1,
                                               MINIMAL_SOLVER_CAPABILITY};
static const qapfw_component minimal_improver = {sizeof(qapfw_component),
                                                 QAPFW_KIND_IMPROVER,
                                                 MINIMAL_ID,
                                                 "1.0.0",
                                                 "Changes nothing.",
                                                 NULL,
                                                 0,
                                                 0,
                                                 NULL,
                                                 &minimal_improver_table,
                                                 NULL,
                                                 QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
                                                 0,
                                                 minimal_improver_capability};
static const qapfw_component* const minimal_components[] = {&minimal_problem, &minimal_solver, &minimal_improver};

const qapfw_plugin qapfw_plugin_entry = {MINIMAL_MAGIC,
                                         MINIMAL_PLUGIN_SIZE,
                                         MINIMAL_ABI_MAJOR,
                                         QAPFW_ABI_MINOR,
                                         MINIMAL_COMPONENT_COUNT,
                                         MINIMAL_PLATFORM,
                                         "qapfw.tests.minimal",
                                         "1.0.0",
                                         "C",
                                         "Apache-2.0",
                                         minimal_components};
#endif
