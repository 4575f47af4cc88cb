// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/run_times.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace qapfw::statistics {

double expected_running_time(std::span<const TimedRun> runs) {
    double spent = 0;
    std::size_t hits = 0;
    for (const TimedRun& run : runs) {
        spent += run.seconds;
        hits += run.hit ? 1 : 0;
    }
    return hits == 0 ? std::numeric_limits<double>::infinity() : spent / static_cast<double>(hits);
}

Interval expected_running_time_interval(std::span<const TimedRun> runs, const BootstrapOptions& options) {
    const auto statistic = [&](std::span<const std::size_t> drawn) {
        std::vector<TimedRun> chosen;
        chosen.reserve(drawn.size());
        for (const std::size_t index : drawn) chosen.push_back(runs[index]);
        return expected_running_time(chosen);
    };
    return central_interval(resampled(runs.size(), statistic, options), options.confidence);
}

SuccessRate success_rate(std::span<const TimedRun> runs, double confidence) {
    if (runs.empty()) throw std::invalid_argument("a success rate needs at least one run");
    SuccessRate result;
    result.runs = runs.size();
    for (const TimedRun& run : runs) result.hits += run.hit ? 1 : 0;
    const auto n = static_cast<double>(result.runs);
    const auto k = static_cast<double>(result.hits);
    result.rate = k / n;
    const double tail = (1 - confidence) / 2;
    using Beta = boost::math::beta_distribution<double>;
    result.interval.low = result.hits == 0 ? 0 : boost::math::quantile(Beta(k, n - k + 1), tail);
    result.interval.high = result.hits == result.runs ? 1 : boost::math::quantile(Beta(k + 1, n - k), 1 - tail);
    return result;
}

std::vector<Step> empirical_distribution(Sample sample, std::size_t total) {
    const std::vector<double> ascending = sorted(sample);
    const auto all = static_cast<double>(total == 0 ? sample.size() : total);
    std::vector<Step> steps;
    for (std::size_t k = 0; k < ascending.size(); ++k) {
        const double share = static_cast<double>(k + 1) / all;
        if (!steps.empty() && steps.back().x == ascending[k]) {
            steps.back().share = share;
        } else {
            steps.push_back({ascending[k], share});
        }
    }
    return steps;
}

std::vector<Step> empirical_distribution(std::span<const TimedRun> runs) {
    std::vector<TimedRun> ascending(runs.begin(), runs.end());
    std::sort(ascending.begin(), ascending.end(),
              [](const TimedRun& a, const TimedRun& b) { return a.seconds < b.seconds; });
    std::vector<Step> steps;
    double left = 1;  // estimated fraction of runs without a hit up to the present time
    for (std::size_t k = 0, next = 0; k < ascending.size(); k = next) {
        std::size_t hits = 0;
        for (; next < ascending.size() && ascending[next].seconds == ascending[k].seconds; ++next)
            hits += ascending[next].hit ? 1U : 0U;
        if (hits == 0) continue;
        const auto at_risk = static_cast<double>(ascending.size() - k);
        left *= (at_risk - static_cast<double>(hits)) / at_risk;
        steps.push_back({ascending[k].seconds, 1 - left});
    }
    return steps;
}

double mean_of_smallest(std::span<const TimedRun> runs, std::size_t p) {
    if (runs.empty() || p == 0)
        throw std::invalid_argument("a mean of smallest times needs at least one run and one draw");
    std::vector<double> hits, misses;
    for (const TimedRun& run : runs) (run.hit ? hits : misses).push_back(run.seconds);
    if (hits.empty()) return std::numeric_limits<double>::infinity();
    std::sort(hits.begin(), hits.end());
    std::sort(misses.begin(), misses.end());
    const auto all_of = [&](std::size_t count) {  // probability that all draws are among `count` of the runs
        return std::pow(static_cast<double>(count) / static_cast<double>(runs.size()), static_cast<double>(p));
    };
    double spent = 0;
    for (std::size_t k = 0; k < hits.size(); ++k)
        spent += hits[k] * (all_of(runs.size() - k) - all_of(runs.size() - k - 1));
    for (std::size_t k = 0; k < misses.size(); ++k) spent += misses[k] * (all_of(k + 1) - all_of(k));
    return spent / (1 - all_of(misses.size()));
}

}  // namespace qapfw::statistics
