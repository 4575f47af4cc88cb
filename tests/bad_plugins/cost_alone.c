/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin without a fault: a problem that only computes its cost, on CPU and GPU, and fixes some elements. cost(p) =
 * sum over k of ((k + 1) * (7 p(k) + 3 p(k + 1))) mod 97, cyclically. Positions 0, 3 and 7 hold 2, 5 and 0. */
#define MINIMAL_ID "cost_alone"
#define MINIMAL_BACKENDS (QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA)
#define MINIMAL_GET_CAPABILITY cost_alone_get_capability
#define MINIMAL_PROBLEM_CREATE cost_alone_create
#define MINIMAL_EVALUATE cost_alone_evaluate
#define MINIMAL_PARAMETER_COUNT 0
#include "qapfw/abi/plugin.h"
static const void* cost_alone_get_capability(const char* id);
static qapfw_status cost_alone_create(const qapfw_host* host, const qapfw_parameters* parameters, qapfw_problem** out);
static qapfw_status cost_alone_evaluate(qapfw_problem* problem, const qapfw_batch* batch);
#include "minimal_plugin.h"

enum { kN = 24 };
static uint8_t fixed_positions[kN];
static uint16_t fixed_solution[kN];

static qapfw_status cost_alone_create(const qapfw_host* host, const qapfw_parameters* parameters, qapfw_problem** out) {
    (void)parameters;
    const qapfw_status status = minimal_create(host, NULL, out);
    if (status != QAPFW_OK) return status;
    qapfw_problem_info* info = &(*out)->info;
    (*out)->segment.length = kN;
    info->n = kN;
    info->encoding.solution_bytes = 2 * kN;
    info->encoding.fixed = fixed_positions;
    info->encoding.fixed_solution = fixed_solution;
    info->instance = "cost_alone";
    info->summary = "products modulo 97";
    for (int k = 0; k < kN; ++k) fixed_solution[k] = (uint16_t)((k + 2) % kN);
    fixed_solution[7] = 0;
    fixed_solution[22] = 9;
    fixed_positions[0] = fixed_positions[3] = fixed_positions[7] = 1;
    return QAPFW_OK;
}

static qapfw_status cost_alone_evaluate(qapfw_problem* problem, const qapfw_batch* batch) {
    (void)problem;
    for (uint64_t c = 0; c < batch->count; ++c) {
        const uint16_t* p = (const uint16_t*)batch->solutions + c * kN;
        int64_t cost = 0;
        for (int k = 0; k < kN; ++k) cost += (k + 1) * (7 * p[k] + 3 * p[(k + 1) % kN]) % 97;
        batch->costs[c].i = cost;
    }
    return QAPFW_OK;
}

static const char cost_alone_text[] =
    "#include \"qapfw/kernels/platform.hpp\"\n"
    "namespace qapfw::device {\n"
    "struct Problem {\n"
    "    struct View {\n"
    "        int n;\n"
    "    };\n"
    "    using Cost = int64_t;\n"
    "    static constexpr int kPositions = 24;\n"
    "    template <class Group, class Solution>\n"
    "    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {\n"
    "        int64_t sum = 0;\n"
    "        for (int k = group.rank(); k < view.n; k += group.size())\n"
    "            sum += (k + 1) * (7 * solution(k) + 3 * solution((k + 1) % view.n)) % 97;\n"
    "        return group.sum(sum);\n"
    "    }\n"
    "};\n"
    "}\n";
static const int32_t cost_alone_view = kN;
static const qapfw_text cost_alone_texts[] = {{"cost_alone/problem.cuh", cost_alone_text, sizeof(cost_alone_text) - 1}};
static const qapfw_device_problem cost_alone_problem = {
    sizeof(qapfw_device_problem), 1, cost_alone_texts, &cost_alone_view, sizeof(cost_alone_view), 0, NULL, NULL};

static const qapfw_device_problem* cost_alone_describe(qapfw_problem* problem) {
    (void)problem;
    return &cost_alone_problem;
}

static const qapfw_problem_device cost_alone_device = {sizeof(qapfw_problem_device), cost_alone_describe, NULL};

static const void* cost_alone_get_capability(const char* id) {
    return id != NULL && strcmp(id, QAPFW_PROBLEM_DEVICE) == 0 ? &cost_alone_device : NULL;
}
