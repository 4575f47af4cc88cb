// SPDX-License-Identifier: Apache-2.0
// Tests the device code that computes a child's cost from its parent's, on emulated warps, for several forms of the
// QAP.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/emulated_intrinsics.hpp"

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/philox.hpp"

#define QAP_VARIANT bytes_in_halves
#define QAP_N 40
#define QAP_MOVABLE 40
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_RANGE 256
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT asymmetric_with_diagonals
#define QAP_N 70
#define QAP_MOVABLE 70
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 0
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int32_t
#define QAP_RANGE 256
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT symmetric_with_diagonals
#define QAP_N 31
#define QAP_MOVABLE 31
#define QAP_ELEMENT uint32_t
#define QAP_PLANES 4
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int64_t
#define QAP_RANGE 0x03FFFFFFu
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT words_in_halves
#define QAP_N 64
#define QAP_MOVABLE 60
#define QAP_ELEMENT uint16_t
#define QAP_PLANES 2
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int64_t
#define QAP_RANGE 65536
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT beyond_registers
#define QAP_N 258
#define QAP_MOVABLE 258
#define QAP_ELEMENT uint16_t
#define QAP_PLANES 2
#define QAP_SYMMETRIC 0
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int64_t
#define QAP_RANGE 65536
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT packed_bytes_at_the_limit
#define QAP_N 128
#define QAP_MOVABLE 128
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int32_t
#define QAP_RANGE 256
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT bytes_beyond_the_limit
#define QAP_N 129
#define QAP_MOVABLE 129
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_RANGE 256
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

#define QAP_VARIANT a_single_position
#define QAP_N 1
#define QAP_MOVABLE 1
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE float
#define QAP_RANGE 256
#include "tests/unit/problems/qap/device/child_cost_variant.hpp"

TEST_CASE("the device's cost of a child from its parent's is the full cost, whatever they share") {
#if defined(QAPFW_THREAD_SANITIZER)
    MESSAGE("SKIPPED: fibers are slow under the thread sanitizer, and one GPU is one thread");
#else
    qapfw::bytes_in_halves::check_child_costs(1);
    qapfw::asymmetric_with_diagonals::check_child_costs(2);
    qapfw::symmetric_with_diagonals::check_child_costs(3);
    qapfw::words_in_halves::check_child_costs(4);
    qapfw::beyond_registers::check_child_costs(5);
    qapfw::packed_bytes_at_the_limit::check_child_costs(6);
    qapfw::bytes_beyond_the_limit::check_child_costs(7);
    qapfw::a_single_position::check_child_costs(8);
#endif
}
