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
        .summary("Steps of a search's first annealing; it doubles after each `starts` beginnings. auto: by the "
                 "number of departments."),
    sdk::size("most_steps")
        .or_auto()
        .range(128, 1e12)
        .unit("steps")
        .summary("Steps of an annealing at most; auto: 64 first_steps."),
    sdk::integer("reheats").or_auto().range(0, 1e6).summary(
        "Annealings from the best tree, half as long and less hot, before a search begins afresh; auto: 5, "
        "with more than 100 departments 24, with many searches 1000."),
    sdk::integer("starts").or_auto().range(1, 1e6).summary(
        "Beginnings with the same number of steps, before `deep` annealings and a larger number of steps follow. "
        "auto: 3; 4 with 40 to 74 departments with flow; 6 with many searches; 1 with more than 100 departments."),
    sdk::integer("deep", 200)
        .range(0, 1e6)
        .summary("Annealings of the best tree of `starts` beginnings, after these; 0: none."),
    sdk::integer("patience", 16)
        .range(0, 1e6)
        .summary("Annealings of `deep` without a better tree after which it ends early; 0: it does not."),
    sdk::integer("longer", 0)
        .range(0, 60)
        .summary("Times that `deep`, instead of ending early, goes on with annealings twice as long."),
    sdk::integer("levels", 2)
        .range(1, 16)
        .summary(
            "Temperatures at which annealings of the best tree begin in turn: `warm`, its half, and so on by halves."),
    sdk::size("share_every")
        .or_auto()
        .range(0, 1e12)
        .unit("steps")
        .summary("Steps between two meetings, in which each search takes over the best tree of another one where it is "
                 "better; 0: none. auto: half of first_steps, none with few searches and not `share_deep`."),
    sdk::flag("share_deep", true)
        .summary("Fewer than 64 searches meet during `deep` alone, where all go on from the best of theirs."),
    sdk::integer("rivals", 2).range(1, 64).summary("Other searches that a search looks at in a meeting."),
    sdk::real("hot", 0.16)
        .range(1e-6, 1000)
        .summary(
            "Temperature at which an annealing of a random tree begins, relative to the cost divided by the number "
            "of departments with flow."),
    sdk::real("warm", 0.09)
        .range(1e-6, 1000)
        .summary("Temperature at which an annealing of the best tree begins, in the same measure; with more than 32 "
                 "departments less, as their number grows."),
    sdk::real("cold", 0.0036).range(1e-9, 1000).summary("Temperature at which annealings end, in the same measure."),
    sdk::real("feasible", 0.4)
        .range(0, 1)
        .summary("Share of the states that keep all shape rules; the weight of the penalty is adjusted to reach it."),
    sdk::size("steps").or_auto().range(1, 1e9).summary(
        "Steps of a generation of each search; changes the search only where searches meet, since a meeting is at a "
        "generation's end. auto: some milliseconds of a core."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary(
            "Generations between two meetings with the framework; does not change the search. auto: some tenths of "
            "a second of a core.")};

}  // namespace qapfw::slicing_local_search
