/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a QAP whose matrices are in memory, prints each improvement, and stops after the tenth.
 *   cc solve.c $(pkg-config --cflags --libs qapfw) -o solve */
#include <inttypes.h>
#include <stdio.h>

#include "qapfw/qapfw.h"

enum { N = 30, MOST_IMPROVEMENTS = 10 };

static int32_t print_improvement(void* user, const qapfw_progress* progress) {
    int* improvements = user;
    if (!progress->improved) return 0;
    printf("%.3f s: %g\n", progress->seconds, progress->cost);
    return ++*improvements >= MOST_IMPROVEMENTS; /* nonzero: stop */
}

static int failed(const char* call) {
    fprintf(stderr, "%s: %s\n", call, qapfw_last_error());
    return 1;
}

int main(void) {
    double flow[N][N], distance[N][N];
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) {
            flow[i][j] = (i * 7 + j * 13) % 10 + 0.5;
            distance[i][j] = (i - j) * (i - j);
        }
    }
    qapfw_qap qap = {.struct_size = sizeof qap};
    qap.flow = (qapfw_matrix){flow, QAPFW_TYPE_FLOAT64, 0, N, N, sizeof flow[0], sizeof flow[0][0]};
    qap.distance = (qapfw_matrix){distance, QAPFW_TYPE_FLOAT64, 0, N, N, sizeof distance[0], sizeof distance[0][0]};

    int improvements = 0;
    const char* settings[] = {"run.time_limit", "2s", "run.seed", "7"};
    qapfw_solve_options options = {.struct_size = sizeof options, .option_count = 2, .options = settings};
    options.progress = print_improvement;
    options.user = &improvements;

    qapfw_session* session = NULL;
    qapfw_model* model = NULL;
    qapfw_answer* answer = NULL;
    if (qapfw_session_open(NULL, &session) != QAPFW_STATUS_OK) return failed("qapfw_session_open");
    if (qapfw_model_from_qap(session, &qap, &model) != QAPFW_STATUS_OK) return failed("qapfw_model_from_qap");
    if (qapfw_solve(model, &options, &answer) != QAPFW_STATUS_OK) return failed("qapfw_solve");

    uint64_t n = 0;
    const int64_t* location = qapfw_answer_assignment(answer, &n);
    printf("cost %g (%s):", qapfw_answer_cost(answer), qapfw_answer_reason(answer));
    for (uint64_t i = 0; i < n; ++i) printf(" %" PRId64, location[i]);
    printf("\n");
    qapfw_answer_free(answer);
    qapfw_model_free(model);
    qapfw_session_close(session);
    return 0;
}
