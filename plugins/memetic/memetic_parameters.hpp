// SPDX-License-Identifier: Apache-2.0
// Parameters of the memetic algorithm. The settings that differ between islands are in `arms`.
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::memetic {

inline constexpr std::uint32_t kMostElites = 65'536;         ///< largest number of elites of an island
inline constexpr std::uint64_t kMostRounds = 1'000'000'000;  ///< largest number of rounds of a rung

inline constexpr sdk::ParameterTable kParameters{
    sdk::list("arms").or_auto().summary(
        "Arms: settings that compete for islands (populations). Each text is one arm, in words key=value with the "
        "keys name, crossover, crossover_rate, align, mutation, moves, replacement, elites, broods and improver; other "
        "keys are the improver's parameters. A text of one word names an arm that auto can choose. auto: arms that "
        "suit the problem."),
    sdk::list("first_arms")
        .or_auto()
        .summary("Names of arms (competing settings) that start with more islands (populations). An arm that is named "
                 "once starts with about three times as many as an arm that is not named; twice: five times. Empty "
                 "list: all start with about the same number. auto: chosen by features of the instance, if there are "
                 "few islands and arms is auto."),
    sdk::integer("islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Number of islands, which are populations that evolve side by side. auto: 2k + 2 for k arms "
                 "(competing settings). If `lead` is above 1 and explore_rungs is 0, auto is larger by k - 1. On GPUs "
                 "auto may be larger, because a GPU works on many islands at a time."),
    sdk::integer("first_islands")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Number of islands (populations) that work in the first round. In each later round four times as many "
                 "islands work as in the round before, up to `islands`. auto: two for each arm (competing setting) "
                 "plus two; all islands if `islands` is given."),
    sdk::integer("size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary("Greatest number of elites, the good solutions that an island (population) keeps. A larger number "
                 "keeps more variety. auto is 16. But on GPUs, with a neighbourhood of swaps, auto is 65536 "
                 "(fewer for long solutions) divided by the number of islands, and at least 32."),
    sdk::integer("first_size")
        .or_auto()
        .range(2, kMostElites)
        .unit("individuals")
        .summary("Number of elites (good solutions) that an island (population) starts with. If `brood` is above 1, "
                 "this number is multiplied by the key `broods` of the island's arm in `arms`. An island that finds "
                 "nothing better doubles its number of elites, up to `size` or its arm's key `elites`. auto: 4, or "
                 "`brood` if that is larger and the problem has a neighbourhood of swaps."),
    sdk::integer("brood")
        .or_auto()
        .range(1, 65'536)
        .unit("children")
        .summary("Number of children that an island (population) makes at a time, before any of them can be a parent. "
                 "A number above 1 is multiplied by the key `broods` of the island's arm in `arms`. A larger number "
                 "keeps a GPU busy, but children made at the same time cannot build on each other. The first "
                 "broods are smaller. auto: 1; on GPUs up to 32."),
    sdk::integer("distance", 0)
        .range(0, 65'536)
        .summary("Least number of positions in which a child should differ from all elites (good solutions that are "
                 "kept). A child that differs in fewer positions can replace only the elite that is nearest to it. "
                 "This holds for arms with replacement=worst."),
    sdk::integer("migrate_every", 2)
        .range(0, 1e9)
        .summary("How many children an island (population) makes for each of its elites before it takes in an elite of "
                 "another island. Elites are the solutions that it keeps. 0: never."),
    sdk::integer("migrants")
        .or_auto()
        .range(1, 1'000'000)
        .unit("elites")
        .summary("Greatest number of elites (good solutions) that an island takes in at the end of a round, each from "
                 "a different island. One elite is due whenever the island has made `migrate_every` children for each "
                 "of its own elites. auto: 1; 8 on GPUs if `arms` = auto chose more than four arms."),
    sdk::real("cross_arms", 0)
        .range(0, 1)
        .summary("Probability that an island takes the first elite (good solution) of a round from a random island. "
                 "All other elites come from the next islands with the same arm (setting). The probability is 0 for an "
                 "island whose arm has no crossover. While arms compete, it is also 0 for an arm with only one island, "
                 "and for all arms until they are compared for the first time."),
    sdk::integer("restart_after")
        .or_auto()
        .range(0, 1e9)
        .summary(
            "An island counts as converged when it has made this many children for each of its elites (solutions "
            "that it keeps) without an improvement. A converged island grows or restarts; every second restart "
            "keeps the best elite. 0: islands never count as converged. auto: 20; 8 if `brood` is above 1 and "
            "there is a neighbourhood of swaps; 40 for layouts in bays. For islands whose arm has no crossover see "
            "`chain_restart_after`."),
    sdk::integer("chain_restart_after")
        .or_auto()
        .range(0, 1e9)
        .summary("The same as `restart_after`, but for islands whose arm (setting) has no crossover. There each child "
                 "has one parent, so the solutions form chains. auto: the value of `restart_after`. But auto is 0 "
                 "(never) on GPUs if `restart_after` and `lead` are auto too and `arms` = auto chose more than four "
                 "arms."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e15)
        .unit("evaluations")
        .summary(
            "Number of evaluations (solutions whose cost is computed) that each island makes between two "
            "exchanges with other islands. auto: the evaluations of the longest search of any arm (setting), times "
            "the number of children that an island makes at a time; at least some milliseconds of work. With several "
            "children at a time the first rounds are shorter."),
    sdk::size("child_work")
        .or_auto()
        .range(0, 1e15)
        .unit("evaluations")
        .summary("Number of evaluations that an island is charged for making a child. The evaluations of the child's "
                 "search are charged too. With a larger number an island makes fewer children in a round. auto: on the "
                 "CPU the evaluations of n / 3 scans of all swaps; on GPUs those of 60 scans, or of 150 scans if "
                 "`arms` = auto chose more than four arms. Without a neighbourhood of swaps auto is 0."),
    sdk::size("leader_child_work")
        .or_auto()
        .range(0, 1e15)
        .unit("evaluations")
        .summary(
            "Number of evaluations that an island is charged for making a child while the island's arm (setting) leads "
            "the race. Other arms are charged `child_work`. auto is the value of `child_work`. But on GPUs, if "
            "`child_work` is auto too and there is a neighbourhood of swaps, auto is the evaluations of 20 scans of "
            "all swaps."),
    sdk::integer("rung")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rounds")
        .summary("Number of rounds before the arms (competing settings) are compared for the first time. After that "
                 "they are compared every 2 * rung rounds. 0: never. auto: as many rounds as an island needs for 2^28 "
                 "* `brood` evaluations (for 2^17 without a neighbourhood of swaps), but at least 8. If `arms` = auto "
                 "chose more than four arms, auto is half as many rounds, but at least 6."),
    sdk::integer("explore_one_in")
        .or_auto()
        .range(2, 1'000'000)
        .unit("islands")
        .summary("One island out of this number works for arms (settings) that do not lead the race. A larger "
                 "number gives these arms fewer islands, but at least one. If the lead (see `lead`) is above 1, this "
                 "number is multiplied by the lead. auto: 12; 4 if `arms` = auto chose more than four arms."),
    sdk::integer("explore_rungs")
        .or_auto()
        .range(0, kMostRounds)
        .unit("rungs")
        .summary("Number of rungs for which an arm (setting) keeps an island if the arm does not lead the race. Then "
                 "another arm that does not lead gets the island. A rung is all rounds from one comparison of arms to "
                 "the next. 0: each arm always keeps at least one island. auto: 1, or 0 if `arms` = auto chose more "
                 "than four arms."),
    sdk::integer("lead").or_auto().range(1, 1024).summary(
        "Largest value of the lead, a factor that favours the arms (settings) that lead the race. A lead above 1 needs "
        "explore_rungs = 0. The lead is 1 at first and doubles as the race goes on (see `lead_from`). With a larger "
        "lead the best arm has more islands (populations). If the best arm has long searches, the islands of all "
        "leading arms also do more work in a round. auto: 4 on GPUs if `arms` = auto chose more than four arms, else "
        "1."),
    sdk::integer("lead_from")
        .or_auto()
        .range(1, 1'000'000)
        .unit("comparisons")
        .summary("Number of comparisons of arms (settings) after which the lead (see `lead`) becomes 2. After twice as "
                 "many comparisons it becomes 4, and so on. If the best arm has short searches, the lead becomes 2 "
                 "only after 4 comparisons or more. auto: 2; 4 if `lead` is given."),
    sdk::list("lengthen")
        .or_auto()
        .summary("Names of arms (settings) that make longer searches while they lead the race. If the lead (see "
                 "`lead`) lets their islands (populations) do 4 times the work, each search is 4 times as long, and "
                 "there are no more searches than before. An arm without the key `iterations` keeps its length. auto: "
                 "`kick` on GPUs if `lead` is auto too and `arms` = auto chose more than four arms; else none.")};

}  // namespace qapfw::memetic
