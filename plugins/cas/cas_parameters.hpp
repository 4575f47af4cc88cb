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
        .summary("Ants of one colony; each keeps the best solution that it has found."),
    sdk::real("rho", 0.5)
        .range(0, 0.999)
        .symbol("rho")
        .summary("Share of the trail that remains after an iteration, rounded to a multiple of 2^-16."),
    sdk::real("gamma", 0.4)
        .range(0.01, 0.99)
        .symbol("gamma")
        .summary("Mean share of the positions that an ant samples from the trail; the others it copies from its best "
                 "solution, its donor."),
    sdk::real("p_best", 0.005)
        .range(1e-9, 0.999)
        .symbol("p_best")
        .summary("Sets the smallest trail: with this probability a converged MAX-MIN ant system would build its best "
                 "solution."),
    sdk::real("bay_moves", 0.5)
        .range(0, 1)
        .summary("If solutions have bay bits: the share of ants whose bays are changed. An ant takes its donor's bays; "
                 "then a bay is split, two are joined, or a border between two moves."),
    sdk::integer("colonies", 1)
        .range(1, 4096)
        .summary("Colonies with ants and trails of their own; several GPUs divide them among themselves."),
    sdk::integer("exchange_every", 10)
        .range(0, 1e9)
        .unit("iterations")
        .summary("Iterations after which every colony hands its best solution to the next one on a ring; 0: never."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e12)
        .unit("iterations")
        .summary("Iterations between two reports to the framework, which checks limits and writes checkpoints; does "
                 "not change the search.")};

}  // namespace qapfw::cas
