// SPDX-License-Identifier: Apache-2.0
// pair_sums_avx2 and row_sum_avx2: see pair_lanes_body.hpp.
#define QAPFW_TARGET __attribute__((target("avx2")))
#define QAPFW_VECTOR_BYTES 32
#define QAPFW_PAIR_SUMS pair_sums_avx2
#define QAPFW_ROW_SUM row_sum_avx2
#define QAPFW_SQRT_PD _mm256_sqrt_pd
#define QAPFW_SQRT_PS _mm256_sqrt_ps
#include "problems/uaflp/pair_lanes_body.hpp"
