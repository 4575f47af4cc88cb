/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter of a type that does not exist. */
#define MINIMAL_PARAMETERS                                                             \
    {                                                                                  \
        { "size", 77, 0, "8", 1, 1000, NULL, NULL, "n", "Length of the permutation." } \
    }
#include "minimal_plugin.h"
