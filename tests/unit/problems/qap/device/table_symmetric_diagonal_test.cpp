// SPDX-License-Identifier: Apache-2.0
#define qap qap_table_symmetric_diagonal
#define QAP_N 9
#define QAP_MOVABLE 9
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 1
#define QAP_DELTA_SCALE 1
#define QAP_VALUE int32_t
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#include "tests/unit/problems/qap/device/emulated_table.hpp"

TEST_CASE("table neighbourhood on the device: symmetric matrices with diagonals") {
    using namespace qapfw::qap;
    check_table<1>(5);
}
