// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "framework/laboratory/report/sections.hpp"
#include "framework/laboratory/report/tested_pair.hpp"
#include "framework/laboratory/statistics/rank_tests.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr std::size_t kMostForAllPairs = 8;

const ResultCell* best_cell(const Results& results, const std::vector<const ResultCell*>& cells) {
    const ResultCell* best = nullptr;
    for (const ResultCell* cell : cells) {
        if (best == nullptr || results.summary(*cell) < results.summary(*best)) best = cell;
    }
    return best;
}

/// True if both cells have the same value of each key that is swept for both.
bool same_factors(const ResultCell& a, const ResultCell& b) {
    return std::all_of(a.factors.begin(), a.factors.end(), [&](const auto& factor) {
        const auto other = b.factors.find(factor.first);
        return other == b.factors.end() || other->second == factor.second;
    });
}

/// True if the pair is compared when there are too many pairs to compare all. Without a baseline, one of the two must
/// be the best variant. With a baseline, one of the two must be the baseline, and both must have the same swept values.
bool is_chosen(const Results& results, const ResultCell& a, const ResultCell& b, const ResultCell* best) {
    const std::string& baseline = results.plan().study.baseline;
    if (baseline.empty()) return &a == best || &b == best;
    const auto is_baseline = [&](const ResultCell& cell) { return cell.runs.front()->algorithm == baseline; };
    return is_baseline(a) != is_baseline(b) && same_factors(a, b);
}

/// Adds a row for each compared pair of one instance, with p values adjusted for the number of these rows.
void add_pairs(const Results& results, const std::vector<const ResultCell*>& cells, bool all, Table& table) {
    const ResultCell* best = best_cell(results, cells);
    const double alpha = results.plan().study.alpha;
    std::vector<double> p;
    std::vector<TestedPair> tests;
    std::vector<std::vector<TableValue>> rows;
    for (std::size_t a = 0; a < cells.size(); ++a) {
        for (std::size_t b = a + 1; b < cells.size(); ++b) {
            if (!all && !is_chosen(results, *cells[a], *cells[b], best)) continue;
            const auto tested = test_pair(results, *cells[a], *cells[b]);
            if (!tested) continue;
            p.push_back(tested->p);
            tests.push_back(*tested);
            rows.push_back({cells[a]->instance, cells[a]->variant, cells[b]->variant});
            for (TableValue& cell : tested_cells(*tested)) rows.back().push_back(std::move(cell));
        }
    }
    const std::vector<double> adjusted = statistics::holm(p);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const TestedPair& tested = tests[k];
        const bool differs = adjusted[k] <= alpha && tested.direction != 0;
        const char* otherwise = tested.enough ? "undecided" : "too few runs";
        for (const double value : {tested.p, adjusted[k], tested.a12}) rows[k].emplace_back(value);
        rows[k].emplace_back(std::string(statistics::a12_size(tested.a12)));
        rows[k].emplace_back(std::string(!differs ? otherwise : tested.direction > 0 ? "worse" : "better"));
        table.rows.push_back(std::move(rows[k]));
    }
}

}  // namespace

Section comparisons_section(const Results& results) {
    Section section{
        "Comparisons",
        tests_text(results) +
            fmt::format(" P values are Holm-adjusted over the rows of an instance. A12 is the probability "
                        "that a run of the first algorithm is worse than a run of the second; runs of equal value "
                        "count half. A pair has a verdict if its adjusted p is at most {}; the ranks say "
                        "which of the two is better. "
                        "Every other pair is undecided or has too few runs, which does not mean that the "
                        "two are equal.",
                        results.plan().study.alpha),
        {},
        {},
        {},
        false};
    Table table{"comparisons", "Pairs", "", {{"instance", true}, {"first", true}, {"second", true}}, {}};
    for (Column& column : tested_columns("first", "second")) table.columns.push_back(std::move(column));
    for (const char* name : {"p", "adjusted p", "A12"}) table.columns.push_back({name, false, 3});
    for (const char* name : {"effect", "first is"}) table.columns.push_back({name, true});
    const bool all = results.variants_with_runs().size() <= kMostForAllPairs;
    for (const std::string& instance : results.instances())
        add_pairs(results, results.of_instance(instance), all, table);
    const std::string& baseline = results.plan().study.baseline;
    if (!all)
        table.note = fmt::format(
            "There are more than eight variants (a variant is an algorithm with one value of each swept setting). So "
            "each variant is compared only with {}.",
            baseline.empty() ? "the best variant of the instance"
                             : baseline + ", and only if both have the same values of the settings swept for both");
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
