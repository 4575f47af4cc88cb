// SPDX-License-Identifier: Apache-2.0
// Describes a sample: location, spread, quantiles, ranks. A sample holds finite numbers. An empty sample
// throws std::invalid_argument unless the function says otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace qapfw::statistics {

using Sample = std::span<const double>;

struct Description {
    std::size_t n = 0;
    double min = 0, median = 0, mean = 0, max = 0;
    double std = 0;  ///< standard deviation with divisor n - 1; 0 for one value
    double mad = 0;  ///< median of the absolute deviations from the median, not scaled
};
Description describe(Sample sample);

double mean(Sample sample);  ///< by Neumaier's compensated sum
double median(Sample sample);
double standard_deviation(Sample sample);  ///< with divisor n - 1; 0 for one value

/// Interpolates between order statistics: type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The
/// American Statistician 50 (1996), the default of R and NumPy. `p` in [0, 1].
double quantile_sorted(Sample ascending, double p);
double quantile(Sample sample, double p);

/// The rank of each value, counted from 1. Equal values all get the mean of their ranks. The result is empty if the
/// sample is empty.
std::vector<double> midranks(Sample sample);

/// The sum of t^3 - t over all groups of t equal values. This sum corrects the variance of rank statistics for ties.
double tie_term(Sample sample);

std::vector<double> sorted(Sample sample);

}  // namespace qapfw::statistics
