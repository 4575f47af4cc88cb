// SPDX-License-Identifier: Apache-2.0
// slicing_flow_plain: see slicing_flow_body.hpp.
#define QAPFW_TARGET
#define QAPFW_VECTOR_BYTES 16
#define QAPFW_SLICING_FLOW slicing_flow_plain
#define QAPFW_SQRT_PD _mm_sqrt_pd
#include "problems/uaflp/slicing_flow_body.hpp"
