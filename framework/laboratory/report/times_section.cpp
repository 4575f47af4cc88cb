// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr std::size_t kMostCurves = 12;
constexpr std::size_t kGridPoints = 80;
constexpr double kTargets[]{0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0};  // target gaps

/// Returns kGridPoints numbers from low to high, evenly spaced on a logarithmic axis.
std::vector<double> log_grid(double low, double high) {
    std::vector<double> grid;
    low = std::max(low, 1e-6);
    high = std::max(high, low * 1.001);
    for (std::size_t k = 0; k < kGridPoints; ++k)
        grid.push_back(low * std::pow(high / low, static_cast<double>(k) / (kGridPoints - 1)));
    return grid;
}

using Axis = double TracePoint::*;

/// Cost of the run's best solution after x seconds or evaluations (`axis`). If larger costs are better, the cost is
/// negated, so that the smaller result is always better. Infinite before the first solution.
double best_at(const RunRow& run, Axis axis, double x) {
    double best = std::numeric_limits<double>::infinity();
    for (const TracePoint& point : run.trace) {
        if (point.*axis > x) break;
        best = run.sense * point.cost;
    }
    return best;
}

std::pair<double, double> range_of(const std::vector<const ResultCell*>& cells, Axis axis) {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const ResultCell* cell : cells) {
        for (const RunRow* run : cell->runs) {
            for (const TracePoint& point : run->trace) {
                low = std::min(low, point.*axis);
                high = std::max(high, point.*axis);
            }
            high = std::max(high, axis == &TracePoint::seconds ? run->seconds.value_or(0) : run->evaluations);
        }
    }
    return {low, high};
}

Plot convergence_plot(const Results& results, const std::string& instance, Axis axis, const char* name) {
    const double reference = results.reference_cost(instance);
    const bool gaps = reference != 0;
    Plot plot{fmt::format("convergence-{}-{}", instance, name),
              instance,
              "",
              "lines",
              name,
              gaps ? "gap [%]" : "cost",
              true,
              false};
    auto cells = results.of_instance(instance);
    if (cells.size() > kMostCurves) cells.resize(kMostCurves);
    const auto [low, high] = range_of(cells, axis);
    if (!(high > 0) || !std::isfinite(low)) return plot;
    for (const ResultCell* cell : cells) {
        Series series{cell->variant, {}, {}, {}, {}};
        for (const double x : log_grid(low, high)) {
            std::vector<double> values;
            for (const RunRow* run : cell->runs) {
                const double best = best_at(*run, axis, x);
                if (!std::isfinite(best)) continue;
                values.push_back(gaps ? 100 * (best - run->sense * reference) / std::abs(reference)
                                      : run->sense * best);
            }
            if (values.empty() || values.size() < cell->runs.size()) continue;
            const std::vector<double> ascending = statistics::sorted(values);
            series.x.push_back(x);
            series.y.push_back(statistics::quantile_sorted(ascending, 0.5));
            series.low.push_back(statistics::quantile_sorted(ascending, 0.25));
            series.high.push_back(statistics::quantile_sorted(ascending, 0.75));
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

/// The time at which the run reached a cost; infinite: never. `cost`: this cost times the run's sense.
double time_to(const RunRow& run, double cost) {
    for (const TracePoint& point : run.trace) {
        if (run.sense * point.cost <= cost) return point.seconds;
    }
    return std::numeric_limits<double>::infinity();
}

/// Plots over time, for each variant, the fraction of pairs (run, target) in which the run has reached the target.
Plot run_lengths_plot(const Results& results) {
    Plot plot{"run-lengths", "Run-length distributions over targets",   "",   "steps",
              "seconds",     "fraction of pairs (run, target) reached", true, false};
    plot.note =
        "Targets: gaps of 5, 2, 1, 0.5, 0.2, 0.1 and 0 % to the best known cost, or to the best cost of the study if "
        "none is known.";
    for (const std::string& variant : results.variants()) {
        std::vector<double> times;
        std::size_t pairs = 0;
        for (const std::string& instance : results.instances()) {
            const ResultCell* cell = results.find(instance, variant);
            if (cell == nullptr) continue;
            const double reference = results.reference_cost(instance);
            for (const RunRow* run : cell->runs) {
                for (const double gap : kTargets) {
                    const double time = time_to(*run, run->sense * reference + gap * std::abs(reference));
                    ++pairs;
                    if (std::isfinite(time)) times.push_back(std::max(time, 1e-6));
                }
            }
        }
        if (times.empty()) continue;
        Series series{variant, {}, {}, {}, {}};
        const auto steps = statistics::empirical_distribution(times, pairs);
        const std::size_t stride = steps.size() / 300 + 1;
        for (std::size_t k = 0; k < steps.size(); k += stride) {
            series.x.push_back(steps[k].x);
            series.y.push_back(steps[k].share);
        }
        series.x.push_back(steps.back().x);
        series.y.push_back(steps.back().share);
        if (series.x.size() > 1 && series.x[series.x.size() - 2] == series.x.back()) {
            series.x.pop_back();
            series.y.pop_back();
        }
        plot.series.push_back(std::move(series));
        if (plot.series.size() == kMostCurves) break;
    }
    return plot;
}

/// Plot of the times that runs took to hit. A curve rises by one step for each run that hit.
Plot target_plot(const Results& results, const std::string& instance) {
    Plot plot{"target-" + instance, instance, "", "steps", "seconds", "fraction of runs at the target", true, false};
    for (const ResultCell* cell : results.of_instance(instance)) {
        std::vector<double> times;
        for (const RunRow* run : cell->runs) {
            if (run->hit && run->seconds)
                times.push_back(std::max(run->target ? *run->seconds : run->seconds_to_best, 1e-6));
        }
        if (times.empty()) continue;
        Series series{fmt::format("{} ({} of {})", cell->variant, times.size(), cell->runs.size()), {}, {}, {}, {}};
        for (const auto& step : statistics::empirical_distribution(times, cell->runs.size())) {
            series.x.push_back(step.x);
            series.y.push_back(step.share);
        }
        plot.series.push_back(std::move(series));
        if (plot.series.size() == kMostCurves) break;
    }
    return plot;
}

}  // namespace

Section times_section(const Results& results) {
    Section section{
        "Times to targets", "A curve that ends below 1 has runs that never reached the target.", {}, {}, {}};
    Plot lengths = run_lengths_plot(results);
    if (!lengths.series.empty()) section.plots.push_back(std::move(lengths));
    for (const std::string& instance : results.instances()) {
        Plot plot = target_plot(results, instance);
        if (!plot.series.empty()) section.plots.push_back(std::move(plot));
    }
    return section;
}

Section convergence_section(const Results& results) {
    Section section{"Convergence",
                    "A curve is the median, over the runs, of the best cost found so far (or of its gap); the band "
                    "lies between the quartiles. A curve begins where every run has a solution.",
                    {},
                    {},
                    {}};
    for (const std::string& instance : results.instances()) {
        for (const auto& [axis, name] : {std::pair<Axis, const char*>{&TracePoint::seconds, "seconds"},
                                         {&TracePoint::evaluations, "evaluations"}}) {
            Plot plot = convergence_plot(results, instance, axis, name);
            if (!plot.series.empty()) section.plots.push_back(std::move(plot));
        }
    }
    return section;
}

}  // namespace qapfw::framework::laboratory
