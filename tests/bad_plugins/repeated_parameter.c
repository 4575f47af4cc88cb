/* SPDX-License-Identifier: Apache-2.0 */
/* Two parameters of one name. */
#define MINIMAL_PARAMETERS                                                                                   \
    {                                                                                                        \
        {"size", QAPFW_PARAMETER_INTEGER, 0, "8", 1, 1000, NULL, NULL, "n", "Length of the permutation."}, { \
            "size", QAPFW_PARAMETER_REAL, 0, "0.5", 0, 1, NULL, NULL, NULL, "Another one."                   \
        }                                                                                                    \
    }
#include "minimal_plugin.h"
