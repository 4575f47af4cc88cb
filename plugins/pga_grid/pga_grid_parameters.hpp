// SPDX-License-Identifier: Apache-2.0
// Parameters of PGAGrid with the values of the 2018 thesis, sections 3.1 to 3.6.
#pragma once

#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::pga_grid {

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("rows", 8).range(1, 4096).unit("cells").summary(
        "Number of rows of a grid. Each cell of the grid holds one individual (solution)."),
    sdk::integer("columns", 8)
        .range(1, 4096)
        .unit("cells")
        .summary("Number of columns of a grid. Each cell of the grid holds one individual (solution)."),
    sdk::choice("topology", "8n", "4n|8n|16n|20n|random|offsets")
        .summary(
            "Cells from which an individual takes its mate. 4n, 8n, 16n, 20n: the best of 4, 8, 16 or 20 neighbours. "
            "offsets: the best of the neighbours that `offsets` lists. random: any other cell of the grid."),
    sdk::list("offsets").optional().unit("cells").summary(
        "Neighbours of a cell, with topology = \"offsets\". Each is a text \"rows columns\" such as \"-1 0\": how many "
        "rows and columns the neighbour lies from the cell."),
    sdk::crossover_parameter(kernels::Crossover::kMox),
    sdk::real("crossover_rate", 0.6)
        .range(0, 1)
        .symbol("p_c")
        .summary("Probability that an individual is crossed with its mate in an iteration."),
    sdk::real("mutation_rate", 0.01)
        .range(0, 1)
        .symbol("p_m")
        .summary("Probability that an individual mutates in an iteration."),
    sdk::ga_mutation(),
    sdk::choice("mutation_positions", "distinct", "distinct|any")
        .summary("Which two positions swap their elements, with mutation = \"exchange\". distinct: two different ones. "
                 "any: any two, as printed in the thesis; if they are equal, nothing changes."),
    sdk::bay_moves(),
    sdk::real("transposition_rate", 0.4)
        .range(0, 1)
        .symbol("p_t")
        .summary(
            "Probability that the elements between two random points of an individual are reversed in an iteration."),
    sdk::integer("grids", 1).range(1, 65536).summary("Number of grids (islands). Each has its own individuals."),
    sdk::integer("exchange_every", 10)
        .range(0, 1e9)
        .unit("iterations")
        .summary("Iterations between two exchanges. In an exchange every grid hands its best individual to the next "
                 "grid on a ring. 0: never."),
    sdk::integer("round", 1)
        .range(1, 1e9)
        .unit("iterations")
        .summary("Iterations between two checks of the limits; a checkpoint can be written only at a check. The number "
                 "does not change the search.")};

}  // namespace qapfw::pga_grid
