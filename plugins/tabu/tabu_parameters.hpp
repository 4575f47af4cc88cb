// SPDX-License-Identifier: Apache-2.0
// The parameters common to the tabu solver and the tabu improver.
#pragma once

#include <cstdint>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::tabu {

inline constexpr double kLargestTenure = 100'000'000;

/// A declaration without default and summary; solver and improver add theirs.
inline constexpr sdk::ParameterDeclaration kTenure =
    sdk::size("tenure").range(0, kLargestTenure).unit("iterations").symbol("T_list-size");
inline constexpr sdk::ParameterDeclaration kMinTenure =
    sdk::size("min_tenure", 0)
        .range(0, kLargestTenure)
        .unit("iterations")
        .summary("Least number of iterations for which a facility may not return to the location it left.");
inline constexpr sdk::ParameterDeclaration kLongTerm =
    sdk::size("long_term_aspiration", 0)
        .range(0, 1'000'000'000)
        .unit("iterations")
        .symbol("u")
        .summary("Iterations without an exchange after which a pair is forced (Taillard 1991); 0: never.");
inline constexpr sdk::ParameterDeclaration kPerturbFrom =
    sdk::choice("perturb_from", "best", "best|current")
        .summary("What a perturbation starts from: the search's best solution, or its present solution.");
}  // namespace qapfw::tabu
