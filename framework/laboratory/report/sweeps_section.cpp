// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Returns the coordinate of a parameter's value on the x axis: the value itself if it is a number, else its index in
/// `order`.
double place_of(const std::string& value, const std::vector<std::string>& order) {
    double number = 0;
    const char* end = value.data() + value.size();
    const auto result = std::from_chars(value.data(), end, number);
    if (result.ec == std::errc() && result.ptr == end) return number;
    return static_cast<double>(std::find(order.begin(), order.end(), value) - order.begin());
}

std::vector<std::string> values_of(const Plan& plan, const std::string& key) {
    std::vector<std::string> values;
    for (const Cell& cell : plan.cells) {
        for (const Factor& factor : cell.factors) {
            if (factor.key == key && std::find(values.begin(), values.end(), factor.value) == values.end())
                values.push_back(factor.value);
        }
    }
    return values;
}

std::vector<Factor> swept(const Plan& plan) {
    std::vector<Factor> factors;
    for (const Cell& cell : plan.cells) {
        for (const Factor& factor : cell.factors) {
            const bool known = std::any_of(factors.begin(), factors.end(),
                                           [&](const Factor& other) { return other.key == factor.key; });
            if (!known) factors.push_back(factor);
        }
    }
    return factors;
}

double mean_seconds(const ResultCell& cell) {
    const std::vector<double> seconds = cell.seconds();
    return seconds.empty() ? std::nan("") : statistics::mean(seconds);
}

double best_cost(const ResultCell& cell) {
    const std::vector<double> costs = cell.costs();
    if (costs.empty()) return std::nan("");
    const auto ends = std::minmax_element(costs.begin(), costs.end());
    return cell.runs.front()->sense < 0 ? *ends.second : *ends.first;
}

/// A plot of `figure` over the factor's values, with a line for each instance. The plot shows only cells with the
/// algorithm and the values of the other factors that `rest` names. A line is relative to the figure at the first
/// value: figure / first figure if `rising` is true, otherwise first figure / figure.
Plot line_plot(const Results& results, const Factor& factor, const std::string& rest, const char* name,
               double (*figure)(const ResultCell&), bool rising) {
    Plot plot{fmt::format("sweep-{}-{}-{}", factor.label, name, rest),
              fmt::format("{} over {}{}", name, factor.label, rest.empty() ? "" : ", " + rest),
              "",
              "lines",
              factor.label,
              name,
              true,
              rising};
    const auto order = values_of(results.plan(), factor.key);
    std::map<std::string, std::map<double, double>> lines;
    for (const Cell& cell : results.plan().cells) {
        std::string others = cell.algorithm;
        std::optional<double> x;
        for (const Factor& one : cell.factors) {
            if (one.key == factor.key) {
                x = place_of(one.value, order);
            } else {
                others += fmt::format(" {}={}", one.label, one.value);
            }
        }
        const ResultCell* found = results.find(cell.instance, cell.variant());
        if (!x || found == nullptr || others != rest || std::isnan(figure(*found))) continue;
        lines[cell.instance][*x] = figure(*found);
    }
    for (const auto& [instance, points] : lines) {
        Series series{instance, {}, {}, {}, {}};
        const double first = points.begin()->second;
        for (const auto& [x, y] : points) {
            series.x.push_back(x);
            series.y.push_back(rising ? (first > 0 ? y / first : y) : (y != 0 ? first / y : 1));
        }
        plot.log_x = plot.log_x && series.x.front() > 0;
        plot.series.push_back(std::move(series));
    }
    plot.y = rising ? "mean time / mean time at the first point"
                    : "quality improvement: best cost at the first point / best cost";
    return plot;
}

Plot heat_map(const Results& results, const std::string& instance, const std::string& algorithm, const Factor& across,
              const Factor& down) {
    Plot plot{fmt::format("heat-{}-{}", algorithm, instance),
              fmt::format("{} on {}", algorithm, instance),
              "",
              "heat",
              across.label,
              down.label};
    plot.labels = values_of(results.plan(), across.key);
    plot.rows = values_of(results.plan(), down.key);
    plot.note = results.summary_name();
    for (const std::string& row : plot.rows) {
        Series series{row, {}, std::vector<double>(plot.labels.size(), std::nan("")), {}, {}};
        for (const Cell& cell : results.plan().cells) {
            const auto is = [&](const Factor& wanted, const std::string& value) {
                return std::any_of(cell.factors.begin(), cell.factors.end(),
                                   [&](const Factor& f) { return f.key == wanted.key && f.value == value; });
            };
            const ResultCell* found = results.find(cell.instance, cell.variant());
            if (found == nullptr || cell.instance != instance || cell.algorithm != algorithm || !is(down, row))
                continue;
            for (std::size_t k = 0; k < plot.labels.size(); ++k) {
                if (is(across, plot.labels[k])) series.y[k] = results.summary(*found);
            }
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

Section sweeps_section(const Results& results) {
    Section section{"Sweeps", "Best quality and mean time for each value of a swept parameter.", {}, {}, {}};
    const auto factors = swept(results.plan());
    for (const Factor& factor : factors) {
        std::vector<std::string> rests;
        for (const Cell& cell : results.plan().cells) {
            std::string rest = cell.algorithm;
            bool has = false;
            for (const Factor& one : cell.factors) {
                has = has || one.key == factor.key;
                if (one.key != factor.key) rest += fmt::format(" {}={}", one.label, one.value);
            }
            if (has && std::find(rests.begin(), rests.end(), rest) == rests.end()) rests.push_back(rest);
        }
        if (rests.size() > 12) continue;  // too many plots; heat maps follow if at least two factors are swept
        for (const std::string& rest : rests) {
            section.plots.push_back(line_plot(results, factor, rest, "time", mean_seconds, true));
            section.plots.push_back(line_plot(results, factor, rest, "quality", best_cost, false));
        }
    }
    if (factors.size() >= 2) {
        for (const std::string& instance : results.instances()) {
            std::vector<std::string> done;
            for (const Cell& cell : results.plan().cells) {
                if (cell.instance != instance || cell.factors.size() < 2 ||
                    std::find(done.begin(), done.end(), cell.algorithm) != done.end())
                    continue;
                done.push_back(cell.algorithm);
                section.plots.push_back(heat_map(results, instance, cell.algorithm, cell.factors[0], cell.factors[1]));
            }
        }
    }
    std::erase_if(section.plots, [](const Plot& plot) { return plot.series.empty(); });
    return section;
}

}  // namespace qapfw::framework::laboratory
