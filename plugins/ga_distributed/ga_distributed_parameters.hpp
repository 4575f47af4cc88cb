// SPDX-License-Identifier: Apache-2.0
// Parameters of the distributed GA, with the symbols and values of the 2009 paper.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::ga_distributed {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("subpopulations", 30)
        .range(1, 1'000'000)
        .symbol("30k, k")
        .summary("Subpopulations, each a base GA of its own between two exchanges; CPU threads or GPUs divide them "
                 "among themselves."),
    sdk::integer("size", 128)
        .range(1, 1'000'000)
        .unit("individuals")
        .symbol("N")
        .summary("Individuals of one subpopulation."),
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
    sdk::integer("exchange_every", 500)
        .range(0, 1e9)
        .unit("generations")
        .symbol("G_interval")
        .summary("Generations between two exchanges among the subpopulations; 0: never."),
    sdk::real("exchange_share", 1)
        .range(0, 1)
        .summary("Share of all individuals that an exchange moves: 1 shuffles all of them, a smaller share moves a "
                 "random choice."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two checks of the target, which is also checked at every exchange; does not "
                 "change the search.")};

}  // namespace qapfw::ga_distributed
