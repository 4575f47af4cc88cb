// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of slicing trees (Kirkpatrick, Gelatt and Vecchi 1983; Wong and Liu 1986), for host and device.
// Layouts that break shape rules may be visited: a penalty is added, whose weight is steered so that a given part of
// the states keeps all rules. What is kept is the best by fewest violations, then by cost.
#pragma once

#include "qapfw/kernels/slicing_cost.hpp"
#include "qapfw/kernels/slicing_moves.hpp"

namespace qapfw::kernels {

/// -ln((word + 0.5) / 2^32), by + - * alone, so that host and device agree. Relative error below 1e-6.
QAPFW_HD double slicing_minus_log(uint32_t word) {
    uint64_t bits = (uint64_t{word} << 1) | 1u;  // 33 bits
    uint32_t zeros = 0;
    while ((bits >> 32) == 0) {
        bits <<= 1;
        ++zeros;
    }
    // bits / 2^33 = m in [0.5, 1); ln m = 2 artanh((m - 1) / (m + 1))
    const double m = static_cast<double>(bits) * (1.0 / 8589934592.0);
    const double t = (m - 1.0) / (m + 1.0), t2 = fbs_product(t, t);
    const double tail =
        1.0 + fbs_product(t2, 1.0 / 3 + fbs_product(t2, 1.0 / 5 + fbs_product(t2, 1.0 / 7 + fbs_product(t2, 1.0 / 9))));
    return fbs_product(0.69314718055994530942, static_cast<double>(zeros)) - fbs_product(fbs_product(2.0, t), tail);
}

}  // namespace qapfw::kernels
