// SPDX-License-Identifier: Apache-2.0
// The race of arms for islands: successive halving with explorers. Sources: Z. Karnin, T. Koren, O. Somekh, "Almost
// optimal exploration in multi-armed bandits", ICML 2013, and K. Jamieson, A. Talwalkar, "Non-stochastic best arm
// identification and hyperparameter optimization", AISTATS 2016. A rung is a number of rounds. At its end the better
// half of the arms still in the race (the leaders) split the islands. Unlike in the papers, the other arms take turns
// on a part of the islands and are compared there, so that they may come back. If there are many islands, each arm
// keeps some and continues there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/memetic/device/islands.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::memetic {

using EraResult = EraResultOf<qapfw_cost>;

/// Number of the rung that ends with round `t`; 0: no rung ends then. Rungs and rounds are counted from 1. The first
/// rung has `rung` rounds; each later rung has 2 * rung.
std::uint64_t rung_at(std::uint64_t t, std::uint64_t rung);

/// Number of leaders after a rung. The number is `arms` at first; each rung halves it and rounds it up. At least two
/// leaders remain, since ranks of few islands are noisy.
std::uint32_t arms_after(std::uint64_t rung, std::uint32_t arms);

/// Returns the lead after a rung: the factor by which the leading arms are favoured. It is 1 before the rung `from`, 2
/// from that rung on, 4 from the rung 2 * `from` on, and so on, at most `most`. It grows because in a longer race it is
/// more certain that the best arms lead.
std::uint32_t lead_after(std::uint64_t rung, std::uint32_t most, std::uint64_t from);

/// Returns the rung from which the lead is above 1. `search`: evaluations that a search of the best-ranked arm makes;
/// 0: unknown. If `search` is above `child_work`, returns `from`. Otherwise returns at least kLeadOfShortFrom, since an
/// arm with short searches gains little from a lead.
std::uint64_t lead_start(std::uint64_t from, std::uint64_t search, std::uint64_t child_work);
inline constexpr std::uint64_t kLeadOfShortFrom = 4;

/// Returns the factor for the work that islands of leading arms do in a round. `search` is the same as in lead_start().
/// The factor is `lead` if `search` is above `child_work`. Otherwise searches are short, and the factor is 1. Islands
/// with short searches make broods until the end of a round anyway. With a larger factor, all other islands would wait
/// for them.
std::uint32_t pace_of(std::uint32_t lead, std::uint64_t search, std::uint64_t child_work);

/// True if an era ends with this rung. The first era is the first rung. Each later era has as many rungs as all earlier
/// eras together.
bool is_era_end(std::uint64_t rung);

/// The arms, the best first, by the mean rank of their islands' results; arms without an island come last. An island
/// ranks before another if its cost is less, or if the costs are equal and it did less work. If `has_turns` is false,
/// only the best four islands of an arm count. So the further islands of a new leader, which have just restarted, do
/// not lower the leader's rank.
std::vector<std::uint32_t> ranked_arms(std::span<const EraResult> results, std::uint32_t arms,
                                       const sdk::CostLess& less, bool has_turns = true);

/// The state of the race at the end of a rung.
struct Rung {
    std::uint64_t number;
    std::uint32_t leaders;  ///< number of leaders from now on
    /// Divisor that gives the number of islands for all arms that do not lead: all islands / (one_in * lead), at least
    /// one. Without turns, each of these arms has at least one island.
    std::uint32_t one_in;
    /// Number of rungs after which the islands of arms that do not lead pass to other such arms. 0: no turns.
    std::uint64_t turn;
    std::uint32_t lead = 1;  ///< factor by which the leaders are favoured; see lead_after
};

/// Returns the arm of each island after a rung. Some islands are for the arms that do not lead. With turns, these arms
/// take turns on those islands; without turns, each of these arms has at least one island. The leaders split all other
/// islands. Without turns the first arm gets 2 * rung.lead times the islands of each other leader. Islands keep their
/// arms if possible; an arm that loses islands loses its last-ranked ones. An island that changes to a leading arm
/// restarts, since elites of its old arm would spread to the leader's islands. Without turns, every island that changes
/// its arm restarts. Nothing changes if there are fewer islands than arms, or if all arms lead and there are no turns.
std::vector<NextArm> next_arms(std::span<const EraResult> results, std::span<const std::uint32_t> ranked,
                               const Rung& rung, const sdk::CostLess& less);

/// Ends an era. An island gains in the era if it makes a child that costs less than its best elite at the era's start.
/// If fewer than one in eight of an arm's islands gain, the arm's population has converged. Then all islands of the arm
/// restart with elites[arm] elites each, and take in no elites of islands born before `now`. If elites[arm] is 0, they
/// do not restart. The idea to restart with more elites is from A. Auger, N. Hansen, "A restart CMA evolution strategy
/// with increasing population size", CEC 2005.
void end_era(std::span<NextArm> next, std::span<const EraResult> results, std::span<const std::uint32_t> elites,
             std::uint64_t now, const sdk::CostLess& less);

}  // namespace qapfw::memetic
