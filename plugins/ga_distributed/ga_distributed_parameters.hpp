// SPDX-License-Identifier: Apache-2.0
// Parameters of the distributed GA, with the symbols and values of the 2009 paper.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::ga_distributed {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("subpopulations", 30)
        .range(1, 1'000'000)
        .symbol("30k, k")
        .summary("Number of subpopulations. Each evolves alone between two exchanges. CPU threads or GPUs divide the "
                 "subpopulations among themselves."),
    sdk::integer("size", 128)
        .range(1, 1'000'000)
        .unit("individuals")
        .symbol("N")
        .summary("Number of individuals (solutions) in a subpopulation. A larger number keeps more variety, but a "
                 "generation takes longer."),
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
    sdk::integer("exchange_every", 500)
        .range(0, 1e9)
        .unit("generations")
        .symbol("G_interval")
        .summary("Generations between two exchanges of individuals among the subpopulations. 0: never."),
    sdk::real("exchange_share", 1)
        .range(0, 1)
        .summary(
            "Fraction of all individuals that are shuffled in an exchange. Each of them takes the place of another, "
            "mostly in another subpopulation. Below 1, the individuals to shuffle are drawn at random."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two checks of the limits. The limits are also checked at every exchange among "
                 "subpopulations. The number does not change the search. auto: chosen by the sizes of problem and "
                 "population.")};

}  // namespace qapfw::ga_distributed
