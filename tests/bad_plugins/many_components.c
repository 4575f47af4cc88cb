/* SPDX-License-Identifier: Apache-2.0 */
/* Claims four billion components. */
#define MINIMAL_COMPONENT_COUNT 0xFFFFFFFFU
#include "minimal_plugin.h"
