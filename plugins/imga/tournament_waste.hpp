// SPDX-License-Identifier: Apache-2.0
// The draws and comparisons that an island's tournaments repeat. The paper (Symmetry 2019, section 3.1) compares
// seeding methods by the number of these repetitions. With method 1 (clock_once), T threads and M rounds,
// (T - 1)(M - 1) draws are repeated: T - 1 in every round but the first. Each thread compares all pairs of its own M
// numbers. Of these T M (M - 1) / 2 comparisons, M (M - 1) / 2 + (T - 1)(M - 1) are distinct, and
// (M - 2)(M - 1)(T - 1) / 2 are repeated. (The paper swaps M and T.)
#pragma once

#include <cstdint>

#include "qapfw/kernels/tournament.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct TournamentWaste {
    std::uint64_t draws;                 ///< number of random numbers drawn
    std::uint64_t repeated_draws;        ///< number of draws whose result an earlier draw had already given
    std::uint64_t comparisons;           ///< number of pairs compared: each thread compares all pairs of its own draws
    std::uint64_t repeated_comparisons;  ///< number of pairs that an earlier thread had compared
};

/// Counts the draws and comparisons of one island's tournaments in one generation, and the repeated ones among them.
TournamentWaste count_tournament_waste(const kernels::TournamentRules& rules, std::uint64_t generation,
                                       std::uint32_t island);

/// Reports as statistics what count_tournament_waste counts for island 0 in generation 1. Reports nothing if counting
/// would take too long.
void tell_tournament_waste(sdk::Run& run, const kernels::TournamentRules& rules);

}  // namespace qapfw::imga
