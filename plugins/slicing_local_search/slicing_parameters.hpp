// SPDX-License-Identifier: Apache-2.0
// The parameters of the solver "slicing_local_search".
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::slicing_local_search {

inline constexpr std::uint64_t kLargestMostSteps = 1'000'000'000'000;  ///< largest value of the parameter `most_steps`

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("searches")
        .or_auto()
        .range(1, 1'000'000)
        .summary("Number of searches that run side by side, each with its own tree of cuts. auto: on GPUs, as many "
                 "as fill the GPUs; on the CPU 4, or 2 from 40 departments on. (Fixed points count too; departments "
                 "without flow do not.)"),
    sdk::size("first_steps")
        .or_auto()
        .range(128, 1e12)
        .unit("steps")
        .summary("Number of steps of a search's first annealing; each step tries one change of the layout. The number "
                 "doubles each time a search has annealed `starts` random trees. auto: chosen by the number of "
                 "departments."),
    sdk::size("most_steps")
        .or_auto()
        .range(128, static_cast<double>(kLargestMostSteps))
        .unit("steps")
        .summary("Greatest number of steps of an annealing; each step tries one change of the layout. auto: 64 times "
                 "first_steps."),
    sdk::integer("reheats").or_auto().range(0, 1e6).summary(
        "A search anneals a random tree, then anneals again this many times, before it restarts from another random "
        "tree. The further annealings start from the best tree, are half as long and start at a lower temperature. "
        "auto: 1000 with 64 or more searches; else 24 with more than 100 departments; else 5."),
    sdk::integer("starts").or_auto().range(1, 1e6).summary(
        "Number of random trees from which a search starts before the `deep` annealings. After the deep annealings the "
        "search starts from random trees again, with twice as many steps. auto: 1 with more than 100 departments; "
        "else 6 with 64 or more searches; else 4 with 40 to 74 departments (fixed points count too; departments "
        "without flow do not); else 3."),
    sdk::integer("deep", 200)
        .range(0, 1e6)
        .summary("Greatest number of annealings of the best tree, after a search has started from `starts` random "
                 "trees. More annealings take longer and may find a better layout. 0: none."),
    sdk::integer("patience", 16)
        .range(0, 1e6)
        .summary("The `deep` annealings end early after this many annealings in a row without a better tree. 0: they "
                 "never end early."),
    sdk::integer("longer", 0)
        .range(0, 60)
        .summary("Greatest number of times that the length of the `deep` annealings doubles. Whenever `patience` "
                 "annealings in a row find no better tree, the length doubles. If the length has doubled this many "
                 "times already, the annealings end early instead."),
    sdk::integer("levels", 2)
        .range(1, 16)
        .summary("Number of temperatures at which annealings of the best tree start in turn: `warm`, half of `warm`, a "
                 "quarter of `warm` and so on."),
    sdk::size("share_every")
        .or_auto()
        .range(0, 1e12)
        .unit("steps")
        .summary("Number of steps between two meetings of the searches. In a meeting a search takes over the best tree "
                 "of another search if that is better than its own. 0: no meetings. auto: half of first_steps; 0 with "
                 "fewer than 64 searches if `share_deep` is false."),
    sdk::flag("share_deep", true)
        .summary(
            "Whether the searches meet only during the `deep` annealings. In a meeting a search takes over a better "
            "tree of another search. false: the searches meet all the time if `share_every` is a number above 0, else "
            "never. With 64 or more searches this setting has no effect: the searches meet all the time unless "
            "`share_every` is 0."),
    sdk::integer("rivals", 2)
        .range(1, 64)
        .summary("Number of other searches whose best tree a search looks at in a meeting. The search takes over the "
                 "best of these trees if that tree is better than its own."),
    sdk::real("hot", 0.16)
        .range(1e-6, 1000)
        .summary(
            "Temperature at which an annealing of a random tree starts. A higher temperature accepts worse layouts "
            "more often. The unit is the layout's cost divided by the number of fixed points and of departments "
            "with flow."),
    sdk::real("warm", 0.09)
        .range(1e-6, 1000)
        .summary("Temperature at which an annealing of the best tree starts. A higher temperature accepts worse "
                 "layouts more often. The unit is the layout's cost divided by the number of fixed points and of "
                 "departments with flow. If this number is above 32, the temperature is multiplied by 32 and divided "
                 "by this number, but stays at least `cold`."),
    sdk::real("cold", 0.0036)
        .range(1e-9, 1000)
        .summary("Temperature at which annealings end. A lower temperature accepts fewer worse layouts. The unit is "
                 "the layout's cost divided by the number of fixed points and of departments with flow."),
    sdk::real("feasible", 0.4)
        .range(0, 1)
        .summary("Fraction of the visited layouts that should keep all shape rules. While fewer layouts keep "
                 "them, the penalty for broken rules rises."),
    sdk::size("steps").or_auto().range(1, 1e9).summary(
        "Number of steps that each search makes in a generation; each step tries one change of the layout. Searches "
        "meet only at the end of a generation. If they never meet, the number does not change the search. auto: as "
        "many as a core makes in some milliseconds."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two checks of the limits; a checkpoint can be written only at a check. The "
                 "number does not change the search. auto: as many as one core makes in some tenths of a second.")};

}  // namespace qapfw::slicing_local_search
