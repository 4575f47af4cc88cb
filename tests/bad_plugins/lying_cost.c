/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, but its solver reports a wrong cost of its solution. */
#define MINIMAL_ID "lying_cost"
#define MINIMAL_RUN lying_run
#include "qapfw/abi/plugin.h"
static qapfw_status lying_run(qapfw_solver*, const qapfw_run*);
#include "minimal_plugin.h"

static const qapfw_run* true_run;

static qapfw_status lying_end_round(void* context, const qapfw_round* round) {
    qapfw_round lie = *round;
    lie.best_cost.i -= 1000;
    return true_run->end_round(context, &lie);
}

static qapfw_status lying_run(qapfw_solver* solver, const qapfw_run* run) {
    qapfw_run changed = *run;
    true_run = run;
    changed.end_round = lying_end_round;
    return minimal_run(solver, &changed);
}
