/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose solver alone has the name of another library's. */
#define MINIMAL_ID "namesake"
#define MINIMAL_SOLVER_ID "minimal"
#include "minimal_plugin.h"
