// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/tournament_waste.hpp"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

namespace qapfw::imga {
namespace {

/// With more comparisons than this, nothing is counted, because every comparison takes memory.
constexpr std::uint64_t kMostComparisonsCounted = 1'000'000;

struct Number {
    std::uint64_t sequence;
    std::uint32_t index;
    auto operator<=>(const Number&) const = default;
};
using Comparison = std::pair<Number, Number>;

Number number_of(const kernels::TournamentRules& rules, std::uint64_t generation, std::uint32_t island,
                 std::uint32_t thread, std::uint32_t round) {
    if (rules.seeding == kernels::kTournamentCounter) return {std::uint64_t{island} * rules.size + thread, round};
    const kernels::TournamentDraw draw = kernels::tournament_draw(rules, generation, island, thread, round);
    return {draw.sequence, draw.index};
}

template <class T>
std::uint64_t count_repeated(std::vector<T>& all) {
    std::sort(all.begin(), all.end());
    return static_cast<std::uint64_t>(all.end() - std::unique(all.begin(), all.end()));
}

}  // namespace

TournamentWaste count_tournament_waste(const kernels::TournamentRules& rules, std::uint64_t generation,
                                       std::uint32_t island) {
    std::vector<Number> draws;
    std::vector<Comparison> comparisons;
    for (std::uint32_t thread = 0; thread < rules.size; ++thread) {
        const auto own = static_cast<std::ptrdiff_t>(draws.size());
        for (std::uint32_t round = 0; round < rules.rounds; ++round) {
            const Number number = number_of(rules, generation, island, thread, round);
            for (auto other = draws.begin() + own; other != draws.end(); ++other) {
                comparisons.push_back(std::minmax(*other, number));
            }
            draws.push_back(number);
        }
    }
    TournamentWaste waste{draws.size(), 0, comparisons.size(), 0};
    waste.repeated_draws = count_repeated(draws);
    waste.repeated_comparisons = count_repeated(comparisons);
    return waste;
}

void tell_tournament_waste(sdk::Run& run, const kernels::TournamentRules& rules) {
    if (std::uint64_t{rules.size} * rules.rounds * (rules.rounds - 1) / 2 > kMostComparisonsCounted) return;
    const TournamentWaste waste = count_tournament_waste(rules, 1, 0);
    run.statistic("tournament_draws", static_cast<double>(waste.draws));
    run.statistic("tournament_repeated_draws", static_cast<double>(waste.repeated_draws));
    run.statistic("tournament_comparisons", static_cast<double>(waste.comparisons));
    run.statistic("tournament_repeated_comparisons", static_cast<double>(waste.repeated_comparisons));
}

}  // namespace qapfw::imga
