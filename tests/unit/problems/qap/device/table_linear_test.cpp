// SPDX-License-Identifier: Apache-2.0
#define qap qap_table_linear
#define QAP_N 13
#define QAP_MOVABLE 11
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_LINEAR 1
#define QAP_WHOLE 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int32_t
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#include "tests/unit/problems/qap/device/emulated_table.hpp"

TEST_CASE("table neighbourhood on the device: linear costs, symmetric matrices") {
    using namespace qapfw::qap;
    check_table<1>(1);
    check_table<3>(2);
}
