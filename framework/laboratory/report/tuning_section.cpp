// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// The cells of one algorithm on one instance, by the factor's value.
using ByValue = std::map<double, const ResultCell*>;

std::map<std::pair<std::string, std::string>, ByValue> by_value(const Results& results, const std::string& factor) {
    std::map<std::pair<std::string, std::string>, ByValue> groups;
    for (const Cell& cell : results.plan().cells) {
        const ResultCell* found = results.find(cell.instance, cell.variant());
        if (found == nullptr || found->runs.empty()) continue;
        for (const Factor& f : cell.factors) {
            if (f.label == factor)
                groups[{cell.instance, cell.algorithm}][std::strtod(f.value.c_str(), nullptr)] = found;
        }
    }
    return groups;
}

}  // namespace

Section tuning_section(const Results& results, const StudySection& asked) {
    const std::string factor = texts_of(asked, "factor").front();
    const double share = std::strtod(texts_of(asked, "success").front().c_str(), nullptr);
    if (!(share > 0 && share <= 1))
        fail_at(
            asked.where,
            "[[section]] of kind tuning: the key \"success\" must be a fraction of the runs, above 0 and at most 1");
    Section section =
        titled(asked, "Chosen values",
               fmt::format("The least {0} with which at least {1:.3g} % of the runs hit the target, and the {0} with "
                           "the least {2}.",
                           factor, 100 * share, results.summary_name()));
    Table table{"tuning-" + section.title,
                section.title,
                "",
                {{"instance", true},
                 {"algorithm", true},
                 {"least " + factor, false},
                 {"hits", false},
                 {"runs", false},
                 {results.summary_name(), false, 4},
                 {"best " + factor, false},
                 {"its " + results.summary_name(), false, 4},
                 {"their " + factor, false}},
                {}};
    for (const auto& [place, cells] : by_value(results, factor)) {
        std::vector<TableValue> least(4);
        const ResultCell* best = nullptr;
        double best_value = 0;
        for (const auto& [value, cell] : cells) {
            const double hits = static_cast<double>(cell->hits()), runs = static_cast<double>(cell->runs.size());
            if (std::holds_alternative<std::monostate>(least[0]) && hits >= share * runs - 1e-9)
                least = {value, hits, runs, results.summary(*cell)};
            const bool better = best == nullptr || results.summary(*cell) < results.summary(*best);
            if (!std::isfinite(results.summary(*cell)) || !better) continue;
            best = cell;
            best_value = value;
        }
        std::vector<TableValue> row{place.first, place.second};
        row.insert(row.end(), least.begin(), least.end());
        row.push_back(best == nullptr ? TableValue() : TableValue(best_value));
        row.push_back(best == nullptr ? TableValue() : TableValue(results.summary(*best)));
        row.push_back(value_or_nothing(published(results, place.first, place.second, {"tuned_value"})));
        table.rows.push_back(std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
