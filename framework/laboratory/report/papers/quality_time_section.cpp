// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/statistics/papers/paper_measures.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// The factors: the part of a variant's name after the algorithm's name.
std::string factors_of(const ResultCell& cell) {
    return cell.variant.substr(cell.runs.front()->algorithm.size());
}

/// The cell of `others` to compare with `cell`: the one with the same factors, else the only one. Null if `others` is
/// empty, or has several cells and none of them has the same factors.
const ResultCell* counterpart(const std::vector<const ResultCell*>& others, const ResultCell& cell) {
    for (const ResultCell* other : others) {
        if (factors_of(*other) == factors_of(cell)) return other;
    }
    return others.size() == 1 ? others.front() : nullptr;
}

/// Adds a row of arithmetic means for each variant that stands in the column `second` of several rows. The means are in
/// the columns from `first` on. A mean is missing if one of these rows has no value.
void add_means(Table& table, std::size_t first) {
    std::vector<std::string> seconds;
    for (const auto& row : table.rows) {
        const std::string& name = std::get<std::string>(row[1]);
        if (std::find(seconds.begin(), seconds.end(), name) == seconds.end()) seconds.push_back(name);
    }
    const std::vector<std::vector<TableValue>> rows = table.rows;
    for (const std::string& name : seconds) {
        std::vector<TableValue> mean{std::string("arithmetic mean"), name};
        mean.resize(table.columns.size());
        std::size_t count = 0;
        for (std::size_t column = first; column < table.columns.size(); ++column) {
            std::vector<double> values;
            count = 0;
            for (const auto& row : rows) {
                if (std::get<std::string>(row[1]) != name) continue;
                ++count;
                if (const auto* value = std::get_if<double>(&row[column])) values.push_back(*value);
            }
            if (!values.empty() && values.size() == count) mean[column] = statistics::mean(values);
        }
        if (count > 1) table.rows.push_back(std::move(mean));
    }
}

/// The measures of one comparison as plots draw them: those computed from the results, and the published ones.
struct Measured {
    const ResultCell* second;         ///< cell of the algorithm in the column `second`
    statistics::QualityAndTime ours;  ///< computed measures; `pqi` in percent
    std::optional<double> their_nq, their_nt, their_qtr, their_pqi;
};

/// The value of the cell's factor; nothing unless the cell has exactly one factor and its value is a number.
std::optional<double> factor_value(const ResultCell& cell) {
    if (cell.factors.size() != 1) return std::nullopt;
    const std::string& text = cell.factors.begin()->second;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() || *end != 0 ? std::nullopt : std::optional(value);
}

/// Returns a plot of one measure of all pairs. In a sweep, all pairs have the same algorithm and one numeric factor.
/// Then each instance has a curve over the factor's values. Otherwise the plot has bars.
Plot measure_plot(const std::string& name, const std::string& title, const std::vector<Measured>& pairs,
                  double statistics::QualityAndTime::*ours, std::optional<double> Measured::*theirs) {
    const auto algorithm = [](const Measured& m) { return m.second->runs.front()->algorithm; };
    const bool sweep = std::ranges::all_of(
        pairs, [&](const Measured& m) { return factor_value(*m.second) && algorithm(m) == algorithm(pairs.front()); });
    const std::string key = sweep ? pairs.front().second->factors.begin()->first : std::string();
    Plot plot{fmt::format("{}-{}", name, title), name, "",    sweep ? "lines" : "bars",
              key.substr(key.rfind('.') + 1),    name, sweep, false};
    const auto series_of = [&](const std::string& label, bool dashed) -> Series& {
        const auto found = std::ranges::find(plot.series, label, &Series::name);
        if (found != plot.series.end()) return *found;
        plot.series.push_back({label, {}, {}, {}, {}, dashed});
        return plot.series.back();
    };
    for (const Measured& pair : pairs) {
        const std::string &instance = pair.second->instance, &variant = pair.second->variant;
        auto place = std::ranges::find(plot.labels, instance);
        if (place == plot.labels.end()) place = plot.labels.insert(place, instance);
        const double x = sweep ? *factor_value(*pair.second) : static_cast<double>(place - plot.labels.begin());
        const auto add = [&](const std::string& label, double value, bool dashed) {
            if (!std::isfinite(value)) return;
            Series& series = series_of(label, dashed);
            series.x.push_back(x);
            series.y.push_back(value);
        };
        add(sweep ? instance : variant, pair.ours.*ours, false);
        if (const std::optional<double>& value = pair.*theirs)
            add((sweep ? instance : variant) + ", theirs", *value, true);
    }
    return plot;
}

std::vector<Column> quality_time_columns(const std::string& cpu) {
    return {{"instance", true},
            {"second", true},
            {"Q " + cpu, false, 8},
            {"Q second", false, 8},
            {"T " + cpu + " s", false, 4},
            {"T second s", false, 4},
            {"NQ", false, 5},
            {"NT", false, 5},
            {"1 / NT", false, 4},
            {"QTR", false, 5},
            {"PQI %", false, 4},
            {"their NQ", false, 5},
            {"their NT", false, 5},
            {"their 1 / NT", false, 4},
            {"their QTR", false, 5}};
}

}  // namespace

Section quality_time_section(const Results& results, const StudySection& asked) {
    const std::string cpu = texts_of(asked, "cpu").front();
    Section section =
        titled(asked, "Quality and time",
               fmt::format("Each row compares {0} with the algorithm in the column `second`. Q is the best cost, T the "
                           "mean time. NQ = Q({0}) / Q(second), NT = T(second) / T({0}), QTR = log2(NQ / NT), PQI = "
                           "(Q({0}) - Q(second)) / Q({0}). 1 / NT is the speed-up.",
                           cpu));
    Table table{"quality-time-" + section.title, section.title, "", quality_time_columns(cpu), {}};
    std::vector<Measured> pairs;
    for (const std::string& instance : results.instances()) {
        for (const std::string& gpu : texts_of(asked, "gpu")) {
            for (const ResultCell* b : results.named(instance, gpu)) {
                const ResultCell* a = counterpart(results.named(instance, cpu), *b);
                if (a == nullptr || a->costs().empty() || b->costs().empty()) continue;
                const auto qa = statistics::describe(a->costs()), qb = statistics::describe(b->costs());
                const auto ta = statistics::mean(a->seconds()), tb = statistics::mean(b->seconds());
                const auto m = statistics::quality_and_time(qa.min, qb.min, ta, tb);
                const auto theirs = [&](const char* name) {
                    return value_or_nothing(published(results, instance, gpu, {std::string("statistic:") + name}));
                };
                const auto their = [&](const char* name) { return published(results, instance, gpu, {name}); };
                const auto their_nt = their("statistic:NT");
                pairs.push_back(
                    {b, m, their("statistic:NQ"), their_nt, their("statistic:QTR"), their("statistic:PQI")});
                pairs.back().ours.pqi *= 100;
                table.rows.push_back({instance, b->variant, qa.min, qb.min, ta, tb, m.nq, m.nt, 1 / m.nt, m.qtr,
                                      100 * m.pqi, theirs("NQ"), theirs("NT"),
                                      their_nt && *their_nt > 0 ? TableValue(1 / *their_nt) : TableValue(),
                                      theirs("QTR")});
            }
        }
    }
    constexpr std::size_t kFirstRatio = 6;
    add_means(table, kFirstRatio);
    section.tables.push_back(std::move(table));
    if (pairs.empty()) return section;
    using Measure = statistics::QualityAndTime;
    section.plots = {measure_plot("NQ", section.title, pairs, &Measure::nq, &Measured::their_nq),
                     measure_plot("NT", section.title, pairs, &Measure::nt, &Measured::their_nt),
                     measure_plot("QTR", section.title, pairs, &Measure::qtr, &Measured::their_qtr),
                     measure_plot("PQI", section.title, pairs, &Measure::pqi, &Measured::their_pqi)};
    section.plots.back().y += " [%]";
    return section;
}

}  // namespace qapfw::framework::laboratory
