// SPDX-License-Identifier: Apache-2.0
// Parameters of the memetic algorithm. The settings that differ between islands are in `arms`.
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::memetic {

inline constexpr std::uint32_t kMostElites = 65'536;         ///< elites of an island
inline constexpr std::uint64_t kMostRounds = 1'000'000'000;  ///< rounds of a rung

inline constexpr sdk::ParameterTable kParameters{
    sdk::list("arms").or_auto().summary(
        "Settings that compete for islands, one text each: words key=value with the keys name, "
        "crossover, crossover_rate, align, mutation, moves, replacement, elites, broods and "
        "improver. Other keys are the improver's parameters. A text may also be the name of an "
        "arm of auto. auto: a set that suits the problem."),
    sdk::list("first_arms")
        .or_auto()
        .summary("Arms that start with more islands: two more for each time that an arm is named here. An automatic "
                 "arm that is named here always takes part. auto: chosen by features of the instance, if there are few "
                 "islands and arms is auto. Empty list: all arms start with the same number."),
    sdk::integer("islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Populations that evolve side by side. auto: two per arm plus two; more on GPUs, which "
                 "then work on one child of each island at a time."),
    sdk::integer("first_islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Islands that work in the first round; the number grows fourfold each round. auto: two "
                 "per arm plus two; all islands if `islands` is given."),
    sdk::integer("size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary("Elites that an island grows to. auto: 16; on GPUs up to 65536 split among the islands, "
                 "if the problem has a neighbourhood of swaps."),
    sdk::integer("first_size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary("Elites that an island starts with. A converged island doubles them, up to `size` or the "
                 "limit of its arm. auto: 4, or `brood` if that is larger and the problem has a "
                 "neighbourhood of swaps."),
    sdk::integer("brood")
        .or_auto()
        .range(1, 65'536)
        .unit("children")
        .summary("Children that an island makes at a time, all from the same elites; the first broods are "
                 "smaller. auto: 1; on GPUs up to 32."),
    sdk::integer("distance", 0)
        .range(0, 65'536)
        .summary("With replacement=worst: a child that differs from its nearest elite in fewer positions than this can "
                 "replace only that elite."),
    sdk::integer("migrate_every", 2)
        .range(0, 1e9)
        .summary("Children per elite after which an island takes in an elite of another island; 0: never."),
    sdk::integer("migrants")
        .or_auto()
        .range(1, 1'000'000)
        .unit("elites")
        .summary("Most elites that an island takes in at the end of a round, each from another island. It takes in one "
                 "for every `migrate_every` children per elite that it made since the last time. auto: 8 on GPUs with "
                 "more than four arms of auto, otherwise 1."),
    sdk::real("cross_arms", 0)
        .range(0, 1)
        .summary("Probability that an elite taken in comes from a random island and not from the next one with the "
                 "same arm."),
    sdk::integer("restart_after")
        .or_auto()
        .range(0, 1e9)
        .summary("Children per elite without an improvement after which an island has converged. It then grows or "
                 "restarts, alternately with its best elite and without it. 0: never. auto: 20; 8 with "
                 "large broods and a neighbourhood of swaps; 40 for layouts in bays."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e15)
        .unit("evaluations")
        .summary("Evaluations of each island between two exchanges with the others. With broods the first rounds are "
                 "shorter. auto: as many as the longest search of an arm takes, times the children of a brood; at "
                 "least some milliseconds of work."),
    sdk::size("child_work")
        .or_auto()
        .range(0, 1e15)
        .unit("evaluations")
        .summary("Making a child counts as this many evaluations, in addition to those of its search. auto: with a "
                 "neighbourhood of swaps n / 3 scans of all pairs, on GPUs 60 scans; else 0."),
    sdk::size("leader_child_work")
        .or_auto()
        .range(0, 1e15)
        .unit("evaluations")
        .summary("child_work of the arms that lead the race. auto: child_work; if that is auto too, on GPUs 20 scans."),
    sdk::integer("rung")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rounds")
        .summary("Rounds of the first rung. At the end of a rung the race compares the arms; each later rung is twice "
                 "as long. 0: no race, islands keep their first arms. auto: 2^28 evaluations for each child of a "
                 "brood, at least eight rounds; less with more than four arms or without a neighbourhood of swaps."),
    sdk::integer("explore_one_in")
        .or_auto()
        .range(2, 1'000'000)
        .unit("islands")
        .summary("One island in this many (at least one in all) is for arms that do not lead the race. auto: 12; 4 if "
                 "auto chose more than four arms."),
    sdk::integer("explore_rungs")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rungs")
        .summary("Rungs for which an arm that does not lead the race keeps its island before another such arm gets it. "
                 "0: each arm always keeps at least one. auto: 1; 0 if auto chose more than four arms.")};

}  // namespace qapfw::memetic
