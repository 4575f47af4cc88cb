// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/laboratory/report/sections.hpp"
#include "framework/laboratory/statistics/rank_tests.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Mean of the gaps in percent; nothing if no run has a gap.
std::optional<double> mean_gap(const ResultCell& cell) {
    std::vector<double> gaps;
    for (const RunRow* run : cell.runs) {
        if (run->gap) gaps.push_back(100 * *run->gap);
    }
    if (gaps.empty()) return std::nullopt;
    return statistics::mean(gaps);
}

/// One row for each instance on which all variants have runs. The row holds the summaries, in the order of `variants`.
std::vector<std::vector<double>> complete_blocks(const Results& results, const std::vector<std::string>& variants) {
    std::vector<std::vector<double>> blocks;
    for (const std::string& instance : results.instances()) {
        std::vector<double> row;
        for (const std::string& variant : variants) {
            if (const ResultCell* cell = results.find(instance, variant)) row.push_back(results.summary(*cell));
        }
        if (row.size() == variants.size()) blocks.push_back(std::move(row));
    }
    return blocks;
}

struct Total {
    std::string variant;
    double rank = 0;
    std::size_t runs = 0, hits = 0, wins = 0, cuts = 0;
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
        total.cuts += cell->cuts();
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

/// Returns the ranking. `by_budget`: the study compares times for a whole budget of iterations. Then a column counts
/// the runs that the time limit ended before all these iterations, if there are any.
Table ranking_table(const std::vector<Total>& totals, bool ranked, bool by_budget) {
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
    const bool cut = by_budget && std::any_of(totals.begin(), totals.end(), [](const Total& t) { return t.cuts > 0; });
    if (cut) {
        table.columns.push_back({"cut runs", false});
        table.note =
            "Cut runs: the time limit ended them before they had made all iterations. Their times are scaled to all "
            "iterations. Gaps cannot be scaled, so an algorithm with such runs has no mean gap here.";
    }
    for (const Total& total : totals) {
        const bool has_gap = total.gap_count > 0 && !(cut && total.cuts > 0);
        table.rows.push_back({total.variant, ranked ? TableValue(total.rank) : TableValue(),
                              static_cast<double>(total.wins),
                              has_gap ? TableValue(total.gaps / static_cast<double>(total.gap_count)) : TableValue(),
                              static_cast<double>(total.hits), static_cast<double>(total.runs), total.seconds});
        if (cut) table.rows.back().emplace_back(static_cast<double>(total.cuts));
    }
    return table;
}

Plot rank_plot(const Results& results, const std::vector<std::string>& variants, const statistics::Friedman& test) {
    Plot plot{"ranks", "Mean ranks", "", "ranks", "mean rank (1 is best)", ""};
    plot.critical_difference =
        statistics::critical_difference(variants.size(), test.blocks, results.plan().study.alpha);
    std::vector<std::pair<double, std::string>> order;
    for (std::size_t k = 0; k < variants.size(); ++k) order.emplace_back(test.mean_ranks[k], variants[k]);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [rank, variant] : order) plot.series.push_back({variant, {rank}, {0}, {}, {}});
    for (const auto& [first, last] : statistics::rank_groups(test.mean_ranks, plot.critical_difference))
        plot.groups.emplace_back(order[first].first, order[last].first);
    const std::string iman_davenport =
        std::isinf(test.f)
            ? fmt::format(
                  "F is infinite, since all instances rank the algorithms alike; by chance this has the probability {}",
                  p_text(test.f_p))
            : fmt::format("p {}", p_text(test.f_p));
    plot.note = fmt::format(
        "Over {} instances. Friedman: chi-squared {:.4g}, p {}; Iman and Davenport: {}. A bar joins algorithms whose "
        "mean ranks differ by at most the critical difference {:.3g} (Nemenyi, alpha {}).",
        test.blocks, test.chi_squared, p_text(test.p), iman_davenport, plot.critical_difference,
        results.plan().study.alpha);
    return plot;
}

Table winners_table(const Results& results) {
    Table table{"instances",
                "Best algorithms and cost on each instance",
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
        std::string winners;  // names of all variants with the best summary
        std::optional<double> best, known;
        for (const ResultCell* cell : results.of_instance(instance)) {
            const double mine = results.summary(*cell);
            if (winner == nullptr || mine < results.summary(*winner)) {
                winner = cell;
                winners = cell->variant;
            } else if (mine == results.summary(*winner)) {
                winners += ", " + cell->variant;
            }
            for (const RunRow* run : cell->runs) {
                if (run->best_known) known = run->best_known;
                if (run->cost && (!best || run->sense * *run->cost < run->sense * *best)) best = run->cost;
            }
        }
        if (winner == nullptr) continue;
        const int sense = results.plan().study.measure == StudyMeasure::kCost ? winner->runs.front()->sense : 1;
        const double summary = results.summary(*winner);
        table.rows.push_back({instance, results.group_of(instance),
                              std::isfinite(summary) ? winners : std::string("none"), sense * summary,
                              value_or_nothing(best), value_or_nothing(known)});
    }
    return table;
}

/// True if the compared values are costs, and larger costs are better on some instance.
bool maximizes(const Results& results) {
    if (results.plan().study.measure != StudyMeasure::kCost) return false;
    return std::ranges::any_of(results.instances(), [&](const std::string& instance) {
        return std::ranges::any_of(results.of_instance(instance), [](const ResultCell* cell) {
            return !cell->runs.empty() && cell->runs.front()->sense < 0;
        });
    });
}

}  // namespace

Section summary_section(const Results& results) {
    const char* const better =
        maximizes(results) ? "smaller is better, or larger where costs are maximised" : "smaller is better";
    Section section{
        "Summary", fmt::format("Compared by {}; {}.", meaning_of(results.plan().study.measure), better), {}, {}, {}};
    const auto variants = results.variants_with_runs(), idle = results.variants_with_runs(false);
    const auto blocks = complete_blocks(results, variants);
    const bool ranked = !blocks.empty() && variants.size() >= 2;
    std::vector<Total> totals;
    for (const std::string& variant : variants) totals.push_back(total_of(results, variant));
    if (ranked) {
        const statistics::Friedman test = statistics::friedman(blocks);
        for (std::size_t k = 0; k < totals.size(); ++k) totals[k].rank = test.mean_ranks[k];
        if (blocks.size() >= 2) section.plots.push_back(rank_plot(results, variants, test));
        std::stable_sort(totals.begin(), totals.end(), [](const Total& a, const Total& b) { return a.rank < b.rank; });
    }
    Table table = ranking_table(totals, ranked, results.plan().study.measure == StudyMeasure::kBudget);
    const auto add_note = [&](const std::string& note) { table.note += (table.note.empty() ? "" : " ") + note; };
    if (!ranked && variants.size() >= 2) add_note("No ranks: no instance has runs of every algorithm.");
    if (!idle.empty()) add_note(fmt::format("Algorithms without runs are left out: {}.", fmt::join(idle, ", ")));
    section.tables.push_back(std::move(table));
    section.tables.push_back(winners_table(results));
    return section;
}

}  // namespace qapfw::framework::laboratory
