/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and works on the CPU. On a GPU its cost function writes out of bounds after it was called 200000 times. */
#define MINIMAL_ID "wild_kernel"
#define MINIMAL_BACKENDS (QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA)
#define MINIMAL_GET_CAPABILITY wild_get_capability
#include "qapfw/abi/plugin.h"
static const void* wild_get_capability(const char* id);
#include "minimal_plugin.h"

static const char wild_text[] =
    "#include \"qapfw/kernels/platform.hpp\"\n"
    "namespace qapfw::device {\n"
    "struct Problem {\n"
    "    struct View {\n"
    "        unsigned int* calls;\n"
    "    };\n"
    "    using Cost = int64_t;\n"
    "    static constexpr int kPositions = 8;\n"
    "    template <class Group, class Solution>\n"
    "    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {\n"
    "        if (group.rank() == 0 && atomicAdd(view.calls, 1u) >= 200000u) view.calls[1ull << 40] = 1;\n"
    "        int64_t sum = 0;\n"
    "        for (int k = group.rank(); k < kPositions; k += group.size()) {\n"
    "            const int value = static_cast<int>(solution(k));\n"
    "            sum += value < k ? k - value : value - k;\n"
    "        }\n"
    "        return group.sum(sum);\n"
    "    }\n"
    "};\n"
    "}\n";
static const uint32_t no_calls = 0;
static const uint64_t wild_view = 0;
static const qapfw_text wild_texts[] = {{"wild_kernel/problem.cuh", wild_text, sizeof(wild_text) - 1}};
static const qapfw_view_buffer wild_buffers[] = {{&no_calls, sizeof(no_calls), 0}};
static const qapfw_device_problem wild_problem = {
    sizeof(qapfw_device_problem), 1, wild_texts, &wild_view, sizeof(wild_view), 1, wild_buffers, NULL};

static const qapfw_device_problem* wild_describe(qapfw_problem* problem) {
    (void)problem;
    return &wild_problem;
}

static const qapfw_problem_device wild_device = {sizeof(qapfw_problem_device), wild_describe, NULL};

static const void* wild_get_capability(const char* id) {
    return id != NULL && strcmp(id, QAPFW_PROBLEM_DEVICE) == 0 ? &wild_device : NULL;
}
