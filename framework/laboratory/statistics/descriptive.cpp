// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/descriptive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace qapfw::statistics {
namespace {

void demand_values(Sample sample) {
    if (sample.empty()) throw std::invalid_argument("a sample must hold at least one value");
}

double compensated_sum(Sample sample) {
    double sum = 0, lost = 0;
    for (const double value : sample) {
        const double next = sum + value;
        lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }
    return sum + lost;
}

}  // namespace

std::vector<double> sorted(Sample sample) {
    std::vector<double> values(sample.begin(), sample.end());
    std::sort(values.begin(), values.end());
    return values;
}

double mean(Sample sample) {
    demand_values(sample);
    return compensated_sum(sample) / static_cast<double>(sample.size());
}

double standard_deviation(Sample sample) {
    demand_values(sample);
    if (sample.size() == 1) return 0;
    const double centre = mean(sample);
    std::vector<double> squares;
    squares.reserve(sample.size());
    for (const double value : sample) squares.push_back((value - centre) * (value - centre));
    return std::sqrt(compensated_sum(squares) / static_cast<double>(sample.size() - 1));
}

double quantile_sorted(Sample ascending, double p) {
    demand_values(ascending);
    const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double share = place - static_cast<double>(below);
    if (share == 0 || ascending[below] == ascending[above]) return ascending[below];
    return ascending[below] + share * (ascending[above] - ascending[below]);
}

double quantile(Sample sample, double p) {
    return quantile_sorted(sorted(sample), p);
}

double median(Sample sample) {
    return quantile(sample, 0.5);
}

Description describe(Sample sample) {
    const std::vector<double> ascending = sorted(sample);
    Description d;
    d.median = quantile_sorted(ascending, 0.5);
    d.n = ascending.size();
    d.min = ascending.front();
    d.max = ascending.back();
    d.mean = std::clamp(mean(ascending), d.min, d.max);  // rounding must not move the mean out of the range
    d.std = standard_deviation(ascending);
    std::vector<double> deviations;
    deviations.reserve(ascending.size());
    for (const double value : ascending) deviations.push_back(std::abs(value - d.median));
    d.mad = median(deviations);
    return d;
}

std::vector<double> midranks(Sample sample) {
    std::vector<std::size_t> order(sample.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sample[a] < sample[b]; });
    std::vector<double> ranks(sample.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && sample[order[end]] == sample[order[begin]]) ++end;
        const double shared = static_cast<double>(begin + 1 + end) / 2;
        for (std::size_t k = begin; k < end; ++k) ranks[order[k]] = shared;
    }
    return ranks;
}

double tie_term(Sample sample) {
    const std::vector<double> ascending = sorted(sample);
    double term = 0;
    for (std::size_t begin = 0, end = 0; begin < ascending.size(); begin = end) {
        while (end < ascending.size() && ascending[end] == ascending[begin]) ++end;
        const auto group = static_cast<double>(end - begin);
        term += group * group * group - group;
    }
    return term;
}

}  // namespace qapfw::statistics
