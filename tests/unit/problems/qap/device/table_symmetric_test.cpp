// SPDX-License-Identifier: Apache-2.0
#define qap qap_table_symmetric
#define QAP_N 13
#define QAP_MOVABLE 13
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#include "tests/unit/problems/qap/device/emulated_table.hpp"

TEST_CASE("table neighbourhood on the device: symmetric matrices") {
    using namespace qapfw::qap;
    check_table<1>(1);
    check_table<3>(2);
}
