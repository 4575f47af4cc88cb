// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {
namespace {

using statistics::Sample;

std::optional<double> figure_of(const ReferenceFigures& line, const std::string& name) {
    const auto found = line.figures.find(name);
    return found == line.figures.end() ? std::nullopt : std::optional<double>(found->second);
}

/// A published figure to compare with, and how our figure is computed from the runs.
struct Compared {
    std::string column;
    bool timed = false;  ///< true: the figure is the time of all runs, divided by the number of hits
    double (*statistic)(Sample) = statistics::mean;
    std::vector<double> (*values)(const Results&, const ResultCell&);
};

std::vector<double> measured_values(const Results& results, const ResultCell& cell) {
    return results.measured(cell);
}

std::vector<double> cost_values(const Results&, const ResultCell& cell) {
    return cell.costs();
}

double smallest(Sample values) {
    return *std::min_element(values.begin(), values.end());
}

/// The figures to compare. If costs are compared and `line` has neither a mean nor a median, its best cost is compared.
std::vector<Compared> compared(StudyMeasure measure, const ReferenceFigures& line) {
    switch (measure) {
        case StudyMeasure::kCost:
            if (!figure_of(line, "cost_mean") && !figure_of(line, "cost_median"))
                return {{"cost_best", false, smallest, cost_values}};
            return {{"cost_mean", false, statistics::mean, cost_values},
                    {"cost_median", false, statistics::median, cost_values}};
        case StudyMeasure::kIterations:
            return {{"iterations_median", false, median_with_misses, measured_values}};
        case StudyMeasure::kSeconds:
            return {{"seconds_mean", true, statistics::mean, measured_values}};
        case StudyMeasure::kBudget:
            break;
    }
    return {{"seconds_mean", false, statistics::mean, measured_values}};
}

struct Judged {
    double ours = std::numeric_limits<double>::infinity();
    /// The ratio theirs / ours, and the lower and the upper end of its interval; empty if `ours` is infinite or 0.
    std::optional<double> ratio, from, to;
    statistics::Verdict verdict = statistics::Verdict::kTooFew;
};

/// Compares our figure for a cell with the published figure `theirs`, which is from `their_runs` runs.
Judged judge(const Results& results, const ResultCell& cell, const Compared& what, double theirs,
             std::uint32_t their_runs) {
    statistics::BootstrapOptions options;
    options.seed = statistics::seed_of(cell.instance + cell.variant + what.column);
    Judged judged;
    statistics::Interval interval;
    if (what.timed) {
        const auto timed = cell.timed();
        judged.ours = statistics::expected_running_time(timed);
        interval = statistics::expected_running_time_interval(timed, options);
        std::vector<double> times;
        for (const auto& run : timed) times.push_back(run.hit ? run.seconds : judged.ours + run.seconds);
        if (cell.hits() == 0) times.clear();
        judged.verdict = statistics::verdict_against(theirs, their_runs, times, statistics::mean, options);
    } else {
        const std::vector<double> values = what.values(results, cell);
        if (values.empty()) return judged;
        judged.ours = what.statistic(values);
        interval = statistics::bootstrap_interval(values, what.statistic, options);
        judged.verdict = statistics::verdict_against(theirs, their_runs, values, what.statistic, options);
        if (what.column == "cost_best")  // the best costs are compared directly, without resamples
            judged.verdict = judged.ours < theirs   ? statistics::Verdict::kBetter
                             : judged.ours > theirs ? statistics::Verdict::kWorse
                                                    : statistics::Verdict::kEqual;
    }
    if (!std::isfinite(judged.ours) || judged.ours == 0) return judged;
    judged.ratio = theirs / judged.ours;
    judged.from = interval.high > 0 ? theirs / interval.high : 0;
    judged.to = interval.low > 0 ? theirs / interval.low : std::numeric_limits<double>::infinity();
    return judged;
}

/// Sum of the logarithms of one algorithm's ratios, for their geometric mean. `count` and `without`: number of rows
/// with and without a ratio.
struct Geometric {
    double logs = 0;
    std::size_t count = 0, without = 0;
};

Table reference_table(const std::string& wanted) {
    return {"references",
            "Published figures (theirs) and figures of our runs (ours)",
            wanted.empty() ? "" : "Wanted: " + wanted,
            {{"source", true},        {"algorithm", true},   {"instance", true},      {"figure", true},
             {"unit", true},          {"theirs", false, 9},  {"ours", false, 9},      {"ours, hits alone", false, 9},
             {"ratio", false, 4},     {"from", false, 4},    {"to", false, 4},        {"ours is", true},
             {"their std", false, 6}, {"our std", false, 6}, {"their MAD", false, 6}, {"our MAD", false, 6},
             {"their hits", false},   {"our hits", false},   {"our runs", false},     {"their gap %", false, 3},
             {"our gap %", false, 3}, {"note", true}},
            {}};
}

/// The note of a line of published figures, with the number of our runs that the time limit cut short, if any. Such a
/// run ended before all its iterations were made.
std::string note_of(const ReferenceFigures& line, const ResultCell& cell, std::size_t cuts) {
    if (cuts == 0) return line.note;
    return fmt::format("{}{}the time limit ended {} of {} runs early, so our gap is not shown", line.note,
                       line.note.empty() ? "" : "; ", cuts, cell.runs.size());
}

/// The values of our runs from which the spread (std, MAD) is computed. `base`, the first word of the column's name,
/// says which values: cost, seconds or iterations.
std::vector<double> spread_sample(const Results& results, const ResultCell& cell, const std::string& base) {
    if (base == "cost") return cell.costs();
    if (base == "seconds")
        return results.plan().study.measure == StudyMeasure::kBudget ? results.measured(cell) : cell.seconds();
    std::vector<double> iterations;
    for (const RunRow* run : cell.runs) iterations.push_back(iterations_to_hit(*run));
    return iterations;
}

/// A row with one published figure beside ours. `cuts`: number of runs that the time limit cut short.
std::vector<TableValue> reference_row(const Results& results, const ReferenceFigures& line, const ResultCell& cell,
                                      const Compared& what, double theirs, const Judged& judged, std::size_t cuts) {
    const std::string base = what.column.substr(0, what.column.find('_'));
    const std::vector<double> sample = what.timed ? cell.seconds_of_hits() : spread_sample(results, cell, base);
    std::vector<double> gaps;
    for (const RunRow* run : cell.runs) {
        if (run->gap) gaps.push_back(100 * *run->gap);
    }
    return {line.source,
            cell.variant,
            line.instance,
            what.column,
            std::string(base == "seconds" ? "s" : base),
            theirs,
            judged.ours,
            what.timed && !sample.empty() ? TableValue(statistics::mean(sample)) : TableValue(),
            value_or_nothing(judged.ratio),
            value_or_nothing(judged.from),
            value_or_nothing(judged.to),
            std::string(statistics::verdict_name(judged.verdict)),
            value_or_nothing(figure_of(line, base + "_std")),
            sample.empty() || std::any_of(sample.begin(), sample.end(), [](double v) { return !std::isfinite(v); })
                ? TableValue()
                : TableValue(statistics::standard_deviation(sample)),
            value_or_nothing(figure_of(line, base + "_mad")),
            sample.empty() ? TableValue() : TableValue(deviation_with_misses(sample)),
            value_or_nothing(figure_of(line, "hits")),
            static_cast<double>(cell.hits()),
            static_cast<double>(cell.runs.size()),
            value_or_nothing(figure_of(line, "gap_mean")),
            gaps.empty() || cuts > 0 ? TableValue() : TableValue(statistics::mean(gaps)),
            note_of(line, cell, cuts)};
}

Table means_table(const std::map<std::string, Geometric>& means) {
    Table table{"reference-means",
                "Geometric means of the ratios",
                "",
                {{"source and algorithm", true}, {"ratio", false, 4}, {"rows", false}, {"rows without a hit", false}},
                {}};
    for (const auto& [name, mean] : means) {
        table.rows.push_back(
            {name, mean.count > 0 ? TableValue(std::exp(mean.logs / static_cast<double>(mean.count))) : TableValue(),
             static_cast<double>(mean.count), static_cast<double>(mean.without)});
    }
    return table;
}

}  // namespace

Section reference_section(const Results& results) {
    const Plan& plan = results.plan();
    Section section{
        "Our figures beside published figures",
        "\"Theirs\" is the published figure, \"ours\" is computed from the runs of this study. The ratio is their "
        "figure divided by ours: above 1, our figure is smaller. Columns \"from\" and \"to\" are the ratio's 95 % "
        "interval, by a bootstrap over our runs. \"Ours is\" tells whether our figure is better, worse or undecided; "
        "this verdict also takes the spread of the published sample into account. Undecided does not mean equal. "
        "Geometric means leave out rows without a hit, so they look better than they are. Figures and spreads are in "
        "the unit of their row.",
        {},
        {},
        {}};
    if (plan.study.measure == StudyMeasure::kSeconds)
        section.text +=
            " Our time is the time of all runs divided by the number of hits. Papers give the mean time of the runs "
            "that hit; our mean of these is in column \"ours, hits alone\". Spreads are over the runs that hit.";
    if (plan.study.measure == StudyMeasure::kIterations) section.text += std::string(" ") + kRuleForMisses;
    Table table = reference_table(plan.study.wanted);
    std::map<std::string, Geometric> means;
    for (const ReferenceFigures& line : plan.references.figures) {
        for (const ResultCell* cell : results.named(line.instance, line.algorithm)) {
            for (const Compared& what : compared(plan.study.measure, line)) {
                const auto theirs = figure_of(line, what.column);
                if (!theirs) continue;
                const Judged judged = judge(results, *cell, what, *theirs, line.runs);
                const std::size_t cuts = plan.study.measure == StudyMeasure::kBudget ? cell->cuts() : 0;
                table.rows.push_back(reference_row(results, line, *cell, what, *theirs, judged, cuts));
                Geometric& mean = means[line.source + " | " + line.algorithm];
                const bool counts = judged.ratio.value_or(0) > 0;
                if (counts) mean.logs += std::log(*judged.ratio);
                ++(counts ? mean.count : mean.without);
            }
        }
    }
    if (table.rows.empty()) return section;
    section.tables.push_back(means_table(means));
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
