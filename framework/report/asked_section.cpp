// SPDX-License-Identifier: Apache-2.0
// The sections that a study asks for by [[section]]: ratio, speedup, quality_time, statistics, tournament.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "framework/report/sections.hpp"
#include "framework/statistics/paper_measures.hpp"
#include "framework/study/fields.hpp"

namespace qapfw::framework {
namespace {

std::vector<std::string> texts_of(const StudySection& section, const std::string& key) {
    const Node* node = section.find(key);
    if (node == nullptr)
        fail_at(section.where, fmt::format("[[section]] of kind {} must have the key {}", section.kind, key));
    if (node->type == Node::Type::kText) return {node->text};
    std::vector<std::string> texts;
    for (const Node& item : node->items) texts.push_back(value_text(item));
    return texts;
}

/// The cell of an algorithm that must have one variant alone; none without runs.
const ResultCell* single(const Results& results, const std::string& instance, const std::string& algorithm) {
    const auto cells = results.named(instance, algorithm);
    return cells.empty() ? nullptr : cells.front();
}

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

std::optional<double> published(const Results& results, const std::string& instance, const std::string& algorithm) {
    for (const ReferenceFigures& line : results.plan().references.figures) {
        if (line.instance != instance || line.algorithm != algorithm) continue;
        for (const char* figure : {"seconds_mean", "iterations_median", "cost_mean"}) {
            const auto found = line.figures.find(figure);
            if (found != line.figures.end()) return found->second;
        }
    }
    return std::nullopt;
}

Section ratio_section(const Results& results, const StudySection& asked) {
    Section section{asked.title.empty() ? "Ratios" : asked.title,
                    fmt::format("{} of the first divided by that of the second: above 1 where the second is smaller. "
                                "Intervals hold 95 % (bootstrap of both).",
                                results.summary_name()),
                    {},
                    {},
                    {}};
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
            double logs = 0;
            std::size_t count = 0;
            for (const std::string& instance : results.instances()) {
                const ResultCell *a = single(results, instance, of), *b = single(results, instance, to);
                if (a == nullptr || b == nullptr || a->timed().empty() || b->timed().empty()) continue;
                statistics::BootstrapOptions options;
                options.resamples = 1000;
                options.seed = statistics::seed_of(instance + of);
                auto above = statistics::resampled(
                    a->runs.size(), [&](auto drawn) { return drawn_summary(results, *a, drawn); }, options);
                options.seed = statistics::seed_of(instance + to + "second");
                const auto below = statistics::resampled(
                    b->runs.size(), [&](auto drawn) { return drawn_summary(results, *b, drawn); }, options);
                for (std::size_t k = 0; k < above.size(); ++k)
                    above[k] = std::isinf(below[k]) || below[k] == 0 ? 0 : above[k] / below[k];
                const auto interval = statistics::central_interval(above, 0.95);
                const double ratio = std::isfinite(results.summary(*b)) && results.summary(*b) != 0
                                         ? results.summary(*a) / results.summary(*b)
                                         : 0;
                const auto theirs_a = published(results, instance, of), theirs_b = published(results, instance, to);
                table.rows.push_back(
                    {of, to, instance, ratio, interval.low, interval.high,
                     theirs_a && theirs_b && *theirs_b > 0 ? TableValue(*theirs_a / *theirs_b) : TableValue()});
                if (ratio > 0 && std::isfinite(ratio)) {
                    logs += std::log(ratio);
                    ++count;
                }
            }
            if (count > 0)
                table.rows.push_back(
                    {of, to, std::string("geometric mean"), std::exp(logs / static_cast<double>(count)), {}, {}, {}});
        }
    }
    section.tables.push_back(std::move(table));
    return section;
}

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

Section speedup_section(const Results& results, const StudySection& asked) {
    const std::string one = texts_of(asked, "single").front();
    const auto parallel = texts_of(asked, "parallel"), counts = texts_of(asked, "p");
    if (parallel.size() != counts.size())
        fail_at(asked.where, "[[section]] of kind speedup: parallel and p must have the same length");
    Section section{asked.title.empty() ? "Independent runs" : asked.title,
                    "gain = T1 / Tp. M(p) is the mean time until the first of p independent runs ends, as the gamma "
                    "fit of the single runs has it: the integral of (1 - F(t))^p. Delta = Tp - M(p). The measured M(p) "
                    "draws p of the single runs.",
                    {},
                    {},
                    {}};
    Table table{"speedup-" + one,
                section.title,
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
                 {"hits p", false}},
                {}};
    for (const std::string& instance : results.instances()) {
        const ResultCell* first = single(results, instance, one);
        if (first == nullptr) continue;
        std::vector<double> times;
        for (const auto& run : first->timed()) {
            if (run.hit) times.push_back(std::max(run.seconds, 1e-9));
        }
        if (times.empty()) continue;
        const auto gamma = statistics::fit_least_squares(times, statistics::Family::kGamma);
        const auto likely = statistics::fit_likelihood(times, statistics::Family::kGamma);
        for (std::size_t k = 0; k < parallel.size(); ++k) {
            const ResultCell* many = single(results, instance, parallel[k]);
            if (many == nullptr) continue;
            const double p = std::max(1.0, std::strtod(counts[k].c_str(), nullptr));
            std::vector<double> taken;
            for (const auto& run : many->timed()) {
                if (run.hit) taken.push_back(run.seconds);
            }
            if (taken.empty()) continue;
            const auto t1 = statistics::describe(times), tp = statistics::describe(taken);
            const TableValue m = gamma ? TableValue(statistics::mean_of_first(*gamma, p)) : TableValue();
            table.rows.push_back(
                {instance, p, t1.mean, t1.std, tp.mean, tp.std,
                 tp.mean > 0 ? TableValue(t1.mean / tp.mean) : TableValue(),
                 gamma ? TableValue(gamma->shape) : TableValue(), gamma ? TableValue(gamma->scale) : TableValue(),
                 likely ? TableValue(likely->shape) : TableValue(), likely ? TableValue(likely->scale) : TableValue(),
                 m, gamma ? TableValue(tp.mean - std::get<double>(m)) : TableValue(),
                 statistics::mean_of_smallest(times, static_cast<std::size_t>(p)), static_cast<double>(times.size()),
                 static_cast<double>(taken.size())});
        }
        section.plots.push_back(fit_plot(instance, times));
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section quality_time_section(const Results& results, const StudySection& asked) {
    const std::string cpu = texts_of(asked, "cpu").front(), gpu = texts_of(asked, "gpu").front();
    Section section{asked.title.empty() ? "Quality and time" : asked.title,
                    "NQ = Q(cpu) / Q(gpu), NT = T(gpu) / T(cpu), QTR = log2(NQ / NT), PQI = (Q(cpu) - Q(gpu)) / "
                    "Q(cpu). Q is the best cost, T the mean time.",
                    {},
                    {},
                    {}};
    Table table{"quality-time",
                section.title,
                "",
                {{"instance", true},
                 {"Q cpu", false, 8},
                 {"Q gpu", false, 8},
                 {"T cpu s", false, 4},
                 {"T gpu s", false, 4},
                 {"NQ", false, 5},
                 {"NT", false, 5},
                 {"QTR", false, 5},
                 {"PQI %", false, 4}},
                {}};
    for (const std::string& instance : results.instances()) {
        const ResultCell *a = single(results, instance, cpu), *b = single(results, instance, gpu);
        if (a == nullptr || b == nullptr || a->costs().empty() || b->costs().empty()) continue;
        const auto qa = statistics::describe(a->costs()), qb = statistics::describe(b->costs());
        const auto ta = statistics::mean(a->seconds()), tb = statistics::mean(b->seconds());
        const auto m = statistics::quality_and_time(qa.min, qb.min, ta, tb);
        table.rows.push_back({instance, qa.min, qb.min, ta, tb, m.nq, m.nt, m.qtr, 100 * m.pqi});
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section statistics_section(const Results& results, const StudySection& asked) {
    const auto names = texts_of(asked, "names");
    Section section{asked.title.empty() ? "Figures of the solvers" : asked.title, "Means over the runs.", {}, {}, {}};
    Table table{"statistics", section.title, "", {{"instance", true}, {"algorithm", true}}, {}};
    for (const std::string& name : names) table.columns.push_back({name, false, 6});
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* cell : results.of_instance(instance)) {
            std::vector<TableValue> row{instance, cell->variant};
            for (const std::string& name : names) {
                std::vector<double> values;
                for (const RunRow* run : cell->runs) {
                    if (run->statistics.count(name) > 0) values.push_back(run->statistics.at(name));
                }
                row.push_back(values.empty() ? TableValue() : TableValue(statistics::mean(values)));
            }
            table.rows.push_back(std::move(row));
        }
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section tournament_section(const Results& results, const StudySection& asked) {
    (void)results;
    Section section{
        asked.title.empty() ? "Repeated comparisons" : asked.title,
        "Threads that read one sequence of draws from shifted offsets, over the pairs within a thread's set.",
        {},
        {},
        {}};
    Table table{"tournament",
                section.title,
                "",
                {{"rounds M", false},
                 {"threads T", false},
                 {"distinct", false},
                 {"repeated", false},
                 {"total", false},
                 {"repeated %", false, 4},
                 {"repeated draws", false}},
                {}};
    Plot plot{"tournament", "Share of repeated comparisons", "", "lines", "threads", "repeated [%]", true, false};
    for (const std::string& rounds : texts_of(asked, "rounds")) {
        const auto m = std::strtoull(rounds.c_str(), nullptr, 10);
        Series series{"M = " + rounds, {}, {}, {}, {}};
        for (const std::string& threads : texts_of(asked, "threads")) {
            const auto t = std::strtoull(threads.c_str(), nullptr, 10);
            const auto c = statistics::shared_sequence_comparisons(m, t);
            const double share = c.total > 0 ? 100 * static_cast<double>(c.repeated) / static_cast<double>(c.total) : 0;
            table.rows.push_back({static_cast<double>(m), static_cast<double>(t), static_cast<double>(c.distinct),
                                  static_cast<double>(c.repeated), static_cast<double>(c.total), share,
                                  static_cast<double>(statistics::shared_sequence_repeated_draws(m, t))});
            series.x.push_back(static_cast<double>(t));
            series.y.push_back(share);
        }
        plot.series.push_back(std::move(series));
    }
    section.tables.push_back(std::move(table));
    section.plots.push_back(std::move(plot));
    return section;
}

}  // namespace

Section asked_section(const Results& results, const StudySection& section) {
    if (section.kind == "ratio") return ratio_section(results, section);
    if (section.kind == "speedup") return speedup_section(results, section);
    if (section.kind == "quality_time") return quality_time_section(results, section);
    if (section.kind == "statistics") return statistics_section(results, section);
    return tournament_section(results, section);
}

}  // namespace qapfw::framework
