/* SPDX-License-Identifier: Apache-2.0 */
/* A capability's table lacks its functions. */
static const void* bad_capability(const char* id);
#define MINIMAL_GET_CAPABILITY bad_capability
#include "minimal_plugin.h"

static const qapfw_problem_instances instances = {sizeof(qapfw_problem_instances), NULL, NULL};

static const void* bad_capability(const char* id) {
    return strcmp(id, QAPFW_PROBLEM_INSTANCES) == 0 ? &instances : NULL;
}
