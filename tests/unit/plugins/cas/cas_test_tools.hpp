// SPDX-License-Identifier: Apache-2.0
// Chi-square tests for the draws of the cunning ant system.
#pragma once

#include <cmath>
#include <vector>

namespace qapfw::test {

/// The sum of (observed - expected)^2 / expected. Neighbouring cells are pooled until each pool's expected count is at
/// least 8. `cells` returns the number of pools.
inline double chi_square(const std::vector<double>& observed, const std::vector<double>& expected, int& cells) {
    double statistic = 0, seen = 0, wanted = 0;
    cells = 0;
    double left = 0;
    for (const double e : expected) left += e;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        seen += observed[k];
        wanted += expected[k];
        left -= expected[k];
        if (wanted < 8 || (left < 8 && k + 1 < expected.size())) continue;
        statistic += (seen - wanted) * (seen - wanted) / wanted;
        ++cells;
        seen = wanted = 0;
    }
    return statistic;
}

/// The value that a chi-square of `degrees` degrees of freedom exceeds with probability about 0.0001 (Wilson and
/// Hilferty).
inline double chi_square_limit(int degrees) {
    const double spread = 2.0 / (9.0 * degrees);
    return degrees * std::pow(1 - spread + 3.719 * std::sqrt(spread), 3);
}

}  // namespace qapfw::test
