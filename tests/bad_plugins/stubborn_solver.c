/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, reports one round, and then never returns: it never asks whether to stop. */
#define MINIMAL_ID "stubborn_solver"
#define MINIMAL_RUN stubborn_run
#include <time.h>

#include "qapfw/abi/plugin.h"
static qapfw_status stubborn_run(qapfw_solver*, const qapfw_run*);
#include "minimal_plugin.h"

static const qapfw_run* true_run;
static int rounds;

static uint64_t stubborn_begin_round(void* context, uint64_t wanted) {
    const struct timespec pause = {0, 10000000};
    while (rounds > 0) nanosleep(&pause, NULL);
    ++rounds;
    return true_run->begin_round(context, wanted);
}

static qapfw_status stubborn_run(qapfw_solver* solver, const qapfw_run* run) {
    qapfw_run changed = *run;
    true_run = run;
    changed.begin_round = stubborn_begin_round;
    return minimal_run(solver, &changed);
}
