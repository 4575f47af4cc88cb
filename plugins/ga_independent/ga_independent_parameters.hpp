// SPDX-License-Identifier: Apache-2.0
// Parameters of the GA with independent runs, with the symbols and values of the 2010 paper.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::ga_independent {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("blocks", 30)
        .range(1, 1'000'000)
        .symbol("p")
        .summary("Subpopulations that run independently until the first reaches the target; CPU threads or GPUs share "
                 "them out."),
    sdk::integer("size", 128).range(1, 1'000'000).unit("individuals").symbol("N").summary("Individuals of one block."),
    sdk::ga_crossover(),
    sdk::ga_cut_points(),
    sdk::real("mutation_rate", 0.1)
        .range(0, 1)
        .symbol("p_m")
        .summary("Probability of a mutation, for each child or for each of its positions."),
    sdk::ga_mutation(),
    sdk::choice("mutation_per", "string", "string|position")
        .summary("What the mutation rate applies to. string: a child, as printed in the paper. position: each of its "
                 "positions, which is then exchanged with another one."),
    sdk::bay_moves(),
    sdk::real("restart_share", 0.6)
        .range(0, 1)
        .symbol("B_rate")
        .summary("A block restarts when this share of its individuals has the block's best cost; 0: never."),
    sdk::integer("restart_check", 50)
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two checks of whether a block must restart."),
    sdk::choice("found_flag", "round", "round|asynchronous")
        .summary(
            "What happens when a block reaches the target. round: all blocks end in the same generation. asynchronous: "
            "each block stops at once, which saves part of a round, but the run cannot be repeated exactly."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two reports to the framework, which checks limits and writes checkpoints; does "
                 "not change the search.")};

}  // namespace qapfw::ga_independent
