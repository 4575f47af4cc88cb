// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "framework/report/asked_sections.hpp"
#include "framework/study/fields.hpp"

namespace qapfw::framework {
namespace {

/// F of the single runs, with the fits drawn over it.
Plot fit_plot(const std::string& instance, const std::vector<double>& times) {
    Plot plot{"fit-" + instance,
              instance,
              "Least squares on the distribution function.",
              "lines",
              "seconds",
              "share of runs that ended",
              false,
              false};
    Series measured{"measured", {}, {}, {}, {}};
    for (const auto& step : statistics::empirical_distribution(times)) {
        measured.x.push_back(step.x);
        measured.y.push_back(step.share);
    }
    const double end = measured.x.back();
    plot.series.push_back(std::move(measured));
    for (const auto family :
         {statistics::Family::kGamma, statistics::Family::kNormal, statistics::Family::kShiftedExponential}) {
        const auto fit = statistics::fit_least_squares(times, family);
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

/// Times of the runs that hit.
std::vector<double> hit_times(const ResultCell& cell) {
    std::vector<double> times;
    for (const auto& run : cell.timed()) {
        if (run.hit) times.push_back(std::max(run.seconds, 1e-9));
    }
    return times;
}

Table speedup_table(const std::string& id, const std::string& title) {
    return {id,
            title,
            "",
            {{"instance", true},
             {"p", false},
             {"T1 s", false, 4},
             {"std 1", false, 4},
             {"Tp s", false, 4},
             {"std p", false, 4},
             {"gain", false, 4},
             {"gamma shape", false, 4},
             {"gamma scale", false, 4},
             {"shape (ML)", false, 4},
             {"scale (ML)", false, 4},
             {"M(p)", false, 4},
             {"Delta", false, 4},
             {"M(p) measured", false, 4},
             {"hits 1", false},
             {"hits p", false},
             {"their gain", false, 4},
             {"their M(p)", false, 4},
             {"their Delta", false, 4}},
            {}};
}

TableValue shape_of(const std::optional<statistics::Fit>& fit) {
    return fit ? TableValue(fit->shape) : TableValue();
}
TableValue scale_of(const std::optional<statistics::Fit>& fit) {
    return fit ? TableValue(fit->scale) : TableValue();
}

/// The rows of one instance, whose single runs took `times`.
void add_rows(const Results& results, const std::string& instance, const std::vector<double>& times,
              const std::vector<std::string>& parallel, const std::vector<std::string>& counts, Table& table) {
    const auto gamma = statistics::fit_least_squares(times, statistics::Family::kGamma);
    const auto likely = statistics::fit_likelihood(times, statistics::Family::kGamma);
    const auto t1 = statistics::describe(times);
    for (std::size_t k = 0; k < parallel.size(); ++k) {
        const ResultCell* many = single(results, instance, parallel[k]);
        if (many == nullptr) continue;
        const std::vector<double> taken = hit_times(*many);
        if (taken.empty()) continue;
        const double p = std::max(1.0, std::strtod(counts[k].c_str(), nullptr));
        const auto tp = statistics::describe(taken);
        const std::optional<double> m = gamma ? std::optional(statistics::mean_of_first(*gamma, p)) : std::nullopt;
        const auto theirs = [&](const char* figure) {
            return value_or_nothing(published(results, instance, parallel[k], {figure}));
        };
        table.rows.push_back(
            {instance, p, t1.mean, t1.std, tp.mean, tp.std, tp.mean > 0 ? TableValue(t1.mean / tp.mean) : TableValue(),
             shape_of(gamma), scale_of(gamma), shape_of(likely), scale_of(likely), value_or_nothing(m),
             m ? TableValue(tp.mean - *m) : TableValue(),
             statistics::mean_of_smallest(times, static_cast<std::size_t>(p)), static_cast<double>(times.size()),
             static_cast<double>(taken.size()), theirs("gain_p"), theirs("m_p"), theirs("delta_p")});
    }
}

}  // namespace

Section speedup_section(const Results& results, const StudySection& asked) {
    const std::string one = texts_of(asked, "single").front();
    const auto parallel = texts_of(asked, "parallel"), counts = texts_of(asked, "p");
    if (parallel.size() != counts.size())
        fail_at(asked.where, "[[section]] of kind speedup: parallel and p must have the same length");
    Section section =
        titled(asked, "Independent runs",
               "gain = T1 / Tp. M(p) is the mean time until the first of p independent runs ends, as the gamma "
               "fit of the single runs has it: the integral of (1 - F(t))^p. Delta = Tp - M(p). The measured M(p) "
               "draws p of the single runs.");
    Table table = speedup_table("speedup-" + one, section.title);
    for (const std::string& instance : results.instances()) {
        const ResultCell* first = single(results, instance, one);
        const std::vector<double> times = first == nullptr ? std::vector<double>() : hit_times(*first);
        if (times.empty()) continue;
        add_rows(results, instance, times, parallel, counts, table);
        section.plots.push_back(fit_plot(instance, times));
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework
