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

/// A counter as random numbers: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    std::size_t below(std::size_t count);  ///< uniform in [0, count)

  private:
    std::uint64_t state_;
};

/// A seed from a text, so that every figure of a report has draws of its own (FNV-1a).
std::uint64_t seed_of(std::string_view name);

struct Interval {
    double low = 0, high = 0;
};

struct BootstrapOptions {
    std::size_t resamples = 2000;
    double confidence = 0.95;
    std::uint64_t seed = 1;
};

/// Gets the indices drawn with replacement from 0..n-1.
using IndexStatistic = std::function<double(std::span<const std::size_t>)>;

/// The statistic of each resample of `size` draws (0: n) from n things.
std::vector<double> resampled(std::size_t n, const IndexStatistic& statistic, const BootstrapOptions& options,
                              std::size_t size = 0);

/// Between these lie `confidence` of the values.
Interval central_interval(std::vector<double> values, double confidence);

using Statistic = std::function<double(Sample)>;
Interval bootstrap_interval(Sample sample, const Statistic& statistic, const BootstrapOptions& options = {});

/// kUndecided: the figures do not show a difference, which does not show that there is none. kEqual: the same number.
enum class Verdict { kWorse, kUndecided, kEqual, kBetter, kTooFew };
const char* verdict_name(Verdict verdict);

/// True if ours differs from a published figure that was made of `their_runs` runs; smaller is better. Had those come
/// from the distribution of ours, the figure would differ from ours as two independent resamples of ours do; what lies
/// beyond `confidence` of these differences is a difference, else it is undecided. Fewer than five values: too few.
Verdict verdict_against(double published, std::size_t their_runs, Sample ours, const Statistic& statistic,
                        const BootstrapOptions& options = {});

}  // namespace qapfw::statistics
