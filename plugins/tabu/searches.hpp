// SPDX-License-Identifier: Apache-2.0
// The searches of a run for the population engine: each is a group of one individual.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/tabu/device/layout_moves.hpp"
#include "plugins/tabu/device/tabu_state.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/insertion_neighbourhood.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/population_solver.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::tabu {

/// The solver's fields. On GPUs the kernel works on the fields. On the host each search has its own memory
/// (host_searches.hpp), and the fields are filled when the state is saved or shown.
struct Searches {
    std::uint16_t* current;  ///< present solution of each search, with all its elements
    std::uint16_t* best;     ///< best of each search since it started or restarted
    TabuState* standing;
    std::uint16_t* elites;       ///< best solution of each search of the run; Tabu::cross() crosses these solutions
    TabuState* elite_standings;  ///< state of each search of the run, in the order of `elites`
    /// Expiries of each search, in the order of TabuMemory, or of ValueMemory if the searches go over lists of moves.
    std::int32_t* expiry;
};

/// True if solutions have bay bits, which the searches change too.
inline bool has_bits(const sdk::ProblemRef& problem) {
    return problem.encoding().segment_count == 2 && problem.encoding().segments[1].kind == QAPFW_SEGMENT_BAYS;
}
/// Number of a solution's elements: its positions, or the elements of all its segments.
inline std::uint32_t elements_of(const sdk::ProblemRef& problem) {
    return sdk::has_segments(problem) ? static_cast<std::uint32_t>(sdk::element_count(problem.encoding()))
                                      : problem.length();
}
/// Number of moves that an iteration of a search checks.
inline std::uint64_t moves_of(const sdk::ProblemRef& problem, bool inserts) {
    if (inserts) return sdk::insertion_count(problem);
    if (sdk::has_segments(problem)) return sdk::MoveList(problem).count();
    return sdk::free_pairs(problem) + (has_bits(problem) ? bay_moves(problem.length()) : 0);
}
/// True if a perturbation can change a solution.
inline bool can_be_perturbed(const sdk::ProblemRef& problem) {
    return sdk::free_pairs(problem) > 0 || (has_bits(problem) && problem.length() > 2);
}

/// Solutions from which the searches of a place continue after a meeting.
struct Children {
    std::vector<std::uint16_t> solutions;  ///< whole solutions, one per search
    std::vector<std::uint8_t> afresh;      ///< 1: the search restarts and forgets its best
};

/// Cost of the best solution that a search has found.
inline qapfw_cost best_cost_of(const TabuState& standing) {
    return {.i = standing.best_cost};
}

/// Index of the leading search among the searches that found their best solution before iteration `until`. The leader
/// has the least cost; ties go to the earlier iteration, then to the lower index. Without a leader:
/// `standings.size()`.
inline std::size_t leader_of(const std::vector<TabuState>& standings, std::uint64_t until, const sdk::CostLess& less) {
    std::size_t best = standings.size();
    for (std::size_t k = 0; k < standings.size(); ++k) {
        if (standings[k].best_iteration >= until) continue;
        if (best == standings.size()) {
            best = k;
            continue;
        }
        const qapfw_cost one = best_cost_of(standings[k]), other = best_cost_of(standings[best]);
        const bool tie = !less(one, other) && !less(other, one);
        if (tie ? standings[k].best_iteration < standings[best].best_iteration : less(one, other)) best = k;
    }
    return best;
}

}  // namespace qapfw::tabu
