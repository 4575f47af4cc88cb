// SPDX-License-Identifier: Apache-2.0
// Least squares by Nelder and Mead, "A simplex method for function minimization", The Computer Journal 7 (1965), over
// logarithms of what must be positive, from the maximum likelihood fit on.
#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "framework/statistics/run_times.hpp"

namespace qapfw::statistics {
namespace {

/// Double is enough here, and many times as fast as the wider type that Boost would take in between. Where the gamma
/// function is too large the result is 0 or 1, but Boost 1.74 throws on its way there.
using Double =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

using Point = std::array<double, 2>;
using Objective = std::function<double(const Point&)>;

Point along(const Point& from, const Point& to, double step) {
    return {from[0] + step * (to[0] - from[0]), from[1] + step * (to[1] - from[1])};
}

struct Vertex {
    Point point;
    double value;
};

/// One step of the simplex, which is sorted by value.
void improve(std::array<Vertex, 3>& simplex, const Objective& objective) {
    const auto at = [&](const Point& point) { return Vertex{point, objective(point)}; };
    const Point centre = along(simplex[0].point, simplex[1].point, 0.5);
    const Vertex reflected = at(along(centre, simplex[2].point, -1));
    if (reflected.value < simplex[0].value) {
        const Vertex expanded = at(along(centre, simplex[2].point, -2));
        simplex[2] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < simplex[1].value) {
        simplex[2] = reflected;
    } else {
        const bool outside = reflected.value < simplex[2].value;
        const Vertex contracted = at(along(centre, simplex[2].point, outside ? -0.5 : 0.5));
        if (contracted.value < std::min(reflected.value, simplex[2].value)) {
            simplex[2] = contracted;
        } else {
            for (std::size_t k = 1; k < 3; ++k) simplex[k] = at(along(simplex[0].point, simplex[k].point, 0.5));
        }
    }
    std::sort(simplex.begin(), simplex.end(), [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
}

/// All three vertices are one point, as far as doubles tell.
bool has_converged(const std::array<Vertex, 3>& simplex) {
    constexpr double kSame = 1e-13;
    const auto near = [&](const Vertex& v) {
        return std::abs(v.point[0] - simplex[0].point[0]) < kSame && std::abs(v.point[1] - simplex[0].point[1]) < kSame;
    };
    return near(simplex[1]) && near(simplex[2]);
}

/// The lowest point near `start`; begun anew there a few times, for a simplex may collapse before.
Point minimum(const Objective& objective, Point start) {
    constexpr int kRestarts = 4, kSteps = 400;
    double edge = 0.5;
    for (int restart = 0; restart < kRestarts; ++restart, edge /= 4) {
        std::array<Vertex, 3> simplex{Vertex{start, objective(start)},
                                      Vertex{{start[0] + edge, start[1]}, objective({start[0] + edge, start[1]})},
                                      Vertex{{start[0], start[1] + edge}, objective({start[0], start[1] + edge})}};
        std::sort(simplex.begin(), simplex.end(), [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
        for (int step = 0; step < kSteps && !has_converged(simplex); ++step) improve(simplex, objective);
        start = simplex[0].point;
    }
    return start;
}

double squared_error(const std::vector<double>& ascending, const Fit& fit) {
    double sum = 0;
    const auto n = static_cast<double>(ascending.size());
    for (std::size_t k = 0; k < ascending.size(); ++k) {
        const double difference = fit.distribution(ascending[k]) - (static_cast<double>(k) + 0.5) / n;
        sum += difference * difference;
    }
    return sum;
}

std::optional<Fit> with_error(std::optional<Fit> fit, Sample sample) {
    const std::vector<double> ascending = sorted(sample);
    fit->error = std::sqrt(squared_error(ascending, *fit) / static_cast<double>(ascending.size()));
    return fit;
}

/// The shape k with log(k) - digamma(k) = gap, gap > 0, by Newton's method on log(k).
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

/// The parameters as a point for the search, and back.
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

}  // namespace

const char* family_name(Family family) {
    switch (family) {
        case Family::kExponential:
            return "exponential";
        case Family::kShiftedExponential:
            return "shifted exponential";
        case Family::kGamma:
            return "gamma";
        case Family::kNormal:
            break;
    }
    return "normal";
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

std::optional<Fit> fit_likelihood(Sample sample, Family family) {
    if (sample.empty()) return std::nullopt;
    const Description d = describe(sample);
    if (d.min < 0 || d.mean <= 0) return std::nullopt;
    Fit fit{family};
    const auto n = static_cast<double>(d.n);
    switch (family) {
        case Family::kExponential:
            fit.scale = d.mean;
            return with_error(fit, sample);
        case Family::kShiftedExponential:
            fit.shift = d.min;
            fit.scale = d.mean - d.min;
            break;
        case Family::kNormal:
            fit.shift = d.mean;
            fit.scale = d.std * std::sqrt((n - 1) / n);
            break;
        case Family::kGamma: {
            const auto gamma = gamma_likelihood(sample, d);
            return gamma ? with_error(gamma, sample) : std::nullopt;
        }
    }
    if (!(fit.scale > 1e-12 * d.mean)) return std::nullopt;
    return with_error(fit, sample);
}

std::optional<Fit> fit_least_squares(Sample sample, Family family) {
    const std::optional<Fit> start = fit_likelihood(sample, family);
    if (!start || empirical_distribution(sample).size() < 3) return std::nullopt;
    const double unit = mean(sample);  // the search is over numbers about 1
    std::vector<double> scaled = sorted(sample);
    for (double& value : scaled) value /= unit;
    Fit first = *start;
    first.shift /= unit;
    first.scale /= unit;
    const Point found = minimum(
        [&](const Point& point) {
            const bool far = std::abs(point[0]) > 50 || std::abs(point[1]) > 50;
            return far ? 1e9 : squared_error(scaled, from_point(family, point, 1));
        },
        to_point(first));
    return with_error(from_point(family, found, unit), sample);
}

double mean_of_first(const Fit& fit, double p) {
    if (!(p >= 1)) throw std::invalid_argument("at least one run is needed");
    if (fit.family == Family::kExponential) return fit.scale / p;
    if (fit.family == Family::kShiftedExponential && fit.shift >= 0) return fit.shift + fit.scale / p;
    const auto survival = [&](double t) { return std::pow(fit.survival(t), p); };
    double end = std::max(fit.mean(), fit.scale);  // beyond it nothing is left
    while (survival(end) > 1e-16) end *= 2;
    // The integrand falls near 0 where p is large: pieces that halve towards 0.
    constexpr unsigned kDepth = 6;
    constexpr double kError = 1e-10;  // relative
    double sum = 0;
    double high = end;
    for (int piece = 0; piece < 60; ++piece, high /= 2) {
        sum += boost::math::quadrature::gauss_kronrod<double, 61>::integrate(survival, high / 2, high, kDepth, kError);
    }
    return sum + high;
}

}  // namespace qapfw::statistics
