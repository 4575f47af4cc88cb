// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {
namespace {

using statistics::Description;

statistics::BootstrapOptions named(const ResultCell& cell, const char* figure) {
    statistics::BootstrapOptions options;
    options.resamples = 1000;
    options.seed = statistics::seed_of(cell.instance + "/" + cell.variant + "/" + figure);
    return options;
}

const std::vector<Column>& instance_columns() {
    static const std::vector<Column> kColumns{{"instance", true},
                                              {"algorithm", true},
                                              {"runs", false},
                                              {"hits", false},
                                              {"min", false, 9},
                                              {"median", false, 9},
                                              {"mean", false, 9},
                                              {"max", false, 9},
                                              {"std", false, 4},
                                              {"MAD", false, 4},
                                              {"mean from", false, 9},
                                              {"mean to", false, 9},
                                              {"gap %", false, 4},
                                              {"time min s", false, 4},
                                              {"time median s", false, 4},
                                              {"time mean s", false, 4},
                                              {"time max s", false, 4},
                                              {"time std s", false, 4},
                                              {"hits' mean s", false, 4},
                                              {"hits' std s", false, 4},
                                              {"hits' min s", false, 4},
                                              {"hits' max s", false, 4},
                                              {"ERT s", false, 4},
                                              {"ERT from", false, 4},
                                              {"ERT to", false, 4},
                                              {"iterations median", false, 5},
                                              {"success from", false, 3},
                                              {"success to", false, 3}};
    return kColumns;
}

void add_costs(const ResultCell& cell, std::vector<TableValue>& row) {
    const std::vector<double> costs = cell.costs();
    if (costs.empty()) {
        row.resize(row.size() + 8);
        return;
    }
    const Description d = statistics::describe(costs);
    const auto interval = statistics::bootstrap_interval(costs, statistics::mean, named(cell, "cost"));
    for (const double value : {d.min, d.median, d.mean, d.max, d.std, d.mad, interval.low, interval.high})
        row.emplace_back(value);
}

void add_times(const ResultCell& cell, std::vector<TableValue>& row) {
    const std::vector<double> seconds = cell.seconds();
    if (seconds.empty()) {
        row.resize(row.size() + 12);
        return;
    }
    const Description d = statistics::describe(seconds);
    const auto timed = cell.timed();
    const auto interval = statistics::expected_running_time_interval(timed, named(cell, "time"));
    for (const double value : {d.min, d.median, d.mean, d.max, d.std}) row.emplace_back(value);
    const std::vector<double> hits = cell.seconds_of_hits();
    if (hits.empty()) {
        row.resize(row.size() + 4);
    } else {
        const Description h = statistics::describe(hits);
        for (const double value : {h.mean, h.std, h.min, h.max}) row.emplace_back(value);
    }
    for (const double value : {statistics::expected_running_time(timed), interval.low, interval.high})
        row.emplace_back(value);
}

std::vector<TableValue> instance_row(const ResultCell& cell) {
    std::vector<TableValue> row{cell.instance, cell.variant, static_cast<double>(cell.runs.size()),
                                static_cast<double>(cell.hits())};
    add_costs(cell, row);
    std::vector<double> gaps, iterations;
    for (const RunRow* run : cell.runs) {
        if (run->gap) gaps.push_back(100 * *run->gap);
        iterations.push_back(run->iterations);
    }
    row.push_back(gaps.empty() ? TableValue() : TableValue(statistics::mean(gaps)));
    add_times(cell, row);
    row.emplace_back(statistics::median(iterations));
    if (cell.timed().empty()) {
        row.resize(row.size() + 2);
    } else {
        const auto success = statistics::success_rate(cell.timed());
        row.emplace_back(success.interval.low);
        row.emplace_back(success.interval.high);
    }
    return row;
}

/// A plot with one box per variant. Values farther from the box than 1.5 times the box's length are single points.
Plot box_plot(const Results& results, const std::string& instance) {
    Plot plot{"box-" + instance, instance, "", "box", "", ""};
    const double reference = results.reference_cost(instance);
    const bool gaps = results.has_best_known(instance) && reference != 0;
    const bool times =
        results.plan().study.measure == StudyMeasure::kSeconds || results.plan().study.measure == StudyMeasure::kBudget;
    plot.y = times ? "seconds" : gaps ? "gap to the best known cost [%]" : "cost";
    plot.log_y = times;
    for (const ResultCell* cell : results.of_instance(instance)) {
        std::vector<double> values = times ? cell->seconds() : cell->costs();
        if (!times && gaps) {
            for (double& value : values)
                value = 100 * cell->runs.front()->sense * (value - reference) / std::abs(reference);
        }
        if (values.empty()) continue;
        const std::vector<double> ascending = statistics::sorted(values);
        const auto at = [&](double p) { return statistics::quantile_sorted(ascending, p); };
        const double reach = 1.5 * (at(0.75) - at(0.25));
        const auto inner = [&](double value) { return value >= at(0.25) - reach && value <= at(0.75) + reach; };
        const auto first = std::find_if(ascending.begin(), ascending.end(), inner);
        const auto last = std::find_if(ascending.rbegin(), ascending.rend(), inner);
        Series series{cell->variant, {*first, at(0.25), at(0.5), at(0.75), *last}, {}, {}, {}};
        for (const double value : ascending) {
            if (!inner(value)) series.y.push_back(value);
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

Section instances_section(const Results& results) {
    Section section{"Instances",
                    "Costs found, their spread, times, and the expected running time (ERT): the time of all runs "
                    "divided by the number of hits. A hit reaches the target, or the best-known cost if there is no "
                    "target. Intervals are 95 % confidence intervals.",
                    {},
                    {},
                    {}};
    Table table{"results", "Every instance and algorithm", "", instance_columns(), {}};
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* cell : results.of_instance(instance)) table.rows.push_back(instance_row(*cell));
        Plot plot = box_plot(results, instance);
        if (!plot.series.empty()) section.plots.push_back(std::move(plot));
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
