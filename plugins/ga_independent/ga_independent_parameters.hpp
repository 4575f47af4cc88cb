// SPDX-License-Identifier: Apache-2.0
// Parameters of the GA with independent runs, with the symbols and values of the 2010 paper.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::ga_independent {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("blocks", 30)
        .range(1, 1'000'000)
        .symbol("p")
        .summary("Number of blocks, which are subpopulations that never exchange individuals. The run ends when a "
                 "block reaches the target. CPU threads or GPUs divide the blocks among themselves."),
    sdk::integer("size", 128)
        .range(1, 1'000'000)
        .unit("individuals")
        .symbol("N")
        .summary("Number of individuals (solutions) in a block, which is one subpopulation. A larger number keeps more "
                 "variety, but a generation takes longer."),
    sdk::ga_crossover(),
    sdk::ga_cut_points(),
    sdk::real("mutation_rate", 0.1)
        .range(0, 1)
        .symbol("p_m")
        .summary(
            "Probability of a mutation, for each child or for each position of a child; `mutation_per` says which."),
    sdk::ga_mutation(),
    sdk::choice("mutation_per", "string", "string|position")
        .summary("What mutates with the probability `mutation_rate`. string: a child as a whole, as the paper says. "
                 "position: each position of a child; a position that mutates swaps its element with another one."),
    sdk::bay_moves(),
    sdk::real("restart_share", 0.6)
        .range(0, 1)
        .symbol("B_rate")
        .summary("Fraction of a block's individuals that must have the block's best cost before the block restarts. A "
                 "block is a subpopulation. With a larger fraction it restarts later. 0: blocks never restart."),
    sdk::integer("restart_check", 50)
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two checks of whether a block (subpopulation) must restart."),
    sdk::choice("found_flag", "round", "round|asynchronous")
        .summary("What happens when a block (subpopulation) reaches the target. round: all blocks end in the same "
                 "generation. asynchronous: each of the other blocks stops as soon as it sees that the target is "
                 "reached. This saves some generations, but such a run cannot be repeated exactly."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary(
            "Generations between two checks of the limits; a checkpoint can be written only at a check. The number "
            "does not change the search. auto: chosen by the sizes of problem and population.")};

}  // namespace qapfw::ga_independent
