// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/tested_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/laboratory/statistics/rank_tests.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr double kLargest = 1e300;  ///< stands for the infinite values of runs that miss; such runs count as equal

std::vector<double> finite(std::vector<double> values) {
    for (double& value : values) value = std::min(value, kLargest);
    return values;
}

/// True if the runs can be paired by seed. Published runs have no seeds, and a study may give each variant its own
/// seeds.
bool are_paired(const Results& results, const ResultCell& first, const ResultCell& second) {
    return !results.plan().study.own_seeds && first.runs.front()->source.empty() && second.runs.front()->source.empty();
}

}  // namespace

TestedPair TestedPair::reversed() const {
    TestedPair other = *this;
    std::swap(other.of_first, other.of_second);
    other.a12 = 1 - a12;
    other.direction = -direction;
    return other;
}

std::optional<TestedPair> test_pair(const Results& results, const ResultCell& first, const ResultCell& second) {
    const double alpha = results.plan().study.alpha;
    TestedPair tested;
    tested.paired = are_paired(results, first, second);
    const auto [a, b] = tested.paired ? results.paired(first, second)
                                      : std::pair(finite(results.measured(first)), finite(results.measured(second)));
    if (a.empty() || b.empty()) return std::nullopt;
    const statistics::RankTest test =
        tested.paired ? statistics::wilcoxon_signed_rank(a, b) : statistics::wilcoxon_rank_sum(a, b);
    tested.of_first = a.size();
    tested.of_second = b.size();
    tested.differing = tested.paired ? test.used : 0;
    tested.p = test.p;
    tested.a12 = statistics::a12(a, b);
    tested.direction = test.direction();
    tested.enough = tested.paired ? a.size() >= statistics::fewest_pairs(alpha)
                                  : statistics::least_rank_sum_p(a.size(), b.size()) <= alpha;
    return tested;
}

std::vector<Column> tested_columns(const std::string& first, const std::string& second) {
    return {{"test", true},
            {"runs of " + first, false},
            {"runs of " + second, false},
            {"pairs", false},
            {"that differ", false}};
}

std::vector<TableValue> tested_cells(const TestedPair& tested) {
    const auto pairs = [&](std::size_t count) {
        return tested.paired ? TableValue(static_cast<double>(count)) : TableValue();
    };
    return {std::string(tested.paired ? "signed rank" : "rank sum"), static_cast<double>(tested.of_first),
            static_cast<double>(tested.of_second), pairs(tested.of_first), pairs(tested.differing)};
}

std::string tests_text(const Results& results) {
    const double alpha = results.plan().study.alpha;
    if (results.plan().study.own_seeds) {
        return fmt::format(
            "Wilcoxon's rank sum test, two-sided: each algorithm has seeds of its own, so its runs are independent of "
            "all "
            "others. Fewer than {} runs of each algorithm can give no verdict.",
            statistics::fewest_values(alpha));
    }
    return fmt::format(
        "Wilcoxon's signed rank test, two-sided, of pairs of runs with the same seed; pairs with equal results are "
        "left "
        "out. Published runs have no seeds and are compared by the rank sum test. Fewer than {} pairs can give no "
        "verdict.",
        statistics::fewest_pairs(alpha));
}

}  // namespace qapfw::framework::laboratory
