/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, but its problem's costs are not numbers. */
#define MINIMAL_ID "nan_cost"
#define MINIMAL_COST_KIND QAPFW_COST_FLOAT64
#define MINIMAL_EVALUATE nan_evaluate
#include <math.h>

#include "qapfw/abi/plugin.h"
static qapfw_status nan_evaluate(qapfw_problem*, const qapfw_batch*);
#include "minimal_plugin.h"

static qapfw_status nan_evaluate(qapfw_problem* problem, const qapfw_batch* batch) {
    (void)problem;
    for (uint64_t k = 0; k < batch->count; ++k) batch->costs[k].f = (double)NAN;
    return QAPFW_OK;
}
