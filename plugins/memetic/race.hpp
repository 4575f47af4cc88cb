// SPDX-License-Identifier: Apache-2.0
// The race of arms for islands: successive halving with explorers. Source: Z. Karnin, T. Koren, O. Somekh, "Almost
// optimal exploration in multi-armed bandits", ICML 2013, and K. Jamieson, A. Talwalkar, "Non-stochastic best arm
// identification and hyperparameter optimization", AISTATS 2016. A rung is a number of rounds; at its end the better
// half of the arms that are still in the race share the islands. Different from the papers, the arms that are out take
// turns on a part of the islands and are compared there, so that they may come back. Where islands are many, each keeps
// some and goes on there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/memetic/device/islands.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::memetic {

using EraResult = EraResultOf<qapfw_cost>;

/// Number of the rung that ends with round `t`, counted from 1; 0: none does. The first has `rung` rounds, the
/// others have twice as many.
std::uint64_t rung_at(std::uint64_t t, std::uint64_t rung);

/// Number of arms that share the islands after a rung: half of `arms` after the first, half of these after the second,
/// and so on, rounded up. Two are left at last, since ranks of few islands are noisy.
std::uint32_t arms_after(std::uint64_t rung, std::uint32_t arms);

/// True if an era ends with this rung: the first rung is one, and each one after it has as many rungs as went before.
bool is_era_end(std::uint64_t rung);

/// The arms, the best first: by the mean rank of their islands' results; those without an island last. An island ranks
/// before another if its cost is less, or equal and found with less work. Without turns each arm has kept the best of
/// its islands, and its best four count: so an arm that has just taken the lead does not lose it by islands that
/// restarted for it.
std::vector<std::uint32_t> ranked_arms(std::span<const EraResult> results, std::uint32_t arms,
                                       const sdk::CostLess& less, bool has_turns = true);

/// A rung that has ended.
struct Rung {
    std::uint64_t number;
    std::uint32_t leaders;  ///< arms that share the islands from now on
    std::uint32_t one_in;   ///< one island in `one_in`, and one at least, is for the other arms
    std::uint64_t turn;     ///< rungs that a turn of theirs lasts; 0: each has some all the time
};

/// The arm of each island after a rung. The leaders share the islands, but for some that the other arms get: by turns,
/// or without turns one each at least. Without turns the first arm has twice the islands of each other leader. Islands
/// keep their arms if possible; an arm that loses islands loses those that rank last. An island that changes to a
/// leading arm restarts, since elites of another arm would spread there; without turns every island that changes its
/// arm does. With fewer islands than arms nothing changes.
std::vector<NextArm> next_arms(std::span<const EraResult> results, std::span<const std::uint32_t> ranked,
                               const Rung& rung, const sdk::CostLess& less);

/// An era ends. An island gains in the era if it makes a child that costs less than the best elite that it had at the
/// era's start. If fewer than one in eight of an arm's islands gain, their population has converged. All of them then
/// restart together, with elites[arm] elites, and take in no elites of islands born before `now`. So populations grow
/// with the time that was spent without a gain (restarts with larger populations: A. Auger, N. Hansen, "A restart CMA
/// evolution strategy with increasing population size", CEC 2005). 0 elites: the arm goes on.
void end_era(std::span<NextArm> next, std::span<const EraResult> results, std::span<const std::uint32_t> elites,
             std::uint64_t now, const sdk::CostLess& less);

}  // namespace qapfw::memetic
