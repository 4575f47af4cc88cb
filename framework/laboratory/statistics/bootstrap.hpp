// SPDX-License-Identifier: Apache-2.0
// Percentile bootstrap: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13. The draws are a
// function of the seed alone, so the same data give the same interval on any machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "framework/laboratory/statistics/descriptive.hpp"

namespace qapfw::statistics {

/// The random number generator SplitMix64, which computes its numbers from a counter. It is described by Steele, Lea
/// and Flood in "Fast splittable pseudorandom number generators", OOPSLA 2014.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    std::size_t below(std::size_t count);  ///< returns a random number, uniform in [0, count)

  private:
    std::uint64_t state_;
};

/// A seed computed from a text (FNV-1a), so that every figure of a report has its own draws.
std::uint64_t seed_of(std::string_view name);

struct Interval {
    double low = 0, high = 0;
};

struct BootstrapOptions {
    std::size_t resamples = 2000;
    double confidence = 0.95;
    std::uint64_t seed = 1;
};

/// A statistic of a resample. The resample is given as indices, drawn from 0..n-1 with replacement.
using IndexStatistic = std::function<double(std::span<const std::size_t>)>;

/// The statistic of each resample. A resample has `size` draws from n indices; `size` 0 means n draws.
std::vector<double> resampled(std::size_t n, const IndexStatistic& statistic, const BootstrapOptions& options,
                              std::size_t size = 0);

/// Returns an interval that contains a fraction `confidence` of the values. It leaves out equally many values at both
/// ends.
Interval central_interval(std::vector<double> values, double confidence);

using Statistic = std::function<double(Sample)>;
Interval bootstrap_interval(Sample sample, const Statistic& statistic, const BootstrapOptions& options = {});

/// Our sample compared with a published figure. kUndecided: no difference is shown, which does not prove that there is
/// none. kEqual: both are the same number. kTooFew: our sample is too small.
enum class Verdict { kWorse, kUndecided, kEqual, kBetter, kTooFew };
const char* verdict_name(Verdict verdict);

/// Compares our sample with a published figure of `their_runs` runs; smaller is better. If both came from one
/// distribution, they would differ like two independent resamples of our sample. Therefore the function draws many
/// pairs of resamples.
/// The function counts the pairs that differ, in the same direction, at least as much as the figure and our sample.
/// Below a fraction (1 - `confidence`) / 2 of all pairs, the verdict is kBetter or kWorse; otherwise it is kUndecided.
/// If our sample has fewer than five values, the verdict is kTooFew.
Verdict verdict_against(double published, std::size_t their_runs, Sample ours, const Statistic& statistic,
                        const BootstrapOptions& options = {});

}  // namespace qapfw::statistics
