// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/report/sections.hpp"
#include "framework/statistics/rank_tests.hpp"

namespace qapfw::framework {
namespace {

/// Mean of the gaps in percent; none where an instance has no best known cost.
std::optional<double> mean_gap(const ResultCell& cell) {
    std::vector<double> gaps;
    for (const RunRow* run : cell.runs) {
        if (run->gap) gaps.push_back(100 * *run->gap);
    }
    if (gaps.empty()) return std::nullopt;
    return statistics::mean(gaps);
}

/// Instances on which every variant has runs, with the summaries in the variants' order.
std::vector<std::vector<double>> complete_blocks(const Results& results) {
    std::vector<std::vector<double>> blocks;
    for (const std::string& instance : results.instances()) {
        std::vector<double> row;
        for (const std::string& variant : results.variants()) {
            if (const ResultCell* cell = results.find(instance, variant)) row.push_back(results.summary(*cell));
        }
        if (row.size() == results.variants().size()) blocks.push_back(std::move(row));
    }
    return blocks;
}

struct Total {
    std::string variant;
    double rank = 0;
    std::size_t runs = 0, hits = 0, wins = 0;
    double gaps = 0, seconds = 0;
    std::size_t gap_count = 0;
};

Total total_of(const Results& results, const std::string& variant) {
    Total total{variant};
    for (const std::string& instance : results.instances()) {
        const ResultCell* cell = results.find(instance, variant);
        if (cell == nullptr) continue;
        total.runs += cell->runs.size();
        total.hits += cell->hits();
        for (const double seconds : cell->seconds()) total.seconds += seconds;
        if (const auto gap = mean_gap(*cell)) {
            total.gaps += *gap;
            ++total.gap_count;
        }
        const double mine = results.summary(*cell);
        const auto rivals = results.of_instance(instance);
        const bool best = std::isfinite(mine) &&
                          std::all_of(rivals.begin(), rivals.end(),
                                      [&](const ResultCell* other) { return results.summary(*other) >= mine; });
        total.wins += best ? 1 : 0;
    }
    return total;
}

Table ranking_table(const std::vector<Total>& totals, bool ranked) {
    Table table{"ranking",
                "Ranking",
                "",
                {{"algorithm", true},
                 {"mean rank", false, 3},
                 {"best on", false},
                 {"mean gap %", false, 4},
                 {"hits", false},
                 {"runs", false},
                 {"seconds", false, 4}},
                {}};
    for (const Total& total : totals) {
        table.rows.push_back(
            {total.variant, ranked ? TableValue(total.rank) : TableValue(), static_cast<double>(total.wins),
             total.gap_count > 0 ? TableValue(total.gaps / static_cast<double>(total.gap_count)) : TableValue(),
             static_cast<double>(total.hits), static_cast<double>(total.runs), total.seconds});
    }
    return table;
}

Plot rank_plot(const Results& results, const statistics::Friedman& test) {
    Plot plot{"ranks", "Mean ranks", "", "ranks", "mean rank (1 is best)", ""};
    plot.critical_difference =
        statistics::critical_difference(results.variants().size(), test.blocks, results.plan().study.alpha);
    std::vector<std::pair<double, std::string>> order;
    for (std::size_t k = 0; k < results.variants().size(); ++k)
        order.emplace_back(test.mean_ranks[k], results.variants()[k]);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [rank, variant] : order) plot.series.push_back({variant, {rank}, {0}, {}, {}});
    for (const auto& [first, last] : statistics::rank_groups(test.mean_ranks, plot.critical_difference))
        plot.groups.emplace_back(order[first].first, order[last].first);
    plot.note = fmt::format(
        "Over {} instances. Friedman: chi-squared {:.4g}, p {:.3g}; Iman and Davenport: p {:.3g}. A bar joins what "
        "differs by less than the critical difference {:.3g} (Nemenyi, alpha {}).",
        test.blocks, test.chi_squared, test.p, test.f_p, plot.critical_difference, results.plan().study.alpha);
    return plot;
}

Table winners_table(const Results& results) {
    Table table{"instances",
                "Best on each instance",
                "",
                {{"instance", true},
                 {"class", true},
                 {"best algorithm", true},
                 {results.summary_name(), false, 8},
                 {"best cost", false, 12},
                 {"best known", false, 12}},
                {}};
    for (const std::string& instance : results.instances()) {
        const ResultCell* winner = nullptr;
        std::optional<double> best, known;
        for (const ResultCell* cell : results.of_instance(instance)) {
            if (winner == nullptr || results.summary(*cell) < results.summary(*winner)) winner = cell;
            for (const RunRow* run : cell->runs) {
                if (run->best_known) known = run->best_known;
                if (run->cost && (!best || run->sense * *run->cost < run->sense * *best)) best = run->cost;
            }
        }
        if (winner == nullptr) continue;
        const int sense = results.plan().study.measure == StudyMeasure::kCost ? winner->runs.front()->sense : 1;
        table.rows.push_back({instance, results.group_of(instance), winner->variant, sense * results.summary(*winner),
                              value_or_nothing(best), value_or_nothing(known)});
    }
    return table;
}

}  // namespace

Section summary_section(const Results& results) {
    Section section{"Summary",
                    fmt::format("Compared by {}; smaller is better.", meaning_of(results.plan().study.measure)),
                    {},
                    {},
                    {}};
    const auto blocks = complete_blocks(results);
    const bool ranked = !blocks.empty() && results.variants().size() >= 2;
    std::vector<Total> totals;
    for (const std::string& variant : results.variants()) totals.push_back(total_of(results, variant));
    if (ranked) {
        const statistics::Friedman test = statistics::friedman(blocks);
        for (std::size_t k = 0; k < totals.size(); ++k) totals[k].rank = test.mean_ranks[k];
        if (blocks.size() >= 2) section.plots.push_back(rank_plot(results, test));
        std::stable_sort(totals.begin(), totals.end(), [](const Total& a, const Total& b) { return a.rank < b.rank; });
    }
    section.tables.push_back(ranking_table(totals, ranked));
    if (!ranked) section.tables.back().note = "No ranks: no instance has runs of every algorithm.";
    section.tables.push_back(winners_table(results));
    return section;
}

}  // namespace qapfw::framework
