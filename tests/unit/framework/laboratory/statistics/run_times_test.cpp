// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/run_times.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/unit/framework/laboratory/statistics/censored_values.hpp"
#include "tests/unit/framework/laboratory/statistics/reference_values.hpp"

using namespace qapfw::statistics;

namespace {

constexpr Family kFamilies[]{Family::kExponential, Family::kShiftedExponential, Family::kGamma, Family::kNormal};

void check_fit(double found, double wanted) {
    CHECK(found == doctest::Approx(wanted).epsilon(1e-4));
}

template <class Numbers>
void check_gamma(const Fit& fit, const Numbers& wanted) {
    check_fit(fit.shape, wanted[0]);
    check_fit(fit.scale, wanted[1]);
}

/// Checks a fitted normal or shifted exponential distribution.
template <class Numbers>
void check_shifted(const Fit& fit, const Numbers& wanted) {
    check_fit(fit.shift, wanted[0]);
    check_fit(fit.scale, wanted[1]);
}

void check_finite(std::initializer_list<std::optional<Fit>> fits) {
    for (const auto& fit : fits) {
        if (!fit) continue;
        CHECK(std::isfinite(fit->scale));
        CHECK(std::isfinite(fit->error));
        CHECK(std::isfinite(fit->distribution(1)));
        CHECK(std::isfinite(mean_of_first(*fit, 30)));
        CHECK(fit->scale > 0);
    }
}

}  // namespace

TEST_CASE("an expected running time is the time of all runs divided by the number of hits") {
    const std::vector<TimedRun> runs{{1, true}, {2, true}, {10, false}, {3, true}};
    CHECK(expected_running_time(runs) == doctest::Approx(16.0 / 3));
    const Interval interval = expected_running_time_interval(runs);
    CHECK(interval.low >= 1);
    CHECK(interval.high > interval.low);
    CHECK(std::isinf(expected_running_time(std::vector<TimedRun>{{5, false}})));
    CHECK(std::isinf(expected_running_time_interval(std::vector<TimedRun>{{5, false}}).low));
    CHECK(expected_running_time_interval(std::vector<TimedRun>{{5, true}}).high == 5);
}

TEST_CASE("success rates have R's exact intervals") {
    for (const auto& c : reference::kRates) {
        std::vector<TimedRun> runs(c.runs);
        for (std::size_t k = 0; k < c.hits; ++k) runs[k].hit = true;
        const SuccessRate rate = success_rate(runs);
        CHECK(rate.hits == c.hits);
        CHECK(rate.interval.low == doctest::Approx(c.low).epsilon(1e-9));
        CHECK(rate.interval.high == doctest::Approx(c.high).epsilon(1e-9));
    }
    CHECK_THROWS_AS(success_rate({}), std::invalid_argument);
}

TEST_CASE("an empirical distribution has one step for equal values and counts what never arrived") {
    const std::vector<Step> steps = empirical_distribution(std::vector{2.0, 1.0, 2.0}, 4);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].share == 0.25);
    CHECK(steps[1].x == 2);
    CHECK(steps[1].share == 0.75);
    CHECK(empirical_distribution(Sample(), 3).empty());
}

TEST_CASE("fits by likelihood and least squares, and M(p), are R's") {
    for (const auto& c : reference::kFits) {
        CAPTURE(c.name);
        const auto likely = fit_likelihood(c.values, Family::kGamma);
        const auto gamma = fit_least_squares(c.values, Family::kGamma);
        const auto normal = fit_least_squares(c.values, Family::kNormal);
        const auto exponential = fit_least_squares(c.values, Family::kExponential);
        const auto shifted = fit_least_squares(c.values, Family::kShiftedExponential);
        REQUIRE(likely);
        REQUIRE(gamma);
        REQUIRE(normal);
        REQUIRE(exponential);
        REQUIRE(shifted);
        check_gamma(*likely, c.gamma_ml);
        check_gamma(*gamma, c.gamma_ls);
        check_shifted(*normal, c.normal_ls);
        check_fit(exponential->scale, c.exponential_ls[0]);
        check_shifted(*shifted, c.shifted_ls);
        check_fit(mean_of_first(*gamma, 30), c.m30);
        check_fit(mean_of_first(*gamma, 60), c.m60);
        CHECK(mean_of_first(*gamma, 1) == doctest::Approx(gamma->mean()).epsilon(1e-7));
        CHECK(gamma->error <= likely->error + 1e-9);
    }
}

TEST_CASE("M(p) of exponential times has a formula, and a gamma distribution of shape 1 gives the same") {
    Fit fit{Family::kExponential};
    fit.scale = 30;
    CHECK(mean_of_first(fit, 30) == doctest::Approx(1));
    fit.family = Family::kGamma;
    CHECK(mean_of_first(fit, 30) == doctest::Approx(1).epsilon(1e-9));
    CHECK(mean_of_first(fit, 3000) == doctest::Approx(0.01).epsilon(1e-7));
    fit.family = Family::kShiftedExponential;
    fit.shift = 2;
    CHECK(mean_of_first(fit, 30) == doctest::Approx(3));
    CHECK_THROWS_AS(mean_of_first(fit, 0.5), std::invalid_argument);
}

TEST_CASE("samples that determine no distribution have no fit, and none has NaN") {
    const std::vector<std::vector<double>> samples{{},        {0},         {5},        {5, 5, 5}, {0, 0},
                                                   {0, 1, 2}, {1, 2},      {-1, 2, 3}, {1, 1, 2}, {1e-9, 1e9, 3},
                                                   {2, 3, 4}, {7, 7, 7, 8}};
    for (const auto& sample : samples) {
        for (const Family family : kFamilies) {
            CAPTURE(family_name(family));
            check_finite({fit_likelihood(sample, family), fit_least_squares(sample, family)});
        }
    }
    CHECK_FALSE(fit_likelihood(std::vector{5.0, 5.0}, Family::kGamma));
    CHECK_FALSE(fit_likelihood(std::vector{0.0, 0.0}, Family::kExponential));
    CHECK(fit_likelihood(std::vector{5.0}, Family::kExponential)->scale == 5);
}

TEST_CASE("runs that missed count in fits and distributions as runs that take longer") {
    for (const auto& c : reference::kCensored) {
        CAPTURE(c.name);
        const auto steps = empirical_distribution(c.runs);
        REQUIRE(steps.size() == c.shares.size());
        for (std::size_t k = 0; k < steps.size(); ++k) CHECK(steps[k].share == doctest::Approx(c.shares[k]));
        const auto gamma = fit_likelihood(c.runs, Family::kGamma), normal = fit_likelihood(c.runs, Family::kNormal);
        const auto gamma_ls = fit_least_squares(c.runs, Family::kGamma),
                   normal_ls = fit_least_squares(c.runs, Family::kNormal);
        for (const auto& fit : {gamma, normal, gamma_ls, normal_ls}) REQUIRE(fit);
        check_gamma(*gamma, c.gamma_ml);
        check_shifted(*normal, c.normal_ml);
        check_gamma(*gamma_ls, c.gamma_ls);
        check_shifted(*normal_ls, c.normal_ls);
        check_fit(mean_of_first(*gamma, 30), c.m30);
        CHECK(fit_likelihood(c.runs, Family::kExponential)->scale == doctest::Approx(expected_running_time(c.runs)));
        CHECK(mean_of_smallest(c.runs, 1) == doctest::Approx(expected_running_time(c.runs)));
        CHECK(mean_of_smallest(c.runs, 1) == doctest::Approx(c.drawn[0]));
        CHECK(mean_of_smallest(c.runs, 5) == doctest::Approx(c.drawn[1]));
    }
    const std::vector<TimedRun> shifted{{2, true}, {5, true}, {1, false}, {8, false}};
    CHECK(fit_likelihood(shifted, Family::kShiftedExponential)->shift == 2);
    CHECK(fit_likelihood(shifted, Family::kShiftedExponential)->scale == doctest::Approx(4.5));
}

TEST_CASE("runs with no hit, one hit or hits at equal times determine no gamma or normal distribution") {
    const std::vector<std::vector<TimedRun>> few{
        {}, {{5, false}}, {{5, true}, {9, false}}, {{5, true}, {5, true}, {5, false}}, {{0, true}, {0, false}}};
    for (const auto& runs : few) {
        for (const Family family : kFamilies) CHECK_FALSE(fit_least_squares(runs, family));
        CHECK_FALSE(fit_likelihood(runs, Family::kGamma));
        CHECK_FALSE(fit_likelihood(runs, Family::kNormal));
    }
    CHECK(empirical_distribution(few[1]).empty());
    CHECK(std::isinf(mean_of_smallest(few[1], 3)));
    // However long the runs without a hit are, the results are finite.
    for (const double late : {1.0, 3.0, 1e3, 1e9, 1e300}) {
        for (const Family family : kFamilies) {
            const std::vector<TimedRun> runs{{1, true}, {2, true}, {3, true}, {late, false}, {late, false}};
            check_finite({fit_likelihood(runs, family), fit_least_squares(runs, family)});
        }
    }
}

TEST_CASE("the smallest of p draws from a sample has the mean that all draws have") {
    const std::vector<TimedRun> three{{1, true}, {2, true}, {3, true}}, two{{1, true}, {3, true}};
    CHECK(mean_of_smallest(three, 1) == doctest::Approx(2));
    CHECK(mean_of_smallest(two, 2) == doctest::Approx(0.75 * 1 + 0.25 * 3));
    CHECK(mean_of_smallest(std::vector<TimedRun>{{4, true}}, 30) == 4);
    // The sample has a hit at 1 s and a miss at 3 s, and an attempt draws two runs from it. Three attempts in four draw
    // the hit and take 1 s. One in four draws only misses, takes 3 s and is followed by another attempt.
    CHECK(mean_of_smallest(std::vector<TimedRun>{{1, true}, {3, false}}, 2) == doctest::Approx((0.75 + 0.75) / 0.75));
    CHECK_THROWS_AS(mean_of_smallest({}, 1), std::invalid_argument);
}
