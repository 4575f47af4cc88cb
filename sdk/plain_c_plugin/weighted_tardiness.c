/* SPDX-License-Identifier: Apache-2.0 */
/* A problem plugin in plain C: total weighted tardiness on one machine. n jobs with processing time p, due date d and
 * weight w run one after the other. The task is to find the order with the least sum of w * max(0, completion - d).
 * Instance file: n, then "p d w" per job. Source: Lawler, Annals of Discrete Mathematics 1, 1977. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qapfw/abi/plugin.h"

#define MAX_JOBS 10000
#define MAX_VALUE 100000 /* largest p, d and w: a cost is at most 10^4 * 10^5 * 10^9 = 10^18 < 2^63 */

typedef struct job {
    int64_t processing, due, weight;
} job;

/* [c-object] The object behind the opaque pointer: the framework never looks inside. */
struct qapfw_problem {
    const qapfw_host* host;
    qapfw_problem_info info;
    qapfw_segment segment;
    char name[256];
    job* jobs;
};
/* [c-object-end] */

static qapfw_status fail(const qapfw_host* host, qapfw_status status, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    host->set_error(host->context, text, size);
    return status;
}

/* Reads one integer from 0 to MAX_VALUE; returns 0 if the file holds something else. */
static int read_value(FILE* file, int64_t* value) {
    return fscanf(file, "%" SCNd64, value) == 1 && *value >= 0 && *value <= MAX_VALUE;
}

static qapfw_status read_jobs(qapfw_problem* problem, FILE* file, const char* path) {
    int64_t n = 0;
    if (!read_value(file, &n) || n < 1 || n > MAX_JOBS) {
        return fail(problem->host, QAPFW_ERROR_INPUT, "%s: wanted the number of jobs, 1 to %d", path, MAX_JOBS);
    }
    problem->jobs = calloc((size_t)n, sizeof *problem->jobs);
    if (problem->jobs == NULL) return fail(problem->host, QAPFW_ERROR_MEMORY, "out of memory");
    for (int64_t k = 0; k < n; ++k) {
        job* j = &problem->jobs[k];
        if (!read_value(file, &j->processing) || !read_value(file, &j->due) || !read_value(file, &j->weight)) {
            return fail(problem->host, QAPFW_ERROR_INPUT,
                        "%s: job %" PRId64 ": wanted processing time, due date and weight, each 0 to %d", path, k + 1,
                        MAX_VALUE);
        }
    }
    char rest = 0;
    if (fscanf(file, " %c", &rest) == 1) {
        return fail(problem->host, QAPFW_ERROR_INPUT, "%s: wanted the end of the file after %" PRId64 " jobs", path, n);
    }
    problem->info.n = (uint32_t)n;
    return QAPFW_OK;
}

static uint64_t fingerprint(const qapfw_problem* problem) {
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a, but over whole numbers instead of bytes */
    for (uint32_t k = 0; k < problem->info.n; ++k) {
        const int64_t values[3] = {problem->jobs[k].processing, problem->jobs[k].due, problem->jobs[k].weight};
        for (int v = 0; v < 3; ++v) hash = (hash ^ (uint64_t)values[v]) * 0x100000001B3u;
    }
    return hash;
}

static void destroy(qapfw_problem* problem) {
    if (problem != NULL) free(problem->jobs);
    free(problem);
}

/* [c-create] */
static qapfw_status create(const qapfw_host* host, const qapfw_parameters* parameters, qapfw_problem** out) {
    const char* path = parameters->values[0].text;
    FILE* file = fopen(path, "r");
    if (file == NULL) return fail(host, QAPFW_ERROR_INPUT, "%s: %s", path, strerror(errno));
    qapfw_problem* problem = calloc(1, sizeof *problem);
    if (problem == NULL) {
        fclose(file);
        return fail(host, QAPFW_ERROR_MEMORY, "out of memory");
    }
    problem->host = host;
    const qapfw_status status = read_jobs(problem, file, path);
    fclose(file);
    if (status != QAPFW_OK) {
        destroy(problem);
        return status;
    }
    const char* slash = strrchr(path, '/');
    snprintf(problem->name, sizeof problem->name, "%s", slash == NULL ? path : slash + 1);
    problem->segment =
        (qapfw_segment){.kind = QAPFW_SEGMENT_PERMUTATION, .length = problem->info.n, .element_bytes = 2};
    problem->info.struct_size = sizeof problem->info;
    problem->info.encoding = (qapfw_encoding){
        sizeof(qapfw_encoding), 1, &problem->segment, ((uint64_t)problem->info.n * 2 + 15) / 16 * 16, NULL, NULL};
    problem->info.cost_kind = QAPFW_COST_INT64;
    problem->info.sense = 1;
    problem->info.display_divisor = 1;
    problem->info.instance = problem->name;
    problem->info.summary = "total weighted tardiness on one machine";
    problem->info.fingerprint = fingerprint(problem);
    problem->info.has_lower_bound = 1; /* lower_bound is 0: no job is late */
    *out = problem;
    return QAPFW_OK;
}
/* [c-create-end] */

static const qapfw_problem_info* info(qapfw_problem* problem) {
    return &problem->info;
}

/* [c-evaluate] */
static qapfw_status evaluate(qapfw_problem* problem, const qapfw_batch* batch) {
    const uint32_t n = problem->info.n;
    for (uint64_t k = 0; k < batch->count; ++k) {
        const char* bytes = (const char*)batch->solutions + k * problem->info.encoding.solution_bytes;
        const uint16_t* order = (const uint16_t*)(const void*)bytes;
        unsigned char seen[MAX_JOBS] = {0};
        int64_t time = 0, cost = 0;
        for (uint32_t i = 0; i < n; ++i) {
            if (order[i] >= n || seen[order[i]]++) {
                return fail(problem->host, QAPFW_ERROR_INPUT,
                            "position %" PRIu32 " repeats a job or holds an unknown job", i + 1);
            }
            const job* j = &problem->jobs[order[i]];
            time += j->processing;
            if (time > j->due) cost += j->weight * (time - j->due);
        }
        batch->costs[k].i = cost;
    }
    return QAPFW_OK;
}
/* [c-evaluate-end] */

static qapfw_status write_artefacts(qapfw_problem* problem, const void* solution, qapfw_cost cost, qapfw_emit emit,
                                    void* user) {
    (void)cost;
    const uint16_t* order = solution;
    char* text = malloc((size_t)problem->info.n * 6 + 1);
    if (text == NULL) return fail(problem->host, QAPFW_ERROR_MEMORY, "out of memory");
    size_t size = 0;
    for (uint32_t i = 0; i < problem->info.n; ++i) size += (size_t)sprintf(text + size, "%d\n", order[i] + 1);
    emit(user, "solution.txt", "text/plain", text, size);
    free(text);
    return QAPFW_OK;
}

/* [c-entry] */
static const void* get_capability(const char* id) {
    (void)id; /* nothing beyond the required functions */
    return NULL;
}
static const qapfw_parameter parameters[] = {
    {"instance", QAPFW_PARAMETER_TEXT, QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_PATH, NULL, 0, 0, NULL, NULL, NULL,
     "The instance file: n, then processing time, due date and weight of each job."}};
static const qapfw_problem_table table = {sizeof table, create, destroy, info, evaluate, NULL, write_artefacts, NULL};
static const qapfw_component component = {
    .struct_size = sizeof component,
    .kind = QAPFW_KIND_PROBLEM,
    .id = "weighted_tardiness",
    .version = "1.0.0",
    .summary = "Total weighted tardiness on one machine: the order of jobs with the least sum of weighted delays.",
    .reference = "Lawler, Annals of Discrete Mathematics 1, 1977",
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .parameter_size = sizeof parameters[0],
    .parameters = parameters,
    .table = &table,
    .backends = QAPFW_BACKEND_CPU,
    .get_capability = get_capability};
static const qapfw_component* const components[] = {&component};

const qapfw_plugin qapfw_plugin_entry = {QAPFW_PLUGIN_MAGIC,
                                         sizeof(qapfw_plugin),
                                         QAPFW_ABI_MAJOR,
                                         QAPFW_ABI_MINOR,
                                         1,
                                         QAPFW_PLUGIN_PLATFORM,
                                         "org.example.tardiness",
                                         "1.0.0",
                                         "C11 compiler",
                                         "Apache-2.0",
                                         components};
/* [c-entry-end] */
