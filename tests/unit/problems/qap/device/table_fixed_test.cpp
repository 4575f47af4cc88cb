// SPDX-License-Identifier: Apache-2.0
#define qap qap_table_fixed
#define QAP_N 11
#define QAP_MOVABLE 8
#define QAP_SYMMETRIC 0
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int64_t
#define QAP_ELEMENT uint32_t
#define QAP_PLANES 1
#include "tests/unit/problems/qap/device/emulated_table.hpp"

TEST_CASE("table neighbourhood on the device: fixed positions, asymmetric matrices and diagonals") {
    using namespace qapfw::qap;
    check_table<2>(4);
}
