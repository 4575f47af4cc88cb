// SPDX-License-Identifier: Apache-2.0
// slicing_flow_avx2: see slicing_flow_body.hpp.
#define QAPFW_TARGET __attribute__((target("avx2")))
#define QAPFW_VECTOR_BYTES 32
#define QAPFW_SLICING_FLOW slicing_flow_avx2
#define QAPFW_SQRT_PD _mm256_sqrt_pd
#include "problems/uaflp/slicing_flow_body.hpp"
