// SPDX-License-Identifier: Apache-2.0
// Parameters of the cunning ant system, with the symbols and values of Table 4 of the 2011 paper.
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::cas {

inline constexpr sdk::ParameterTable kParameters{
    sdk::size("ants", "n")
        .range(1, 1'000'000)
        .unit("solutions")
        .symbol("m")
        .summary("Number of ants in a colony. Each ant makes a new solution in every iteration and keeps its best one. "
                 "More ants search more widely, but an iteration takes longer."),
    sdk::real("rho", 0.5)
        .range(0, 0.999)
        .symbol("rho")
        .summary("Fraction of the pheromone trail that remains after an iteration. A larger fraction remembers older "
                 "solutions longer. The value is rounded to a multiple of 2^-16."),
    sdk::real("gamma", 0.4)
        .range(0.01, 0.99)
        .symbol("gamma")
        .summary("Mean fraction of the positions that an ant fills by chance, guided by the pheromone trail. The ant "
                 "copies the other positions from its best solution. A larger fraction changes solutions more."),
    sdk::real("p_best", 0.005)
        .range(1e-9, 0.999)
        .symbol("p_best")
        .summary("Probability with which a converged MAX-MIN ant system would build its best solution. The least value "
                 "of the pheromone trail follows from this probability. A smaller probability gives a larger least "
                 "value, so ants explore more."),
    sdk::real("bay_moves", 0.5)
        .range(0, 1)
        .summary("For layouts in bays (strips of departments): probability that an ant changes the bays of its best "
                 "solution. Such an ant splits a bay, joins two bays, or moves the border between two bays."),
    sdk::integer("colonies", 1)
        .range(1, 4096)
        .summary("Number of colonies. Each colony has its own ants and its own pheromone trail. Several GPUs divide "
                 "the colonies among themselves."),
    sdk::integer("exchange_every", 10)
        .range(0, 1e9)
        .unit("iterations")
        .summary("Iterations between two exchanges. In an exchange every colony hands its best solution to the next "
                 "colony on a ring. 0: never."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e12)
        .unit("iterations")
        .summary("Iterations between two checks of the limits; a checkpoint can be written only at a check. The number "
                 "does not change the search. auto: chosen by the number of ants and the size of the problem.")};

}  // namespace qapfw::cas
