// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "framework/report/sections.hpp"
#include "framework/statistics/rank_tests.hpp"

namespace qapfw::framework {
namespace {

constexpr std::size_t kMostForAllPairs = 8;

/// The cell that the others are compared with where not all pairs are: the baseline's, or the best.
const ResultCell* chosen_cell(const Results& results, const std::vector<const ResultCell*>& cells) {
    const std::string& baseline = results.plan().study.baseline;
    const ResultCell* best = nullptr;
    for (const ResultCell* cell : cells) {
        const bool chosen = baseline.empty() ? best == nullptr || results.summary(*cell) < results.summary(*best)
                                             : cell->runs.front()->algorithm == baseline;
        if (chosen) best = cell;
    }
    return best;
}

/// The pairs of one instance, with p values adjusted over them.
void add_pairs(const Results& results, const std::vector<const ResultCell*>& cells, bool all, Table& table) {
    const ResultCell* best = chosen_cell(results, cells);
    std::vector<double> p, effects;
    std::vector<std::vector<TableValue>> rows;
    for (std::size_t a = 0; a < cells.size(); ++a) {
        for (std::size_t b = a + 1; b < cells.size(); ++b) {
            if (!all && cells[a] != best && cells[b] != best) continue;
            const auto [first, second] = results.paired(*cells[a], *cells[b]);
            if (first.empty()) continue;
            p.push_back(statistics::wilcoxon_signed_rank(first, second).p);
            effects.push_back(statistics::a12(first, second));
            rows.push_back(
                {cells[a]->instance, cells[a]->variant, cells[b]->variant, static_cast<double>(first.size())});
        }
    }
    const std::vector<double> adjusted = statistics::holm(p);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const bool differs = adjusted[k] <= results.plan().study.alpha && effects[k] != 0.5;
        for (const double value : {p[k], adjusted[k], effects[k]}) rows[k].emplace_back(value);
        rows[k].emplace_back(std::string(statistics::a12_size(effects[k])));
        rows[k].emplace_back(std::string(!differs ? "same" : effects[k] > 0.5 ? "worse" : "better"));
        table.rows.push_back(std::move(rows[k]));
    }
}

}  // namespace

Section comparisons_section(const Results& results) {
    Section section{
        "Comparisons",
        fmt::format(
            "Wilcoxon's signed rank test of pairs with the same seed, Holm-adjusted over the pairs of an instance; A12 "
            "is the chance that the first is larger, that is worse. A verdict other than \"same\" wants p at most {}.",
            results.plan().study.alpha),
        {},
        {},
        {},
        false};
    Table table{"comparisons",
                "Pairs",
                "",
                {{"instance", true},
                 {"first", true},
                 {"second", true},
                 {"pairs", false},
                 {"p", false, 3},
                 {"adjusted p", false, 3},
                 {"A12", false, 3},
                 {"effect", true},
                 {"first is", true}},
                {}};
    const bool all = results.variants().size() <= kMostForAllPairs;
    for (const std::string& instance : results.instances())
        add_pairs(results, results.of_instance(instance), all, table);
    if (!all) table.note = "More than eight algorithms: only pairs with the baseline, or with the best.";
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework
