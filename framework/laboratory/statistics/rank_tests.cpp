// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/rank_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

namespace qapfw::statistics {
namespace {

double normal_cdf(double z) {
    return boost::math::erfc(-z / std::sqrt(2.0)) / 2;
}

std::vector<std::size_t> order_by(Sample values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return order;
}

void demand_table(const std::vector<std::vector<double>>& rows) {
    if (rows.empty() || rows.front().size() < 2)
        throw std::invalid_argument("Friedman's test needs at least one block and two treatments");
    for (const auto& row : rows) {
        if (row.size() != rows.front().size())
            throw std::invalid_argument("all blocks must have the same number of treatments");
    }
}

/// Number of distinct orders of the values; equal values are interchangeable.
double arrangements(Sample values) {
    std::vector<double> ascending = sorted(values);
    double count = 1, equal = 0;
    for (std::size_t k = 0; k < ascending.size(); ++k) {
        equal = k > 0 && ascending[k] == ascending[k - 1] ? equal + 1 : 1;
        count *= static_cast<double>(k + 1) / equal;
    }
    return count;
}

}  // namespace

std::vector<double> holm(Sample p) {
    const std::vector<std::size_t> order = order_by(p);
    std::vector<double> adjusted(p.size());
    double largest = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - k) * p[order[k]]));
        adjusted[order[k]] = largest;
    }
    return adjusted;
}

double a12(Sample a, Sample b) {
    if (a.empty() || b.empty()) throw std::invalid_argument("a sample must hold at least one value");
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    const std::vector<double> ranks = midranks(all);
    const auto m = static_cast<double>(a.size());
    const auto n = static_cast<double>(b.size());
    const double sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(a.size()), 0.0);
    return (sum - m * (m + 1) / 2) / (m * n);
}

const char* a12_size(double a12) {
    // 0.71 counts as large, although 0.71 - 0.5 rounds to less than 0.21.
    const double distance = std::abs(a12 - 0.5) + 1e-12;
    if (distance < 0.06) return "none";
    if (distance < 0.14) return "small";
    return distance < 0.21 ? "medium" : "large";
}

Friedman friedman(const std::vector<std::vector<double>>& rows) {
    demand_table(rows);
    const std::size_t count = rows.front().size();
    const auto k = static_cast<double>(count);
    const auto n = static_cast<double>(rows.size());
    Friedman test;
    test.blocks = rows.size();
    test.mean_ranks.assign(count, 0.0);
    double ties = 0;
    for (const auto& row : rows) {
        const std::vector<double> ranks = midranks(row);
        for (std::size_t t = 0; t < count; ++t) test.mean_ranks[t] += ranks[t] / n;
        ties += tie_term(row);
    }
    double spread = 0;
    for (const double rank : test.mean_ranks) spread += (rank - (k + 1) / 2) * (rank - (k + 1) / 2);
    const double untied = 1 - ties / (n * k * (k * k - 1));
    if (untied <= 1e-12) return test;  // in every block all values are equal
    test.chi_squared = 12 * n / (k * (k + 1)) * spread / untied;
    test.p = boost::math::cdf(boost::math::complement(boost::math::chi_squared(k - 1), test.chi_squared));
    const double rest = n * (k - 1) - test.chi_squared;
    if (rest <= 1e-9 * n * k) {  // all blocks have the same ranks
        test.f = std::numeric_limits<double>::infinity();
        test.f_p = 1;
        for (const auto& row : std::span(rows).subspan(1)) test.f_p /= arrangements(row);
        return test;
    }
    test.f = (n - 1) * test.chi_squared / rest;
    if (rows.size() > 1)
        test.f_p = boost::math::cdf(boost::math::complement(boost::math::fisher_f(k - 1, (k - 1) * (n - 1)), test.f));
    return test;
}

double studentized_range(double q, std::size_t k) {
    if (q <= 0) return 0;
    const auto power = static_cast<double>(k - 1);
    const auto density = [&](double z) {
        return std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846) *
               std::pow(normal_cdf(z) - normal_cdf(z - q), power);
    };
    double sum = 0;  // integral of the density, computed in pieces of length 2
    for (int piece = -4; piece < 4 + static_cast<int>(q) / 2 + 1; ++piece)
        sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(density, 2.0 * piece, 2.0 * piece + 2, 6,
                                                                             1e-13);
    return std::min(1.0, static_cast<double>(k) * sum);
}

double studentized_range_quantile(double p, std::size_t k) {
    const auto excess = [&](double q) { return studentized_range(q, k) - p; };
    std::uintmax_t steps = 100;
    const auto bracket =
        boost::math::tools::toms748_solve(excess, 1e-6, 40.0, boost::math::tools::eps_tolerance<double>(48), steps);
    return (bracket.first + bracket.second) / 2;
}

double critical_difference(std::size_t treatments, std::size_t blocks, double alpha) {
    if (treatments < 2 || blocks == 0)
        throw std::invalid_argument("a critical difference needs two treatments and a block");
    const auto k = static_cast<double>(treatments);
    return studentized_range_quantile(1 - alpha, treatments) / std::sqrt(2.0) *
           std::sqrt(k * (k + 1) / (6 * static_cast<double>(blocks)));
}

std::vector<std::pair<std::size_t, std::size_t>> rank_groups(Sample mean_ranks, double critical_difference) {
    const std::vector<double> ascending = sorted(mean_ranks);
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t first = 0, reached = 0; first < ascending.size(); ++first) {
        std::size_t last = first;
        while (last + 1 < ascending.size() && ascending[last + 1] - ascending[first] <= critical_difference) ++last;
        if (last > first && (groups.empty() || last > reached)) groups.emplace_back(first, last);
        reached = std::max(reached, last);
    }
    return groups;
}

}  // namespace qapfw::statistics
