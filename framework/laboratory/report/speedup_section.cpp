// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// The timed runs of the cell. Times below 1 ns become 1 ns, since a gamma distribution allows only times above 0.
std::vector<statistics::TimedRun> runs_of(const ResultCell& cell) {
    auto runs = cell.timed();
    for (auto& run : runs) run.seconds = std::max(run.seconds, 1e-9);
    return runs;
}

std::size_t hits_of(const std::vector<statistics::TimedRun>& runs) {
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.hit; }));
}

/// Plot of the empirical distribution of the times of `runs`, with the fitted distributions over it.
Plot fit_plot(const std::string& instance, const std::vector<statistics::TimedRun>& runs) {
    Plot plot{"fit-" + instance,
              instance,
              "Each smooth curve is fitted to the measured one by least squares.",
              "lines",
              "seconds",
              "fraction of runs that hit",
              false,
              false};
    if (const std::size_t hits = hits_of(runs); hits < runs.size())
        plot.note += fmt::format(" {} of {} runs hit the target; the measured curve is Kaplan and Meier's estimate.",
                                 hits, runs.size());
    Series measured{"measured", {}, {}, {}, {}};
    for (const auto& step : statistics::empirical_distribution(runs)) {
        measured.x.push_back(step.x);
        measured.y.push_back(step.share);
    }
    double end = 0;
    for (const auto& run : runs) end = std::max(end, run.seconds);
    plot.series.push_back(std::move(measured));
    for (const auto family :
         {statistics::Family::kGamma, statistics::Family::kNormal, statistics::Family::kShiftedExponential}) {
        const auto fit = statistics::fit_least_squares(runs, family);
        if (!fit) continue;
        Series curve{
            fmt::format("{} (error {:.3g})", statistics::family_name(family), fit->error), {}, {}, {}, {}, true};
        for (int k = 0; k <= 60; ++k) {
            curve.x.push_back(end * k / 60);
            curve.y.push_back(fit->distribution(end * k / 60));
        }
        plot.series.push_back(std::move(curve));
    }
    return plot;
}

/// Adds a row of points: the time of each single run that hit. The mean is marked if all runs hit.
void add_points(Plot& plot, const std::string& instance, const std::vector<statistics::TimedRun>& runs) {
    Series series{instance, {}, {}, {}, {}};
    double sum = 0;
    for (const auto& run : runs) {
        if (run.hit) series.y.push_back(run.seconds);
        sum += run.seconds;
    }
    if (series.y.empty()) return;
    if (series.y.size() == runs.size()) series.x.push_back(sum / static_cast<double>(runs.size()));
    plot.series.push_back(std::move(series));
}

constexpr const char* kText =
    "T1 is the time of all single runs divided by the number of their hits. Tp is the same for the parallel runs. "
    "Gain = T1 / Tp. M(p) is the mean time until the first of p independent runs hits: the integral of "
    "(1 - F(t))^p, where F is the gamma fit of the single runs. Delta = Tp - M(p). In the fits, a run that "
    "missed its target counts as a run that would have hit it later. There are two fits: "
    "least squares on Kaplan and Meier's distribution, and maximum likelihood (ML).";

constexpr const char* kNote =
    "M(p) resampled needs no fit and no parallel run: it is the mean time until the earliest hit among p single runs "
    "that are drawn at random. It is never below the shortest time of a hit.";

Table speedup_table(const std::string& id, const std::string& title) {
    return {id,
            title,
            kNote,
            {{"instance", true},        {"p", false},
             {"T1 s", false, 4},        {"std 1", false, 4},
             {"Tp s", false, 4},        {"std p", false, 4},
             {"gain", false, 4},        {"gamma shape", false, 4},
             {"gamma scale", false, 4}, {"shape (ML)", false, 4},
             {"scale (ML)", false, 4},  {"M(p)", false, 4},
             {"Delta", false, 4},       {"M(p) resampled", false, 4},
             {"hits 1", false},         {"runs 1", false},
             {"hits p", false},         {"runs p", false},
             {"their gain", false, 4},  {"their M(p)", false, 4},
             {"their Delta", false, 4}},
            {}};
}

TableValue shape_of(const std::optional<statistics::Fit>& fit) {
    return fit ? TableValue(fit->shape) : TableValue();
}
TableValue scale_of(const std::optional<statistics::Fit>& fit) {
    return fit ? TableValue(fit->scale) : TableValue();
}

/// Returns the standard deviation of the runs' times; empty if one of the runs did not reach its target.
TableValue deviation_of(const std::vector<statistics::TimedRun>& runs) {
    std::vector<double> times;
    for (const auto& run : runs) {
        if (!run.hit) return {};
        times.push_back(run.seconds);
    }
    return statistics::standard_deviation(times);
}

TableValue finite(double value) {
    return std::isfinite(value) ? TableValue(value) : TableValue();
}

/// Kinds of columns that have empty cells; text() gives the reasons.
struct Gaps {
    bool deviation = false, fit = false, gain = false;

    std::string text() const {
        std::string text;
        if (deviation)
            text += " A deviation is empty if a run missed the target, since the run's time is then not known.";
        if (fit)
            text +=
                " A fit by least squares needs three different times of hits, a fit by maximum likelihood two. A fit "
                "is empty if there are fewer times, or if the times do not determine the fit.";
        if (gain) text += " A gain is empty if none of the single runs or none of the parallel runs hit the target.";
        return text;
    }
};

/// Adds the table rows of one instance, a row for each algorithm in `parallel` that has runs. `ones` are the runs of
/// the algorithm that the section's key `single` names.
void add_rows(const Results& results, const std::string& instance, const std::vector<statistics::TimedRun>& ones,
              const std::vector<std::string>& parallel, const std::vector<std::string>& counts, Table& table,
              Gaps& gaps) {
    const auto gamma = statistics::fit_least_squares(ones, statistics::Family::kGamma);
    const auto likely = statistics::fit_likelihood(ones, statistics::Family::kGamma);
    const double t1 = statistics::expected_running_time(ones);
    const auto count = [](std::size_t number) { return static_cast<double>(number); };
    for (std::size_t k = 0; k < parallel.size(); ++k) {
        const ResultCell* many = single(results, instance, parallel[k]);
        if (many == nullptr || many->timed().empty()) continue;
        const auto taken = runs_of(*many);
        const double p = std::max(1.0, std::strtod(counts[k].c_str(), nullptr));
        const double tp = statistics::expected_running_time(taken);
        const std::optional<double> m = gamma ? std::optional(statistics::mean_of_first(*gamma, p)) : std::nullopt;
        const auto theirs = [&](const char* figure) {
            return value_or_nothing(published(results, instance, parallel[k], {figure}));
        };
        gaps.deviation = gaps.deviation || hits_of(ones) < ones.size() || hits_of(taken) < taken.size();
        gaps.fit = gaps.fit || !gamma || !likely;
        gaps.gain = gaps.gain || !std::isfinite(t1 / tp) || t1 / tp <= 0;
        table.rows.push_back({instance,
                              p,
                              t1,
                              deviation_of(ones),
                              tp,
                              deviation_of(taken),
                              std::isfinite(tp) ? finite(t1 / tp) : TableValue(),
                              shape_of(gamma),
                              scale_of(gamma),
                              shape_of(likely),
                              scale_of(likely),
                              value_or_nothing(m),
                              m ? finite(tp - *m) : TableValue(),
                              finite(statistics::mean_of_smallest(ones, static_cast<std::size_t>(p))),
                              count(hits_of(ones)),
                              count(ones.size()),
                              count(hits_of(taken)),
                              count(taken.size()),
                              theirs("gain_p"),
                              theirs("m_p"),
                              theirs("delta_p")});
    }
}

}  // namespace

Section speedup_section(const Results& results, const StudySection& asked) {
    const std::string one = texts_of(asked, "single").front();
    const auto parallel = texts_of(asked, "parallel"), counts = texts_of(asked, "p");
    if (parallel.size() != counts.size())
        fail_at(asked.where,
                "[[section]] of kind speedup: the keys \"parallel\" and \"p\" must have equally many values");
    Section section = titled(asked, "Independent runs", kText);
    Table table = speedup_table("speedup-" + one, section.title);
    Gaps gaps;
    Plot points{"times-" + one,
                "Times of the single runs",
                "A bar marks the mean, if all runs hit.",
                "points",
                "",
                "seconds",
                false,
                true};
    for (const std::string& instance : results.instances()) {
        const ResultCell* first = single(results, instance, one);
        if (first == nullptr || first->timed().empty()) continue;
        const auto ones = runs_of(*first);
        add_rows(results, instance, ones, parallel, counts, table, gaps);
        add_points(points, instance, ones);
        if (hits_of(ones) > 0) section.plots.push_back(fit_plot(instance, ones));
    }
    if (!points.series.empty()) section.plots.insert(section.plots.begin(), std::move(points));
    table.note += gaps.text();
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
