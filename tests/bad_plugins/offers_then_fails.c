/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, but its solver offers two solutions within its first round, and then fails without having reported any. */
#define MINIMAL_ID "offers_then_fails"
#define MINIMAL_RUN offering_run
#include <time.h>

#include "qapfw/abi/plugin.h"
static qapfw_status offering_run(qapfw_solver*, const qapfw_run*);
#include "minimal_plugin.h"

static qapfw_status offering_run(qapfw_solver* solver, const qapfw_run* run) {
    const struct timespec pause = {0, 300000000};
    const qapfw_problem* problem = solver->problem.problem;
    const uint32_t n = problem->info.n;
    uint16_t solution[1008] = {0};
    qapfw_cost cost;
    if (run->begin_round(run->context, 1) == 0) return QAPFW_OK;
    for (uint32_t k = 0; k < n; ++k) solution[k] = (uint16_t)(n - 1 - k);
    cost.i = minimal_cost(problem, solution);
    run->offer(run->context, solution, cost);
    nanosleep(&pause, NULL);
    for (uint32_t k = 0; k < n; ++k) solution[k] = (uint16_t)k;
    cost.i = 0;
    run->offer(run->context, solution, cost);
    return QAPFW_ERROR;
}
