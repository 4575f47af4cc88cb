// SPDX-License-Identifier: Apache-2.0
// slicing_flow_avx512: see slicing_flow_body.hpp. The square root has a mask that selects all lanes, because GCC 12
// gives a false warning about the square root without a mask.
#define QAPFW_TARGET __attribute__((target("avx512f")))
#define QAPFW_VECTOR_BYTES 64
#define QAPFW_SLICING_FLOW slicing_flow_avx512
#define QAPFW_SQRT_PD(v) _mm512_mask_sqrt_pd(v, 0xFF, v)
#include "problems/uaflp/slicing_flow_body.hpp"
