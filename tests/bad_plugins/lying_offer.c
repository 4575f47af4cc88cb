/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, but its solver offers a solution with a wrong cost within its first round. Then it works until it is
 * stopped. */
#define MINIMAL_ID "lying_offer"
#define MINIMAL_RUN offering_run
#include <time.h>

#include "qapfw/abi/plugin.h"
static qapfw_status offering_run(qapfw_solver*, const qapfw_run*);
#include "minimal_plugin.h"

static qapfw_status offering_run(qapfw_solver* solver, const qapfw_run* run) {
    const struct timespec pause = {0, 10000000};
    const uint32_t n = solver->problem.problem->info.n;
    uint16_t solution[1008] = {0};
    const qapfw_cost cost = {1};
    if (run->begin_round(run->context, 1) == 0) return QAPFW_OK;
    for (uint32_t k = 0; k < n; ++k) solution[k] = (uint16_t)(n - 1 - k);
    run->offer(run->context, solution, cost);
    while (!run->should_stop(run->context)) nanosleep(&pause, NULL);
    return QAPFW_OK;
}
