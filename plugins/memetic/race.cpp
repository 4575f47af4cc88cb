// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/race.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace qapfw::memetic {
namespace {

/// If arms do not take turns (Rung::turn is 0), the first leading arm gets kLead * Rung::lead islands for each island
/// of another leader. For a given instance, one arm is often much better than all others. So the first leader gets at
/// least twice the islands of another leader.
constexpr std::uint32_t kLead = 2;

/// If arms do not take turns, an arm's rank depends only on this many of its best islands. An arm that does not lead
/// keeps only its best islands. If all islands counted, such an arm would often seem better than a leader.
constexpr std::uint64_t kJudged = 4;

bool is_before(const EraResult& a, const EraResult& b, const sdk::CostLess& less) {
    if (a.has_child != b.has_child) return a.has_child > b.has_child;
    if (a.has_child == 0) return false;
    if (less(a.cost, b.cost) || less(b.cost, a.cost)) return less(a.cost, b.cost);
    return a.work < b.work;
}

/// Returns the islands' numbers, the best island first. Of equal islands, the one with the lower number is first.
std::vector<std::uint32_t> ranked_islands(std::span<const EraResult> results, const sdk::CostLess& less) {
    std::vector<std::uint32_t> order(results.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return is_before(results[a], results[b], less); });
    return order;
}

/// Returns the number of islands of each arm. Some islands are for the arms that do not lead. If Rung::turn is above 0,
/// these arms take turns in the order of their numbers; else each of them has at least one of these islands.
std::vector<std::uint32_t> shares(std::span<const std::uint32_t> ranked, const Rung& rung, std::size_t islands) {
    const std::uint32_t leaders = rung.leaders;
    std::vector<std::uint32_t> others(ranked.begin() + leaders, ranked.end()), wanted(ranked.size());
    std::sort(others.begin(), others.end());
    const std::size_t least = rung.turn == 0 ? others.size() : 1;
    const std::size_t explorers =
        others.empty() ? 0 : std::max<std::size_t>(least, islands / (rung.one_in * rung.lead));
    const std::uint64_t turn = rung.turn == 0 ? 0 : rung.number / rung.turn;
    for (std::size_t k = 0; k < explorers; ++k) ++wanted[others[(turn * explorers + k) % others.size()]];
    const std::uint32_t lead = rung.turn == 0 ? kLead * rung.lead : 1, parts = leaders + lead - 1;
    for (std::size_t k = 0; k < islands - explorers; ++k) {
        const auto share = static_cast<std::uint32_t>(k % parts);
        ++wanted[ranked[share < lead ? 0 : share - lead + 1]];
    }
    return wanted;
}

/// True if at least one in eight of the arm's islands has improved in the era: a child costs less than the island's
/// best elite at the start of the era. Islands whose EraResult::was_there is 0 do not count. If no island counts, true.
/// The best cost of all islands would be a poor measure: a search that is lucky early in a run can stay ahead of a
/// steadily improving population.
bool has_gained(std::span<const EraResult> results, std::uint32_t arm, const sdk::CostLess& less) {
    constexpr std::uint32_t kOneIn = 8;
    std::uint32_t islands = 0, gained = 0;
    for (const EraResult& result : results) {
        if (result.arm != arm || result.was_there == 0) continue;
        ++islands;
        if (result.has_child != 0 && less(result.cost, result.before)) ++gained;
    }
    return gained * kOneIn >= islands;
}

}  // namespace

std::uint64_t rung_at(std::uint64_t t, std::uint64_t rung) {
    if (rung == 0 || t < rung || (t - rung) % (2 * rung) != 0) return 0;
    return 1 + (t - rung) / (2 * rung);
}

bool is_era_end(std::uint64_t rung) {
    return std::has_single_bit(rung);
}

std::uint32_t lead_after(std::uint64_t rung, std::uint32_t most, std::uint64_t from) {
    std::uint32_t lead = 1;
    for (; rung >= from && lead < most; rung /= 2) lead = std::min(2 * lead, most);
    return lead;
}

std::uint64_t lead_start(std::uint64_t from, std::uint64_t search, std::uint64_t child_work) {
    return search > child_work ? from : std::max(from, kLeadOfShortFrom);
}

std::uint32_t pace_of(std::uint32_t lead, std::uint64_t search, std::uint64_t child_work) {
    return search > child_work ? lead : 1;
}

std::uint32_t arms_after(std::uint64_t rung, std::uint32_t arms) {
    for (std::uint64_t k = 1; k <= rung && arms > 2; ++k) arms = (arms + 1) / 2;
    return arms;
}

std::vector<std::uint32_t> ranked_arms(std::span<const EraResult> results, std::uint32_t arms,
                                       const sdk::CostLess& less, bool has_turns) {
    const std::vector<std::uint32_t> islands = ranked_islands(results, less);
    std::vector<std::uint64_t> sum(arms), count(arms);
    for (std::size_t rank = 0, first = 0; rank < islands.size(); ++rank) {
        const EraResult& result = results[islands[rank]];
        if (is_before(results[islands[first]], result, less)) first = rank;  // equal results have the same rank
        if (!has_turns && count[result.arm] == kJudged) continue;
        sum[result.arm] += first;
        ++count[result.arm];
    }
    std::vector<std::uint32_t> order(arms);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (count[a] == 0 || count[b] == 0) return count[a] > count[b];
        return sum[a] * count[b] < sum[b] * count[a];
    });
    return order;
}

std::vector<NextArm> next_arms(std::span<const EraResult> results, std::span<const std::uint32_t> ranked,
                               const Rung& rung, const sdk::CostLess& less) {
    std::vector<NextArm> next;
    for (const EraResult& result : results) next.push_back({.arm = result.arm});
    const bool has_turns = rung.turn != 0;
    if (results.size() < ranked.size() || (!has_turns && rung.leaders == ranked.size())) return next;
    const std::vector<std::uint32_t> wanted = shares(ranked, rung, results.size());
    std::vector<std::uint32_t> kept(ranked.size()), free;
    for (const std::uint32_t island : ranked_islands(results, less)) {
        if (kept[next[island].arm] < wanted[next[island].arm]) {
            ++kept[next[island].arm];
        } else {
            free.push_back(island);
        }
    }
    for (std::size_t place = 0; place < ranked.size(); ++place) {
        const std::uint32_t arm = ranked[place];
        for (; kept[arm] < wanted[arm]; ++kept[arm]) {
            const bool anew = place < rung.leaders || !has_turns;
            next[free.back()] = {.arm = arm, .anew = anew ? 1u : 0u};  // the worst islands go to the best arm
            free.pop_back();
        }
    }
    return next;
}

void end_era(std::span<NextArm> next, std::span<const EraResult> results, std::span<const std::uint32_t> elites,
             std::uint64_t now, const sdk::CostLess& less) {
    for (NextArm& island : next) island.is_era = 1;
    for (std::uint32_t arm = 0; arm < elites.size(); ++arm) {
        if (elites[arm] == 0 || has_gained(results, arm, less)) continue;
        for (NextArm& island : next) {
            if (island.arm != arm) continue;
            island.anew = 1;
            island.elites = elites[arm];
            island.born = now;
        }
    }
}

}  // namespace qapfw::memetic
