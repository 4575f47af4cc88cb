// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "framework/report/asked_sections.hpp"

namespace qapfw::framework {
namespace {

/// The runs' summary of drawn runs: for intervals of ratios.
double drawn_summary(const Results& results, const ResultCell& cell, std::span<const std::size_t> drawn) {
    if (results.plan().study.measure == StudyMeasure::kSeconds) {
        const auto timed = cell.timed();
        std::vector<statistics::TimedRun> chosen;
        for (const std::size_t index : drawn) chosen.push_back(timed[index]);
        return statistics::expected_running_time(chosen);
    }
    const auto values = results.measured(cell);
    std::vector<double> chosen;
    for (const std::size_t index : drawn) chosen.push_back(values[index]);
    return summary_of(results.plan().study.measure, chosen);
}

/// The ratio of two cells' summaries with its interval; zero where there is none.
struct Ratio {
    double value = 0;
    statistics::Interval interval;
};

Ratio ratio_of(const Results& results, const ResultCell& above, const ResultCell& below) {
    statistics::BootstrapOptions options;
    options.resamples = 1000;
    options.seed = statistics::seed_of(above.instance + above.runs.front()->algorithm);
    auto ratios = statistics::resampled(
        above.runs.size(), [&](auto drawn) { return drawn_summary(results, above, drawn); }, options);
    options.seed = statistics::seed_of(below.instance + below.runs.front()->algorithm + "second");
    const auto divisors = statistics::resampled(
        below.runs.size(), [&](auto drawn) { return drawn_summary(results, below, drawn); }, options);
    for (std::size_t k = 0; k < ratios.size(); ++k)
        ratios[k] = std::isinf(divisors[k]) || divisors[k] == 0 ? 0 : ratios[k] / divisors[k];
    Ratio ratio;
    ratio.interval = statistics::central_interval(ratios, 0.95);
    const double divisor = results.summary(below);
    if (std::isfinite(divisor) && divisor != 0) ratio.value = results.summary(above) / divisor;
    return ratio;
}

/// A row for each instance, and their geometric mean.
void add_rows(const Results& results, const std::string& of, const std::string& to, Table& table) {
    static const std::vector<std::string> kFigures{"seconds_mean", "iterations_median", "cost_mean"};
    double logs = 0;
    std::size_t count = 0;
    for (const std::string& instance : results.instances()) {
        const ResultCell *a = single(results, instance, of), *b = single(results, instance, to);
        if (a == nullptr || b == nullptr || a->timed().empty() || b->timed().empty()) continue;
        const Ratio ratio = ratio_of(results, *a, *b);
        const auto theirs_a = published(results, instance, of, kFigures),
                   theirs_b = published(results, instance, to, kFigures);
        table.rows.push_back(
            {of, to, instance, ratio.value, ratio.interval.low, ratio.interval.high,
             theirs_a && theirs_b && *theirs_b > 0 ? TableValue(*theirs_a / *theirs_b) : TableValue()});
        if (!(ratio.value > 0) || !std::isfinite(ratio.value)) continue;
        logs += std::log(ratio.value);
        ++count;
    }
    if (count > 0)
        table.rows.push_back(
            {of, to, std::string("geometric mean"), std::exp(logs / static_cast<double>(count)), {}, {}, {}});
}

}  // namespace

Section ratio_section(const Results& results, const StudySection& asked) {
    Section section =
        titled(asked, "Ratios",
               fmt::format("{} of the first divided by that of the second: above 1 where the second is smaller. "
                           "Intervals hold 95 % (bootstrap of both).",
                           results.summary_name()));
    Table table{"ratio-" + asked.title,
                section.title,
                "",
                {{"first", true},
                 {"second", true},
                 {"instance", true},
                 {"ratio", false, 4},
                 {"from", false, 4},
                 {"to", false, 4},
                 {"published ratio", false, 4}},
                {}};
    for (const std::string& of : texts_of(asked, "of")) {
        for (const std::string& to : texts_of(asked, "to")) {
            if (of != to) add_rows(results, of, to, table);
        }
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework
