// SPDX-License-Identifier: Apache-2.0
// The parameters common to the tabu solver and the tabu improver.
#pragma once

#include <cstdint>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::tabu {

inline constexpr double kLargestTenure = 100'000'000;

/// This declaration has no default and no summary: the solver and the improver each add their own.
inline constexpr sdk::ParameterDeclaration kTenure =
    sdk::size("tenure").range(0, kLargestTenure).unit("iterations").symbol("T_list-size");
inline constexpr sdk::ParameterDeclaration kMinTenure =
    sdk::size("min_tenure", 0)
        .range(0, kLargestTenure)
        .unit("iterations")
        .summary(
            "Least number of iterations after which a facility may return to a location that it has left. A larger "
            "number keeps facilities away longer.");
inline constexpr sdk::ParameterDeclaration kLongTerm =
    sdk::size("long_term_aspiration", 0)
        .range(0, 1'000'000'000)
        .unit("iterations")
        .symbol("u")
        .summary(
            "A move is preferred, whatever it costs, if it takes a facility to a location where the facility has not "
            "been for about this many iterations (Taillard 1991). 0: never.");
inline constexpr sdk::ParameterDeclaration kPerturbFrom =
    sdk::choice("perturb_from", "best", "best|current")
        .summary(
            "Which solution is changed by random swaps when a search finds nothing better. best: the best solution of "
            "the search. current: its present solution.");
}  // namespace qapfw::tabu
