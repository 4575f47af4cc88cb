// SPDX-License-Identifier: Apache-2.0
// Parameters of PGAGrid with the values of the 2018 thesis, sections 3.1 to 3.6.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::pga_grid {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("rows", 8).range(1, 4096).unit("cells").summary("Rows of a grid; each cell holds one individual."),
    sdk::integer("columns", 8).range(1, 4096).unit("cells").summary("Columns of a grid."),
    sdk::choice("topology", "8n", "4n|8n|16n|20n|random|offsets")
        .summary("Where the mate comes from: the best of 4, 8, 16 or 20 neighbours or of those at `offsets`, or any "
                 "other cell of the grid at random."),
    sdk::list("offsets").optional().unit("cells").summary(
        "With topology = \"offsets\": the neighbours, each as \"rows columns\" from the cell."),
    sdk::crossover_parameter(kernels::Crossover::kMox),
    sdk::real("crossover_rate", 0.6)
        .range(0, 1)
        .symbol("p_c")
        .summary("Probability per individual of the crossover with its mate."),
    sdk::real("mutation_rate", 0.01).range(0, 1).symbol("p_m").summary("Probability per individual of the mutation."),
    sdk::ga_mutation(),
    sdk::choice("mutation_positions", "distinct", "distinct|any")
        .summary("Positions of mutation = \"exchange\". distinct: two different ones. any: any two, as printed; equal "
                 "ones change nothing."),
    sdk::bay_moves(),
    sdk::real("transposition_rate", 0.4)
        .range(0, 1)
        .symbol("p_t")
        .summary("Probability per individual of the reversal of the elements between two points."),
    sdk::integer("grids", 1).range(1, 65536).summary("Grids with individuals of their own (islands)."),
    sdk::integer("exchange_every", 10)
        .range(0, 1e9)
        .unit("iterations")
        .summary("Iterations after which every grid hands its best individual to the next one on a ring; 0: never."),
    sdk::integer("round", 1)
        .range(1, 1e9)
        .unit("iterations")
        .summary("Iterations between two reports to the framework, which checks limits and writes checkpoints; does "
                 "not change the search.")};

}  // namespace qapfw::pga_grid
