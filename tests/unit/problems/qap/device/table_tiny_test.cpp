// SPDX-License-Identifier: Apache-2.0
#define qap qap_table_tiny
#define QAP_N 2
#define QAP_MOVABLE 2
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#include "tests/unit/problems/qap/device/emulated_table.hpp"

TEST_CASE("table neighbourhood on the device: two positions") {
    using namespace qapfw::qap;
    check_table<1>(6);
}
