/* SPDX-License-Identifier: Apache-2.0 */
/* A problem whose evaluation reads beyond an array (READS_BEYOND) or overflows a number (OVERFLOWS). Only
 * sanitizers see such a fault. Without either macro the problem is sound. */
#include <limits.h>
#include <stdlib.h>

#define MINIMAL_ID "reads_beyond"
#define MINIMAL_EVALUATE evaluate_wrongly
#include "qapfw/abi/plugin.h"
static qapfw_status evaluate_wrongly(qapfw_problem*, const qapfw_batch*);
#include "../abi/2.0/minimal.c"

static qapfw_status evaluate_wrongly(qapfw_problem* problem, const qapfw_batch* batch) {
    static volatile int sink;
    volatile int last = 3;
    int* const table = calloc(4, sizeof *table);
    if (table == NULL) return QAPFW_ERROR_MEMORY;
#ifdef READS_BEYOND
    sink = table[last + 1];
#else
    sink = table[last];
#endif
#ifdef OVERFLOWS
    sink = INT_MAX - 1;
    sink = sink + last;
#endif
    free(table);
    return minimal_evaluate(problem, batch);
}
