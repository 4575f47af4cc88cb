// SPDX-License-Identifier: Apache-2.0
// Parameters of the memetic algorithm. The settings that differ between islands stand in `arms`.
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::memetic {

inline constexpr std::uint32_t kMostElites = 65'536;         ///< of an island
inline constexpr std::uint64_t kMostRounds = 1'000'000'000;  ///< of a rung

inline constexpr sdk::ParameterTable kParameters{
    sdk::list("arms").or_auto().summary(
        "Settings that islands may have and that compete for islands, one text each: words key=value with the keys "
        "name, crossover, crossover_rate, align, mutation, moves, replacement, elites, broods and improver; other keys "
        "are the improver's parameters. A text may also be the name of an arm of auto. auto: a set that suits the "
        "problem."),
    sdk::integer("islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Populations that evolve side by side; auto: two for each arm and two more; on GPUs "
                 "as many as have the children that the improver of an arm works on at a time."),
    sdk::integer("first_islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Islands that work in the first round; in each of the next ones four times as many, until all do; "
                 "auto: where islands is auto two for each arm and two more, else all."),
    sdk::integer("size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary(
            "Elites that an island grows to; auto: 16, on GPUs 65536 shared out to the islands, fewer where these take "
            "more than 8 MiB, and 32 at least, where the problem has a neighbourhood of swaps."),
    sdk::integer("first_size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary("Elites that an island begins with, the best of 16 where these are more; it doubles them where it has "
                 "converged, up to size or what its arm has. auto: 4, or a brood where the problem has a neighbourhood "
                 "of swaps and that is more."),
    sdk::integer("brood")
        .or_auto()
        .range(1, 65'536)
        .unit("children")
        .summary("Children that an island makes at a time, all from the same elites; the first broods are smaller. "
                 "auto: 1, on GPUs 32, or fewer where islands is auto and the GPUs work on fewer children at a time."),
    sdk::integer("distance", 0)
        .range(0, 65'536)
        .summary("With replacement=worst: a child that differs from its nearest elite in fewer positions competes with "
                 "that one alone."),
    sdk::integer("migrate_every", 2)
        .range(0, 1e9)
        .summary("An island takes in an elite of another one after so many children for each of its elites; 0: never."),
    sdk::real("cross_arms", 0)
        .range(0, 1)
        .summary("Probability that the elite comes from an island drawn among all, and not from the next one with the "
                 "same arm."),
    sdk::integer("restart_after")
        .or_auto()
        .range(0, 1e9)
        .summary("An island that has gained nothing from so many children for each of its elites has converged and "
                 "grows, or begins anew, by turns around its best elite and without it; 0: never. auto: 20; 8 where "
                 "broods have several children and the problem has a neighbourhood of swaps; 40 for layouts in bays."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e15)
        .unit("evaluations")
        .summary("Work of each island between two meetings with the others, in candidates evaluated; with broods the "
                 "first rounds are shorter. auto: for each child of a brood as the longest search of an arm, and some "
                 "milliseconds at least."),
    sdk::size("child_work")
        .or_auto()
        .range(0, 1e15)
        .unit("evaluations")
        .summary(
            "What a child counts as in the work of its island, beside the candidates that its search evaluates: to "
            "make it and to set up the search takes time too. auto: where the problem has a neighbourhood of swaps "
            "n / 3 looks at all pairs, on GPUs 200; else 0."),
    sdk::integer("rung")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rounds")
        .summary(
            "The race first compares the arms after so many rounds, from then on after two times as many each; 0: no "
            "race, "
            "the islands stay with the arms they begin with; auto: 2^28 evaluations of an island for each child of a "
            "brood, 2^17 in all where the problem has no neighbourhood of swaps, and eight rounds at least; half of "
            "the work and six rounds where arms is auto and these are more than four."),
    sdk::integer("explore_one_in")
        .or_auto()
        .range(2, 1'000'000)
        .unit("islands")
        .summary(
            "One island in so many, and one at least, is for arms that do not lead the race; auto: 4 where arms is "
            "auto and these are more than four, else 12."),
    sdk::integer("explore_rungs")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rungs")
        .summary("For so long an arm that does not lead keeps such an island before others have their turn; 0: each "
                 "has one at least all the time, the first arm has twice as many as another one that leads, and the "
                 "best four of an arm's islands count; auto: 0 where arms is auto and these are more than four, else "
                 "1.")};

}  // namespace qapfw::memetic
