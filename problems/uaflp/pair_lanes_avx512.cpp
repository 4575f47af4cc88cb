// SPDX-License-Identifier: Apache-2.0
// pair_sums_avx512 and row_sum_avx512: see pair_lanes_body.hpp. The square roots have a mask that selects all lanes,
// because GCC 12 gives a false warning about square roots without a mask.
#define QAPFW_TARGET __attribute__((target("avx512f")))
#define QAPFW_VECTOR_BYTES 64
#define QAPFW_PAIR_SUMS pair_sums_avx512
#define QAPFW_ROW_SUM row_sum_avx512
#define QAPFW_SQRT_PD(v) _mm512_mask_sqrt_pd(v, 0xFF, v)
#define QAPFW_SQRT_PS(v) _mm512_mask_sqrt_ps(v, 0xFFFF, v)
#include "problems/uaflp/pair_lanes_body.hpp"
