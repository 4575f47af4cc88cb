// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/report/asked_sections.hpp"
#include "framework/study/fields.hpp"

namespace qapfw::framework {
namespace {

constexpr int kDigits = 9;

/// What the cells of a printed table hold, and the figures of others that stand for it.
struct Figure {
    const char* name;
    std::vector<std::string> theirs, theirs_beside;
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> kFigures{{"cost_mean", {"cost_mean"}, {"cost_std"}},
                                              {"cost_median", {"cost_median"}, {"cost_mad"}},
                                              {"iterations_median", {"iterations_median"}, {"iterations_mad"}},
                                              {"seconds_mean", {"seconds_mean"}, {"seconds_std"}},
                                              {"cost_best", {"cost_best"}, {"best_iteration"}}};
    return kFigures;
}

/// A column: its head, and the algorithms whose runs it holds.
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

std::string pair_text(double value, std::optional<double> beside, bool brackets) {
    std::string text = number_text(value, kDigits);
    if (beside) text += brackets ? fmt::format(" ({})", number_text(*beside, kDigits)) : "±" + number_text(*beside, 6);
    return text;
}

/// The best cost of all runs and the fewest iterations after which one had it.
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

double value_of(const RunRow& run, const std::string& figure) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (figure == "iterations_median") return run.hit ? run.iterations_to_best : kNone;
    if (figure == "seconds_mean") return run.seconds.value_or(kNone);
    return run.cost.value_or(kNone);
}

TableValue our_text(const std::vector<const RunRow*>& runs, const std::string& figure) {
    if (figure == "cost_best") return best_text(runs);
    std::vector<double> values;
    for (const RunRow* run : runs) values.push_back(value_of(*run, figure));
    if (values.empty()) return {};
    const std::size_t missing = static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); }));
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return std::string("none hit");
    const auto d = statistics::describe(values);
    const bool mean = figure == "cost_mean" || figure == "seconds_mean";
    std::string text = pair_text(mean ? d.mean : d.median, mean ? d.std : d.mad, false);
    if (missing > 0) text += fmt::format(", {} of {} hit", values.size(), runs.size());
    return text;
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

}  // namespace

Section layout_section(const Results& results, const StudySection& asked) {
    const std::string name = texts_of(asked, "figure").front();
    const auto figure =
        std::find_if(figures().begin(), figures().end(), [&](const Figure& f) { return f.name == name; });
    if (figure == figures().end())
        fail_at(asked.where, fmt::format("[[section]] of kind layout: figure must be cost_mean, cost_median, "
                                         "iterations_median, seconds_mean or cost_best, found \"{}\"",
                                         name));
    const std::vector<LayoutColumn> columns = columns_of(asked);
    Section section = titled(asked, "Table",
                             "As the table is printed, ours first: means with standard deviations, medians with median "
                             "absolute deviations, best costs with the fewest iterations to them.");
    Table table{"layout-" + section.title, section.title, "", {{"instance", true}}, {}};
    for (const LayoutColumn& column : columns) {
        table.columns.push_back({column.head, true});
        table.columns.push_back({column.head + ", theirs", true});
    }
    for (const std::string& instance : results.instances()) {
        std::vector<TableValue> row{instance};
        for (const LayoutColumn& column : columns) {
            std::vector<const RunRow*> runs;
            for (const ResultCell* cell : results.of_instance(instance)) {
                if (cell->runs.empty() || !fits_any(column.patterns, cell->runs.front()->algorithm)) continue;
                runs.insert(runs.end(), cell->runs.begin(), cell->runs.end());
            }
            row.push_back(our_text(runs, name));
            row.push_back(their_text(results, instance, column, *figure));
        }
        table.rows.push_back(std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework
