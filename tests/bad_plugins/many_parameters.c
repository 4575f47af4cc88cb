/* SPDX-License-Identifier: Apache-2.0 */
/* Claims four billion parameters. */
#define MINIMAL_PARAMETER_COUNT 0xFFFFFFFFU
#include "minimal_plugin.h"
