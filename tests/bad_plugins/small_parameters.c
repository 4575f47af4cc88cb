/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a parameter's declaration is nonsense. */
#define MINIMAL_PARAMETER_SIZE 12
#include "minimal_plugin.h"
