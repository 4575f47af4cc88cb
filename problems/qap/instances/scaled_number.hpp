// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as exact 64-bit integers. A declared scale converts 0.5 to 5 (scale 10) without floating point. A
// number is read exactly as it is written, or refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace qapfw::qap {

enum class NumberFault {
    kNone,
    kNotANumber,   ///< not a decimal number (also inf, nan, hexadecimal)
    kNotIntegral,  ///< number * scale is not an integer
    kTooLarge,     ///< number * scale does not fit 64 bits, or the number has more than 37 significant digits
};

struct ScaledNumber {
    int64_t value = 0;  ///< number * scale; valid if fault is kNone
    NumberFault fault = NumberFault::kNone;
    uint32_t decimals = 0;  ///< least k for which number * 10^k is an integer (2 for 0.25), at most 1000
};

/// Reads [+-][digits][.][digits][e[+-]digits], with a digit before the e, and multiplies by `scale` >= 1, exactly.
ScaledNumber parse_scaled_number(std::string_view text, int64_t scale = 1);

/// Says what is wrong with a number, as the end of a sentence: "is not a number" and the like; empty for kNone.
std::string describe_fault(NumberFault fault, int64_t scale);

}  // namespace qapfw::qap
