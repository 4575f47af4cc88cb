/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter's default does not keep to its own range. */
#define MINIMAL_PARAMETERS                                                                                     \
    {                                                                                                          \
        { "size", QAPFW_PARAMETER_INTEGER, 0, "2000", 1, 1000, NULL, NULL, "n", "Length of the permutation." } \
    }
#include "minimal_plugin.h"
