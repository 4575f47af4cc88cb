// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace qapfw::mapping {
namespace {

/// Returns the binary logarithm of x > 0 in units of 2^-20, computed by squaring.
std::int64_t binary_logarithm(std::uint64_t x) {
    int whole = 0;
    while ((x >> (whole + 1)) != 0) ++whole;
    std::uint64_t mantissa = x << (31 - whole);  // from 1 to 2, in units of 2^-31
    std::int64_t result = whole;
    for (int bit = 0; bit < 20; ++bit) {
        mantissa = (mantissa * mantissa) >> 31;
        result *= 2;
        if ((mantissa >> 32) == 0) continue;
        mantissa >>= 1;
        result += 1;
    }
    return result;
}

}  // namespace

NegativeLogarithms::NegativeLogarithms() {
    constexpr std::int64_t kLn2 = 744'261'118;  // ln 2, in units of 2^-30
    for (std::uint32_t k = 0; k < values_.size(); ++k) {
        // values_[k] becomes -ln u in units of 2^-16, with u = (2k + 1) / 2^13.
        const std::int64_t log2 = (std::int64_t{kBits + 1} << 20) - binary_logarithm(2 * std::uint64_t{k} + 1);
        values_[k] = static_cast<std::int32_t>((log2 * kLn2) >> 34);
    }
}

Cooling::Cooling(double from, double to) {
    // The 256th root of the ratio, by eight square roots. IEEE 754 rounds them correctly.
    double ratio = to / from;
    for (std::uint32_t k = 1; k < kSteps; k *= 2) ratio = std::sqrt(ratio);
    knots_[0] = from;
    for (std::uint32_t k = 1; k <= kSteps; ++k) knots_[k] = knots_[k - 1] * ratio;
}

double Cooling::at(std::uint64_t done, std::uint64_t total) const {
    const double at = std::min(1.0, static_cast<double>(done) / static_cast<double>(total)) * kSteps;
    const auto knot = std::min(kSteps - 1, static_cast<std::uint32_t>(at));
    return knots_[knot] + (knots_[knot + 1] - knots_[knot]) * (at - knot);
}

double first_temperature(double evaluations_each) {
    return std::clamp(0.5 * std::sqrt(evaluations_each / 30), 0.35, 5.0);
}

}  // namespace qapfw::mapping
