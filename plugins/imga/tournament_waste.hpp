// SPDX-License-Identifier: Apache-2.0
// The part of an island's tournaments that repeats: the figure that the comparison of seeding methods is about
// (Symmetry 2019, section 3.1). With method 1, T threads and M rounds, T - 1 draws of every round but the first were
// another thread's already: repeated draws (T - 1)(M - 1); comparisons within the threads' sets of numbers: T M (M - 1)
// / 2, of them M (M - 1) / 2 + (T - 1)(M - 1) distinct and (M - 2)(M - 1)(T - 1) / 2 repeated. (The paper has M and T
// the wrong way round.)
#pragma once

#include <cstdint>

#include "qapfw/kernels/tournament.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct TournamentWaste {
    std::uint64_t draws;                 ///< random numbers taken
    std::uint64_t repeated_draws;        ///< draws that any thread had taken before
    std::uint64_t comparisons;           ///< pairs of numbers within a thread's set
    std::uint64_t repeated_comparisons;  ///< pairs that an earlier thread had compared
};

/// Counted from the draws themselves, of one island in one generation.
TournamentWaste count_tournament_waste(const kernels::TournamentRules& rules, std::uint64_t generation,
                                       std::uint32_t island);

/// Among the run's statistics: the waste of one island in generation 1, where counting it does not take too long.
void tell_tournament_waste(sdk::Run& run, const kernels::TournamentRules& rules);

}  // namespace qapfw::imga
