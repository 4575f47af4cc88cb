// SPDX-License-Identifier: Apache-2.0
// Fits of distributions to run times. If no formula gives a fit, a search runs over logarithms of the positive
// parameters. Least squares starts at the maximum likelihood fit.
#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "framework/laboratory/statistics/run_times.hpp"
#include "framework/laboratory/statistics/simplex_search.hpp"

namespace qapfw::statistics {
namespace {

/// Boost computes in double, which is accurate enough and much faster than Boost's usual wider type. Boost ignores
/// overflow: the result is 0 or 1 where the gamma function overflows. By default, Boost 1.74 would throw there.
using Double =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

std::vector<TimedRun> all_hit(Sample sample) {
    std::vector<TimedRun> runs;
    for (const double seconds : sample) runs.push_back({seconds, true});
    return runs;
}

std::vector<double> seconds_of(std::span<const TimedRun> runs, bool hit) {
    std::vector<double> seconds;
    for (const TimedRun& run : runs) {
        if (run.hit == hit) seconds.push_back(run.seconds);
    }
    return seconds;
}

/// Returns a point for each hit: the seconds of the hit, and the middle of the hit's step in the empirical
/// distribution. If all n runs hit, the middle is (k - 1/2) / n for hit k, counted from 1.
std::vector<Step> middles(std::span<const TimedRun> runs) {
    const std::vector<double> hits = sorted(seconds_of(runs, true));
    std::vector<Step> points;
    double before = 0;
    auto next = hits.begin();
    for (const Step& step : empirical_distribution(runs)) {
        const auto end = std::upper_bound(next, hits.end(), step.x);
        const double each = (step.share - before) / static_cast<double>(end - next);
        for (double part = 0.5; next != end; ++next, ++part) points.push_back({step.x, before + part * each});
        before = step.share;
    }
    return points;
}

double squared_error(const std::vector<Step>& points, const Fit& fit) {
    double sum = 0;
    for (const Step& point : points) {
        const double difference = fit.distribution(point.x) - point.share;
        sum += difference * difference;
    }
    return sum;
}

Fit with_error(Fit fit, std::span<const TimedRun> runs) {
    const std::vector<Step> points = middles(runs);
    fit.error = std::sqrt(squared_error(points, fit) / static_cast<double>(points.size()));
    return fit;
}

/// The shape k with log(k) - digamma(k) = gap > 0, by Newton's method on log(k).
double gamma_shape(double gap) {
    double shape = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);
    for (int step = 0; step < 100; ++step) {
        const double value = std::log(shape) - boost::math::digamma(shape) - gap;
        const double slope = 1 - shape * boost::math::trigamma(shape);
        const double change = value / slope;
        shape *= std::exp(-std::clamp(change, -1.0, 1.0));
        if (std::abs(change) < 1e-14) break;
    }
    return shape;
}

std::optional<Fit> gamma_likelihood(Sample sample, const Description& d) {
    if (d.min <= 0) return std::nullopt;
    double logs = 0;
    for (const double value : sample) logs += std::log(value / d.mean);
    const double gap = -logs / static_cast<double>(sample.size());
    if (gap < 1e-12) return std::nullopt;
    Fit fit{Family::kGamma};
    fit.shape = gamma_shape(gap);
    fit.scale = d.mean / fit.shape;
    return fit;
}

/// Converts parameters to coordinates of the search, and back. Scales and shapes become logarithms.
Point to_point(const Fit& fit) {
    switch (fit.family) {
        case Family::kExponential:
            return {std::log(fit.scale), 0};
        case Family::kGamma:
            return {std::log(fit.shape), std::log(fit.scale)};
        case Family::kShiftedExponential:
        case Family::kNormal:
            break;
    }
    return {fit.shift, std::log(fit.scale)};
}

Fit from_point(Family family, const Point& point, double unit) {
    Fit fit{family};
    switch (family) {
        case Family::kExponential:
            fit.scale = unit * std::exp(point[0]);
            break;
        case Family::kGamma:
            fit.shape = std::exp(point[0]);
            fit.scale = unit * std::exp(point[1]);
            break;
        case Family::kShiftedExponential:
        case Family::kNormal:
            fit.shift = unit * point[0];
            fit.scale = unit * std::exp(point[1]);
            break;
    }
    return fit;
}

double mean_seconds(std::span<const TimedRun> runs) {
    double sum = 0;
    for (const TimedRun& run : runs) sum += run.seconds;
    return sum / static_cast<double>(runs.size());
}

/// Searches from `start` for the fit with the least `loss`. `loss` gets fits whose times are divided by `unit`. Returns
/// nullopt if the search diverges.
std::optional<Fit> searched(Fit start, double unit, const std::function<double(const Fit&)>& loss) {
    // A point with a coordinate beyond kFar gets the loss kVeryBad. No useful fit is that far, because coordinates are
    // logarithms, or times divided by `unit`.
    constexpr double kFar = 50, kVeryBad = 1e300;
    const auto is_far = [](const Point& point) { return std::abs(point[0]) > kFar || std::abs(point[1]) > kFar; };
    const Family family = start.family;
    start.shift /= unit;
    start.scale /= unit;
    const Point found = minimum(
        [&](const Point& point) {
            const double value = is_far(point) ? kVeryBad : loss(from_point(family, point, 1));
            return std::isfinite(value) ? value : kVeryBad;
        },
        to_point(start));
    if (is_far({found[0] * 1.01, found[1] * 1.01})) return std::nullopt;
    return from_point(family, found, unit);
}

/// The logarithm of the density of a gamma or normal distribution. Terms that do not depend on the fit are left out.
double log_density(const Fit& fit, double t) {
    if (fit.family == Family::kGamma)
        return (fit.shape - 1) * std::log(t) - t / fit.scale - fit.shape * std::log(fit.scale) - std::lgamma(fit.shape);
    const double z = (t - fit.shift) / fit.scale;
    return -z * z / 2 - std::log(fit.scale);
}

/// The maximum-likelihood fit to a sample in which all runs hit; nothing if the sample does not determine the fit.
std::optional<Fit> complete_likelihood(Sample sample, Family family) {
    const Description d = describe(sample);
    if (d.min < 0 || d.mean <= 0) return std::nullopt;
    Fit fit{family};
    const auto n = static_cast<double>(d.n);
    switch (family) {
        case Family::kExponential:
            fit.scale = d.mean;
            return fit;
        case Family::kShiftedExponential:
            fit.shift = d.min;
            fit.scale = d.mean - d.min;
            break;
        case Family::kNormal:
            fit.shift = d.mean;
            fit.scale = d.std * std::sqrt((n - 1) / n);
            break;
        case Family::kGamma:
            return gamma_likelihood(sample, d);
    }
    return fit.scale > 1e-12 * d.mean ? std::optional(fit) : std::nullopt;
}

/// Fits a gamma or normal distribution if some runs miss. A hit counts with its density, a miss with the probability of
/// a longer time.
std::optional<Fit> searched_likelihood(std::span<const TimedRun> runs, Family family) {
    const double unit = mean_seconds(runs);
    Fit start{family};
    start.shift = start.scale = unit;
    return searched(start, unit, [&](const Fit& fit) {
        double loss = 0;
        for (const TimedRun& run : runs)
            loss -= run.hit ? log_density(fit, run.seconds / unit) : std::log(fit.survival(run.seconds / unit));
        return loss;
    });
}

/// Fits a distribution to runs of which some hit and some miss. Returns nothing if the runs do not determine a
/// distribution.
std::optional<Fit> censored_likelihood(std::span<const TimedRun> runs, Family family) {
    const Description hits = describe(seconds_of(runs, true));
    const std::vector<double> misses = seconds_of(runs, false);
    if (hits.min < 0 || describe(misses).min < 0 || !(mean_seconds(runs) > 0)) return std::nullopt;
    Fit fit{family};
    const auto count = static_cast<double>(hits.n);
    double beyond = count * (hits.mean - hits.min);  // sum over all runs: seconds after hits.min (the earliest hit)
    for (const double seconds : misses) beyond += std::max(0.0, seconds - hits.min);
    switch (family) {
        case Family::kExponential:
            fit.scale = expected_running_time(runs);
            return fit;
        case Family::kShiftedExponential:
            fit.shift = hits.min;
            fit.scale = beyond / count;
            return fit.scale > 1e-12 * mean_seconds(runs) ? std::optional(fit) : std::nullopt;
        case Family::kGamma:
            if (hits.min <= 0) return std::nullopt;
            break;
        case Family::kNormal:
            break;
    }
    if (!(hits.max - hits.min > 1e-12 * hits.max)) return std::nullopt;
    return searched_likelihood(runs, family);
}

}  // namespace

const char* family_name(Family family) {
    static constexpr const char* kNames[]{"exponential", "shifted exponential", "gamma", "normal"};
    return kNames[static_cast<std::size_t>(family)];
}

double Fit::distribution(double t) const {
    switch (family) {
        case Family::kExponential:
            return t <= 0 ? 0 : -std::expm1(-t / scale);
        case Family::kShiftedExponential:
            return t <= shift ? 0 : -std::expm1(-(t - shift) / scale);
        case Family::kGamma:
            return t <= 0 ? 0 : boost::math::gamma_p(shape, t / scale, Double());
        case Family::kNormal:
            break;
    }
    return boost::math::erfc((shift - t) / scale / std::sqrt(2.0), Double()) / 2;
}

double Fit::survival(double t) const {
    if (family == Family::kGamma) return t <= 0 ? 1 : boost::math::gamma_q(shape, t / scale, Double());
    if (family == Family::kNormal) return boost::math::erfc((t - shift) / scale / std::sqrt(2.0), Double()) / 2;
    return 1 - distribution(t);
}

double Fit::mean() const {
    switch (family) {
        case Family::kExponential:
            return scale;
        case Family::kShiftedExponential:
            return shift + scale;
        case Family::kGamma:
            return shape * scale;
        case Family::kNormal:
            break;
    }
    return shift;
}

std::optional<Fit> fit_likelihood(std::span<const TimedRun> runs, Family family) {
    const std::vector<double> hits = seconds_of(runs, true);
    if (hits.empty()) return std::nullopt;
    const auto fit = hits.size() == runs.size() ? complete_likelihood(hits, family) : censored_likelihood(runs, family);
    return fit ? std::optional(with_error(*fit, runs)) : std::nullopt;
}

std::optional<Fit> fit_likelihood(Sample sample, Family family) {
    return fit_likelihood(all_hit(sample), family);
}

std::optional<Fit> fit_least_squares(std::span<const TimedRun> runs, Family family) {
    const std::optional<Fit> start = fit_likelihood(runs, family);
    if (!start || empirical_distribution(runs).size() < 3) return std::nullopt;
    const double unit = mean_seconds(runs);
    std::vector<Step> scaled = middles(runs);
    for (Step& point : scaled) point.x /= unit;
    const auto found = searched(*start, unit, [&](const Fit& fit) { return squared_error(scaled, fit); });
    return found ? std::optional(with_error(*found, runs)) : std::nullopt;
}

std::optional<Fit> fit_least_squares(Sample sample, Family family) {
    return fit_least_squares(all_hit(sample), family);
}

double mean_of_first(const Fit& fit, double p) {
    if (!(p >= 1)) throw std::invalid_argument("at least one run is needed");
    if (fit.family == Family::kExponential) return fit.scale / p;
    if (fit.family == Family::kShiftedExponential && fit.shift >= 0) return fit.shift + fit.scale / p;
    const auto survival = [&](double t) { return std::pow(fit.survival(t), p); };
    double end = std::max(fit.mean(), fit.scale);  // doubled until the tail beyond `end` is negligible
    while (survival(end) > 1e-16) end *= 2;
    // For large p the integrand falls steeply near 0. So the integral is summed over pieces that halve in length
    // towards 0.
    constexpr unsigned kDepth = 6;
    constexpr double kError = 1e-10;  // relative error
    double sum = 0;
    double high = end;
    for (int piece = 0; piece < 60; ++piece, high /= 2) {
        sum += boost::math::quadrature::gauss_kronrod<double, 61>::integrate(survival, high / 2, high, kDepth, kError);
    }
    return sum + high;
}

}  // namespace qapfw::statistics
