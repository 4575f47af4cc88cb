/* SPDX-License-Identifier: Apache-2.0 */
/* Declares that it splits its work among processes, but exchanges nothing. */
static const void* lone_capability(const char* id);
#define MINIMAL_ID "lone_solver"
#define MINIMAL_SOLVER_CAPABILITY lone_capability
#include "minimal_plugin.h"
#include "qapfw/abi/solver.h"

static const qapfw_solver_processes shares = {sizeof(qapfw_solver_processes)};

static const void* lone_capability(const char* id) {
    return strcmp(id, QAPFW_SOLVER_PROCESSES) == 0 ? &shares : NULL;
}
