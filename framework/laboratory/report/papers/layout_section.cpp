// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr int kDigits = 9;

/// A figure that the cells of a printed table can show. `theirs`: names that the published figure may have in the
/// study's references; `theirs_beside`: names of the second figure in the same cell, such as the deviation.
struct Figure {
    const char* name;
    const char* unit;  ///< unit in the table's head; costs have none
    const char* text;  ///< description of what the cells hold
    std::vector<std::string> theirs, theirs_beside;
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> kFigures{
        {"cost_mean", "", "mean cost ± standard deviation, of all runs.", {"cost_mean"}, {"cost_std"}},
        {"cost_median", "", "median cost ± median absolute deviation, of all runs.", {"cost_median"}, {"cost_mad"}},
        {"iterations_median",
         " [iterations]",
         "median of the iterations to the target ± median absolute deviation.",
         {"iterations_median"},
         {"iterations_mad"}},
        {"seconds_mean",
         " [s]",
         "mean time ± standard deviation, of all runs, with or without a hit.",
         {"seconds_mean"},
         {"seconds_std"}},
        {"gap_mean",
         " [%]",
         "mean gap to the best known cost ± standard deviation, of the runs that the time limit did not cut.",
         {"gap_mean"},
         {"gap_std"}},
        {"cost_best", "", "best cost (fewest iterations to reach it).", {"cost_best"}, {"best_iteration"}}};
    return kFigures;
}

/// A column: its head, and the algorithms whose runs are in it.
struct LayoutColumn {
    std::string head;
    std::vector<std::string> patterns;
};

std::vector<LayoutColumn> columns_of(const StudySection& asked) {
    const Node* node = asked.find("columns");
    if (node == nullptr || node->type != Node::Type::kTable || node->members.empty())
        fail_at(asked.where,
                "[[section]] of kind layout must have the key columns: a table of heads and algorithms, such as "
                "{ \"4n\" = \"2-opt 4n\" }");
    std::vector<LayoutColumn> columns;
    for (const Member& member : node->members) {
        LayoutColumn column{member.key, {}};
        if (member.value.type == Node::Type::kText) column.patterns.push_back(member.value.text);
        for (const Node& item : member.value.items) column.patterns.push_back(item.text);
        columns.push_back(std::move(column));
    }
    return columns;
}

/// The text of a value and of the second number `beside`, if there is one: "6128 (17)" if `brackets`, else
/// "12.5 ± 1.5".
std::string pair_text(double value, std::optional<double> beside, bool brackets) {
    std::string text = number_text(value, kDigits);
    if (beside)
        text += brackets ? fmt::format(" ({})", number_text(*beside, kDigits)) : " ± " + number_text(*beside, kDigits);
    return text;
}

/// The best cost of all runs, and the smallest number of iterations in which a run reached it.
TableValue best_text(const std::vector<const RunRow*>& runs) {
    const RunRow* best = nullptr;
    for (const RunRow* run : runs) {
        if (!run->cost) continue;
        const bool better = best == nullptr || run->sense * *run->cost < best->sense * *best->cost ||
                            (*run->cost == *best->cost && run->iterations_to_best < best->iterations_to_best);
        if (better) best = run;
    }
    if (best == nullptr) return {};
    return pair_text(*best->cost, best->iterations_to_best, true);
}

/// Returns the figure's value for each run, or infinity if a run has none. If the figure is the mean time and the study
/// compares by budget, a run's value is the time for its whole budget.
std::vector<double> values_of(const Results& results, const ResultCell& cell, const std::string& figure) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (figure == "seconds_mean" && results.plan().study.measure == StudyMeasure::kBudget)
        return results.measured(cell);
    std::vector<double> values;
    for (const RunRow* run : cell.runs) {
        if (figure == "iterations_median") {
            values.push_back(iterations_to_hit(*run));
        } else if (figure == "seconds_mean") {
            values.push_back(run->seconds.value_or(kNone));
        } else if (figure == "gap_mean") {
            values.push_back(run->gap && !cell.was_cut(*run) ? 100 * *run->gap : kNone);
        } else {
            values.push_back(run->cost.value_or(kNone));
        }
    }
    return values;
}

/// Text for the runs' iterations: their median with its deviation, and the number of hits if some runs miss.
TableValue iterations_text(std::span<const double> values) {
    const auto hits = static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [](double value) { return std::isfinite(value); }));
    const double median = median_with_misses(values);
    const std::string text =
        std::isfinite(median) ? with_deviation(median, deviation_with_misses(values)) : std::string("none");
    return hits == values.size() ? text : fmt::format("{}, {} of {} hit", text, hits, values.size());
}

TableValue our_text(const Results& results, const std::vector<const ResultCell*>& cells, const std::string& figure) {
    std::vector<const RunRow*> runs;
    std::vector<double> values;
    for (const ResultCell* cell : cells) {
        runs.insert(runs.end(), cell->runs.begin(), cell->runs.end());
        const std::vector<double> of_cell = values_of(results, *cell, figure);
        values.insert(values.end(), of_cell.begin(), of_cell.end());
    }
    if (figure == "cost_best") return best_text(runs);
    if (values.empty()) return {};
    if (figure == "iterations_median") return iterations_text(values);
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return std::string("none");
    const auto d = statistics::describe(values);
    const bool median = figure == "cost_median";
    return with_deviation(median ? d.median : d.mean, median ? d.mad : d.std);
}

/// The first published value of the figure for the instance and an algorithm of the column; empty: there is none.
TableValue their_value(const Results& results, const std::string& instance, const LayoutColumn& column,
                       const std::string& figure) {
    for (const ReferenceFigures& line : results.plan().references.figures) {
        if (line.instance != instance || !fits_any(column.patterns, line.algorithm)) continue;
        if (const auto value = published(results, instance, line.algorithm, {figure})) return *value;
    }
    return {};
}

TableValue their_text(const Results& results, const std::string& instance, const LayoutColumn& column,
                      const Figure& figure) {
    for (const ReferenceFigures& line : results.plan().references.figures) {
        if (line.instance != instance || !fits_any(column.patterns, line.algorithm)) continue;
        const auto value = published(results, instance, line.algorithm, figure.theirs);
        if (!value) continue;
        return pair_text(*value, published(results, instance, line.algorithm, figure.theirs_beside),
                         std::string(figure.name) == "cost_best");
    }
    return {};
}

constexpr const char* kHitsNote =
    "Times are means in seconds over the runs that hit, as in the paper. Such a mean can look short if few runs hit. "
    "ERT, the "
    "expected running time, is the time of all runs divided by the number of hits.";

/// Fills the table of hits. Each entry of `columns` gets six columns: hits; mean, deviation, least and greatest time of
/// the hits; total time per hit. A column with published values follows each column for which the paper has values.
Table hits_table(const Results& results, const std::vector<LayoutColumn>& columns, Table table) {
    struct Part {
        const char* head;
        const char* figure;
    };
    static const std::vector<Part> kParts{{"hits", "hits"},           {"mean [s]", "seconds_mean"},
                                          {"std [s]", "seconds_std"}, {"min [s]", "seconds_min"},
                                          {"max [s]", "seconds_max"}, {"ERT [s]", "seconds_ert"}};
    const auto& lines = results.plan().references.figures;
    const auto told = [&](const LayoutColumn& column, const Part& part) {
        return std::any_of(lines.begin(), lines.end(), [&](const ReferenceFigures& line) {
            return fits_any(column.patterns, line.algorithm) && line.figures.count(part.figure) > 0;
        });
    };
    for (const LayoutColumn& column : columns) {
        for (const Part& part : kParts) {
            const std::string head = fmt::format("{}: {}", column.head, part.head);
            table.columns.push_back({head, false});
            if (told(column, part)) table.columns.push_back({head + ", theirs", false});
        }
    }
    for (const std::string& instance : results.instances()) {
        std::vector<TableValue> row{instance};
        for (const LayoutColumn& column : columns) {
            std::vector<double> times;
            std::vector<statistics::TimedRun> runs;
            for (const ResultCell* cell : results.of_instance(instance)) {
                if (!fits_any(column.patterns, cell->runs.front()->algorithm)) continue;
                const std::vector<double> of_cell = cell->seconds_of_hits();
                times.insert(times.end(), of_cell.begin(), of_cell.end());
                const std::vector<statistics::TimedRun> timed = cell->timed();
                runs.insert(runs.end(), timed.begin(), timed.end());
            }
            std::vector<TableValue> ours(kParts.size());
            if (!runs.empty()) ours[0] = static_cast<double>(times.size());
            if (!times.empty()) {
                const auto d = statistics::describe(times);
                ours = {ours[0], d.mean, times.size() > 1 ? TableValue(d.std) : TableValue(),
                        d.min,   d.max,  statistics::expected_running_time(runs)};
            }
            for (std::size_t k = 0; k < kParts.size(); ++k) {
                row.push_back(ours[k]);
                if (told(column, kParts[k])) row.push_back(their_value(results, instance, column, kParts[k].figure));
            }
        }
        table.rows.push_back(std::move(row));
    }
    table.note = kHitsNote;
    return table;
}

}  // namespace

Section layout_section(const Results& results, const StudySection& asked) {
    const std::string name = texts_of(asked, "figure").front();
    const auto figure =
        std::find_if(figures().begin(), figures().end(), [&](const Figure& f) { return f.name == name; });
    const bool hits = name == "seconds_hits";
    if (figure == figures().end() && !hits)
        fail_at(asked.where,
                fmt::format("[[section]] of kind layout: the key \"figure\" must be cost_mean, cost_median, "
                            "iterations_median, seconds_mean, gap_mean, seconds_hits or cost_best, found \"{}\"",
                            name));
    const std::vector<LayoutColumn> columns = columns_of(asked);
    Section section = titled(asked, "Table", "The table as it is printed in the paper, with our figures beside it.");
    Table table{"layout-" + section.title, section.title, "", {{"instance", true}}, {}};
    if (hits) {
        section.tables.push_back(hits_table(results, columns, std::move(table)));
        return section;
    }
    table.note = fmt::format("Cells: {}{}{}", figure->text, name == "iterations_median" ? " " : "",
                             name == "iterations_median" ? kRuleForMisses : "");
    for (const LayoutColumn& column : columns) {
        table.columns.push_back({column.head + figure->unit, true});
        table.columns.push_back({column.head + figure->unit + ", theirs", true});
    }
    for (const std::string& instance : results.instances()) {
        std::vector<TableValue> row{instance};
        for (const LayoutColumn& column : columns) {
            std::vector<const ResultCell*> cells;
            for (const ResultCell* cell : results.of_instance(instance)) {
                if (fits_any(column.patterns, cell->runs.front()->algorithm)) cells.push_back(cell);
            }
            row.push_back(our_text(results, cells, name));
            row.push_back(their_text(results, instance, column, *figure));
        }
        table.rows.push_back(std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
