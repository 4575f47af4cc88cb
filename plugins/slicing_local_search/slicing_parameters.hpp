// SPDX-License-Identifier: Apache-2.0
// The parameters of the solver "slicing_local_search".
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::slicing_local_search {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("searches")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Searches side by side, each with a tree of its own; auto: 4 on the CPU, 2 for large instances, "
                 "enough to fill the GPUs "
                 "otherwise."),
    sdk::size("first_steps")
        .or_auto()
        .range(128, 1e12)
        .unit("steps")
        .summary("Steps of a search's first annealing. The number doubles after every `starts` starts. auto: by the "
                 "number of departments."),
    sdk::size("most_steps")
        .or_auto()
        .range(128, 1e12)
        .unit("steps")
        .summary("Greatest number of steps of an annealing; auto: 64 first_steps."),
    sdk::integer("reheats").or_auto().range(0, 1e6).summary(
        "Annealings from the best tree, half as long and less hot, before a search restarts from a random tree; auto: "
        "5, with more than 100 departments 24, with many searches 1000."),
    sdk::integer("starts").or_auto().range(1, 1e6).summary(
        "How often a search starts from a random tree before it takes more steps. Then `deep` annealings follow, and "
        "the number of steps doubles. auto: 3; 4 with 40 to 74 departments with flow; 6 with many searches; 1 with "
        "more than 100 departments."),
    sdk::integer("deep", 200)
        .range(0, 1e6)
        .summary("Annealings of the best tree that `starts` starts have found; 0: none."),
    sdk::integer("patience", 16)
        .range(0, 1e6)
        .summary("Annealings without a better tree after which `deep` ends early; 0: it never does."),
    sdk::integer("longer", 0)
        .range(0, 60)
        .summary("How often `deep` continues with annealings twice as long instead of ending early."),
    sdk::integer("levels", 2)
        .range(1, 16)
        .summary("Number of temperatures at which annealings of the best tree start, one after the other: `warm`, its "
                 "half, its quarter and so on."),
    sdk::size("share_every")
        .or_auto()
        .range(0, 1e12)
        .unit("steps")
        .summary("Steps between two meetings of the searches. In a meeting a search takes over another one's best tree "
                 "if that is better. 0: no meetings. auto: half of first_steps, with few searches and without "
                 "`share_deep` none."),
    sdk::flag("share_deep", true)
        .summary(
            "Whether searches also hold the meetings of `share_every` if there are fewer than 64 of them. They then "
            "meet only during `deep`, in which all continue from the best tree of all. With 64 or more it has no "
            "effect."),
    sdk::integer("rivals", 2).range(1, 64).summary("How many others a search compares itself with in a meeting."),
    sdk::real("hot", 0.16)
        .range(1e-6, 1000)
        .summary("Temperature at which an annealing of a random tree starts, relative to the cost divided by the "
                 "number of departments with flow."),
    sdk::real("warm", 0.09)
        .range(1e-6, 1000)
        .summary("Temperature at which an annealing of the best tree starts, in the same unit as hot. It is lowered "
                 "with more than 32 departments, as their number grows."),
    sdk::real("cold", 0.0036)
        .range(1e-9, 1000)
        .summary("Temperature at which annealings end, in the same unit as hot."),
    sdk::real("feasible", 0.4)
        .range(0, 1)
        .summary("Share of the states that keep all shape rules; the weight of the penalty is adjusted to reach it."),
    sdk::size("steps").or_auto().range(1, 1e9).summary(
        "Steps of each search in one generation. Changes the search only if searches meet, since they meet at the end "
        "of a generation. auto: some milliseconds of a core."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two reports to the framework, which checks limits and writes checkpoints; does "
                 "not change the search. auto: some tenths of a second of a core.")};

}  // namespace qapfw::slicing_local_search
