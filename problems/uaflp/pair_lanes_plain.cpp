// SPDX-License-Identifier: Apache-2.0
// pair_sums_plain and row_sum_plain: see pair_lanes_body.hpp.
#define QAPFW_TARGET
#define QAPFW_VECTOR_BYTES 16
#define QAPFW_PAIR_SUMS pair_sums_plain
#define QAPFW_ROW_SUM row_sum_plain
#define QAPFW_SQRT_PD _mm_sqrt_pd
#define QAPFW_SQRT_PS _mm_sqrt_ps
#include "problems/uaflp/pair_lanes_body.hpp"
