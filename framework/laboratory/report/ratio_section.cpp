// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "framework/laboratory/report/asked_sections.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Returns the summary of one bootstrap sample of a cell's runs. `drawn`: indices of the runs in the sample.
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

struct Ratio {
    double value = 0;
    statistics::Interval interval;
};

/// The ratio of two cells' summaries with its interval; nothing if a summary is infinite (no hits) or the divisor is 0.
std::optional<Ratio> ratio_of(const Results& results, const ResultCell& above, const ResultCell& below) {
    const double dividend = results.summary(above), divisor = results.summary(below);
    if (!std::isfinite(dividend) || !std::isfinite(divisor) || divisor == 0) return std::nullopt;
    statistics::BootstrapOptions options;
    options.resamples = 1000;
    options.seed = statistics::seed_of(above.instance + above.runs.front()->algorithm);
    auto ratios = statistics::resampled(
        above.runs.size(), [&](auto drawn) { return drawn_summary(results, above, drawn); }, options);
    options.seed = statistics::seed_of(below.instance + below.runs.front()->algorithm + "second");
    const auto divisors = statistics::resampled(
        below.runs.size(), [&](auto drawn) { return drawn_summary(results, below, drawn); }, options);
    for (std::size_t k = 0; k < ratios.size(); ++k) ratios[k] /= divisors[k];
    // A ratio is not a number if it is infinite / infinite (the resampled runs of both cells had no hit) or 0 / 0.
    std::erase_if(ratios, [](double ratio) { return std::isnan(ratio); });
    return Ratio{dividend / divisor, statistics::central_interval(ratios, 0.95)};
}

/// The ratios of several instances, summed up so that their means can be computed. `logs` sums the ratios' logarithms.
struct Means {
    double logs = 0, sum = 0;
    std::size_t count = 0;
    void add(double ratio) {
        logs += std::log(ratio);
        sum += ratio;
        ++count;
    }
    double geometric() const { return std::exp(logs / static_cast<double>(count)); }
    double arithmetic() const { return sum / static_cast<double>(count); }
};

struct Published {
    double value = 0;
    bool printed = true;  ///< true: the paper prints the ratio; false: it is computed from the paper's rounded figures
};

std::optional<Published> published_ratio(const Results& results, const std::string& instance, const std::string& of,
                                         const std::string& to) {
    static const std::vector<std::string> kFigures{"seconds_mean", "iterations_median", "cost_mean"};
    if (const auto printed = published(results, instance, of, {"ratio:" + to})) return Published{*printed, true};
    const auto above = published(results, instance, of, kFigures), below = published(results, instance, to, kFigures);
    if (!above || !below || *below <= 0) return std::nullopt;
    return Published{*above / *below, false};
}

std::string kind_of(const std::optional<Published>& theirs) {
    return !theirs ? "" : theirs->printed ? "printed" : "divided";
}

/// Adds our means over the rows that have a ratio. If all these rows have a published ratio too, the published means
/// stand beside ours. Otherwise further rows compare our means and the published ones over the instances that have
/// both ratios. Finally, adds the average that the paper prints, if it prints one.
void add_means(const Results& results, const std::string& of, const std::string& to, const Means& ours,
               const Means& both, const Means& theirs, Table& table) {
    if (ours.count > 0) {
        const auto row = [&](const char* name, double value, const TableValue& other, const char* kind) {
            table.rows.push_back({of, to, std::string(name), value, {}, {}, other, std::string(kind)});
        };
        const bool same = theirs.count > 0 && both.count == ours.count;
        row("geometric mean", ours.geometric(), same ? TableValue(theirs.geometric()) : TableValue(),
            same ? "computed from these rows" : "");
        row("arithmetic mean", ours.arithmetic(), same ? TableValue(theirs.arithmetic()) : TableValue(),
            same ? "computed from these rows" : "");
        if (!same && both.count > 0) {
            row("geometric mean, rows with both ratios", both.geometric(), theirs.geometric(),
                "computed from these rows");
            row("arithmetic mean, rows with both ratios", both.arithmetic(), theirs.arithmetic(),
                "computed from these rows");
        }
    }
    if (const auto average = published(results, "average", of, {"ratio:" + to}))
        table.rows.push_back({of, to, std::string("average"), {}, {}, {}, *average, std::string("printed")});
}

/// Adds a row with the ratio for each instance on which both algorithms have runs with a time. Then adds rows with the
/// means of these ratios. Returns the number of rows without a positive ratio.
std::size_t add_rows(const Results& results, const std::string& of, const std::string& to, Table& table) {
    Means ours, both, printed;
    std::size_t without = 0;
    for (const std::string& instance : results.instances()) {
        const ResultCell *a = single(results, instance, of), *b = single(results, instance, to);
        if (a == nullptr || b == nullptr || a->timed().empty() || b->timed().empty()) continue;
        const auto ratio = ratio_of(results, *a, *b);
        const auto theirs = published_ratio(results, instance, of, to);
        table.rows.push_back({of, to, instance, ratio ? TableValue(ratio->value) : TableValue(),
                              ratio ? TableValue(ratio->interval.low) : TableValue(),
                              ratio ? TableValue(ratio->interval.high) : TableValue(),
                              theirs ? TableValue(theirs->value) : TableValue(), kind_of(theirs)});
        if (!ratio || ratio->value <= 0) {
            ++without;
            continue;
        }
        ours.add(ratio->value);
        if (!theirs || theirs->value <= 0) continue;
        both.add(ratio->value);
        printed.add(theirs->value);
    }
    add_means(results, of, to, ours, both, printed, table);
    return without;
}

}  // namespace

Section ratio_section(const Results& results, const StudySection& asked) {
    Section section = titled(asked, "Ratios",
                             fmt::format("{0} of the first algorithm divided by the {0} of the second: above 1 if the "
                                         "second algorithm has the smaller value. Columns \"from\" and \"to\" are the "
                                         "ends of the 95 % interval, by a bootstrap over the runs of both. A published "
                                         "ratio is the printed ratio; if none is printed, it is computed from the "
                                         "printed, rounded figures.",
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
                 {"published ratio", false, 4},
                 {"which is", true}},
                {}};
    std::size_t without = 0;
    for (const std::string& of : texts_of(asked, "of")) {
        for (const std::string& to : texts_of(asked, "to")) {
            if (of != to) without += add_rows(results, of, to, table);
        }
    }
    if (without > 0)
        table.note = fmt::format(
            "The means leave out {} rows. In these rows the {} of one of the two algorithms is missing, 0 or negative.",
            without, results.summary_name());
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
