// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>

using namespace qapfw::statistics;

TEST_CASE("an interval depends on the data and the seed alone, and holds the statistic") {
    std::vector<double> sample(40);
    std::iota(sample.begin(), sample.end(), 1.0);
    const Interval interval = bootstrap_interval(sample, mean);
    CHECK(bootstrap_interval(sample, mean).low == interval.low);
    CHECK(interval.low < 20.5);
    CHECK(interval.high > 20.5);
    // The mean of the 40 values has a standard error of 1.83. So a 95 % interval reaches 3.6 to each side of the mean.
    CHECK(interval.high - interval.low == doctest::Approx(7.1).epsilon(0.1));
    BootstrapOptions other;
    other.seed = 2;
    CHECK(bootstrap_interval(sample, mean, other).low != interval.low);
}

TEST_CASE("95 of 100 intervals hold the true mean") {
    int holds = 0;
    Draws draws(5);
    for (int study = 0; study < 200; ++study) {
        std::vector<double> sample(50);
        for (double& value : sample) value = static_cast<double>(draws.below(1000));
        BootstrapOptions options;
        options.resamples = 400;
        options.seed = static_cast<std::uint64_t>(study);
        const Interval interval = bootstrap_interval(sample, mean, options);
        holds += interval.low <= 499.5 && 499.5 <= interval.high ? 1 : 0;
    }
    CHECK(holds >= 180);
    CHECK(holds <= 199);
}

TEST_CASE("a constant sample, or one value, has an interval of no width") {
    const Interval same = bootstrap_interval(std::vector(5, 3.0), mean);
    CHECK(same.low == 3);
    CHECK(same.high == 3);
    CHECK(bootstrap_interval(std::vector{4.0}, median).high == 4);
}

TEST_CASE("a published figure is judged worse, equal or better by a two-sample comparison") {
    std::vector<double> ours(100);
    std::iota(ours.begin(), ours.end(), 0.0);
    CHECK(verdict_against(20, 10, ours, mean) == Verdict::kWorse);  // the paper's value is smaller, so ours is worse
    CHECK(verdict_against(50, 10, ours, mean) == Verdict::kUndecided);
    CHECK(verdict_against(80, 10, ours, mean) == Verdict::kBetter);
    // The mean of the paper's ten runs may be 65 by chance, though the mean of `ours` is 49.5.
    CHECK(verdict_against(65, 10, ours, mean) == Verdict::kUndecided);
    CHECK(verdict_against(1, 10, std::vector{1.0, 2.0, 3.0, 4.0}, mean) == Verdict::kTooFew);
    CHECK(verdict_against(3, 10, std::vector(6, 3.0), mean) == Verdict::kUndecided);
    CHECK(verdict_name(Verdict::kTooFew) == std::string("too few runs"));
}
