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

/// Number of the rung that ends with round `t`, counted from 1; 0: no rung ends. The first rung has `rung` rounds, each
/// later rung 2 * rung.
std::uint64_t rung_at(std::uint64_t t, std::uint64_t rung);

/// Number of leaders after a rung: half of `arms` after the first rung, half of those leaders after the second rung,
/// and so on, rounded up. At least two remain, since ranks of few islands are noisy.
std::uint32_t arms_after(std::uint64_t rung, std::uint32_t arms);

/// The lead of the leaders after a rung: 1 before the rung `from`, 2 from that rung on, 4 from the rung 2 * `from` on,
/// and so on, at most `most`. The longer the race, the surer it is that the leaders are the best arms.
std::uint32_t lead_after(std::uint64_t rung, std::uint32_t most, std::uint64_t from);

/// The rung from which the lead is above 1: `from`, but at least kLeadOfShortFrom if a search of the arm with the best
/// rank is at most `child_work` long. Such an arm gains little from a lead. `search`: evaluations of a search of the
/// arm with the best rank; 0: unknown.
std::uint64_t lead_start(std::uint64_t from, std::uint64_t search, std::uint64_t child_work);
inline constexpr std::uint64_t kLeadOfShortFrom = 4;

/// Factor for the work that islands of leading arms do in a round: `lead`, or 1 if a search of the arm with the best
/// rank is at most `child_work` long. Islands with such short searches make broods until the end of a round anyway, and
/// with a larger factor all other islands would wait for them. `search`: evaluations of a search of the arm with the
/// best rank; 0: unknown.
std::uint32_t pace_of(std::uint32_t lead, std::uint64_t search, std::uint64_t child_work);

/// True if an era ends with this rung. The first rung is an era; each later era has as many rungs as all before it.
bool is_era_end(std::uint64_t rung);

/// The arms, the best first, by the mean rank of their islands' results; arms without an island come last. An island
/// ranks before another if its cost is less, or if the costs are equal and it did less work. If `has_turns` is false,
/// only the best four islands of an arm count. So a new leader, which kept its best islands, is not thrown back by
/// islands that restarted for it.
std::vector<std::uint32_t> ranked_arms(std::span<const EraResult> results, std::uint32_t arms,
                                       const sdk::CostLess& less, bool has_turns = true);

/// The state of the race at the end of a rung.
struct Rung {
    std::uint64_t number;
    std::uint32_t leaders;   ///< number of leaders from now on
    std::uint32_t one_in;    ///< one island in `one_in` * `lead`, at least one, is for arms that do not lead
    std::uint64_t turn;      ///< length in rungs of the turns of those arms; 0: each has some islands all the time
    std::uint32_t lead = 1;  ///< lead of the leaders; see lead_after
};

/// The arm of each island after a rung. Some islands are for arms that do not lead: these arms take turns on them, or
/// without turns have at least one each. The leaders split all further islands. Without turns the first arm gets 2 *
/// rung.lead times the islands of each other leader. Islands keep their arms if possible; an arm that loses islands
/// loses its last-ranked ones. An island that changes to a leading arm restarts, since elites of another arm would
/// spread there. Without turns, every island that changes its arm restarts. Nothing changes with fewer
/// islands than arms, or if all arms lead and there are no turns.
std::vector<NextArm> next_arms(std::span<const EraResult> results, std::span<const std::uint32_t> ranked,
                               const Rung& rung, const sdk::CostLess& less);

/// Ends an era. An island gains in the era if it makes a child that costs less than its best elite at the era's start.
/// If fewer than one in eight of an arm's islands gain, their population has converged. These islands all restart
/// together with elites[arm] elites, and take in no elites of islands born before `now`. So populations grow with the
/// time spent without a gain (restarts with larger populations: A. Auger, N. Hansen, "A restart CMA evolution strategy
/// with increasing population size", CEC 2005). 0 elites: no restart.
void end_era(std::span<NextArm> next, std::span<const EraResult> results, std::span<const std::uint32_t> elites,
             std::uint64_t now, const sdk::CostLess& less);

}  // namespace qapfw::memetic
