// SPDX-License-Identifier: Apache-2.0
// Arms: settings for islands of the memetic algorithm. An island works with one arm at a time. An arm is written as
// words key=value, such as
//   name=ux-n/2 crossover=uniform replacement=parent improver=tabu iterations=n/2 tenure=n/4
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/memetic/device/islands.hpp"
#include "qapfw/sdk/solver.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::memetic {

struct Arm {
    std::string name;
    std::optional<kernels::Crossover> crossover = kernels::Crossover::kUniform;  ///< nothing: a child has one parent
    bool align = false;         ///< for layouts: the second parent is mirrored if that brings it nearer to the first
    double crossover_rate = 1;  ///< probability that a child has two parents, if there is a crossover
    double mutation = 0;        ///< probability that a crossover's child is mutated
    /// Range of the number of moves of a mutation. The number begins at `least_moves` and grows by 1 after each child
    /// that brings no gain. After a gain, or after `most_moves`, the number returns to `least_moves`.
    std::uint32_t least_moves = 1, most_moves = 4;
    Replacement replacement = Replacement::kParent;
    std::uint32_t broods = 1;  ///< factor for the number of children; see children()
    /// Largest number of elites of an island; 0: `size`. For large broods, most_elites() may return a larger number.
    std::uint32_t elites = 0;
    std::string improver;          ///< id of the arm's improver; empty: none; "given": the configured one
    std::string settings;          ///< the improver's parameters
    std::uint64_t search = 0;      ///< evaluations of one search, from the settings; 0: unknown
    bool is_long = false;          ///< annealing or iterated greedy: one long search is better than several short ones
    std::uint64_t looks = 1;       ///< a search makes about this many evaluations per iteration
    std::uint64_t iterations = 0;  ///< iterations of a search for a small budget; 0: as in the settings
    const qapfw_improver_ref* ref = nullptr;
    /// True if the arm's searches get longer with the island's pace: with a pace of 4 a search has four times the
    /// iterations.
    bool lengthens = false;
    std::uint32_t ahead = 0;  ///< how often first_arms names this arm; each time adds two entries to dealt_arms()
    bool is_added = false;    ///< auto includes the arm only because first_arms names it
    /// Index of the arm's improver with its settings. Arms that have the same improver with the same settings share the
    /// index. An arm that lengthens its searches has an index of its own.
    std::uint32_t improver_number = 0;

    /// Number of children that an island makes at a time. `brood`: the solver's parameter of this name. If it is 1,
    /// islands of every arm make one child.
    std::uint32_t children(std::uint32_t brood) const { return brood == 1 ? 1 : brood * broods; }

    /// Number of iterations of a search of an island with this pace (IslandsOf::pace). 0: as in the settings.
    std::uint64_t iterations_at(std::uint32_t pace) const {
        if (!lengthens || pace == 1) return iterations;
        return pace * (iterations > 0 ? iterations : search / looks);
    }
};

inline constexpr std::size_t kMostArms = 16;

/// True if the problem has its own swap neighbourhood, so that searches are fast.
bool has_neighbourhood(const sdk::ProblemRef& problem);

/// True if solutions are layouts of bays.
bool has_bays(const sdk::ProblemRef& problem);

/// True if a process of the run has GPUs. All processes must call this function together.
bool on_gpus(const sdk::SolverContext& context);

/// The size of a solution's neighbourhood, at least 1. For permutations: the number of pairs of free positions. For
/// solutions with segments: the number of moves in their MoveList.
std::uint64_t pairs_of(const sdk::ProblemRef& problem);

/// The arms' texts for `arms = "auto"`. The arms use the configured improver or, without one, the host's improvers.
/// `iterated`: true adds the arms that suit only runs with many islands.
std::vector<std::string> automatic_arms(const sdk::SolverContext& context, const sdk::HostImprovers& improvers,
                                        bool iterated);

/// Returns the arm with this name. If there is none, throws Error(kUsage). The message names `parameter`, which gave
/// the name.
Arm& arm_named(const std::string& name, const char* parameter, std::vector<Arm>& arms);

/// True if `arms` is auto and chose more than four arms. Arms with is_added do not count, so mark_first() must be
/// called before.
bool has_many_arms(const sdk::SolverContext& context, const std::vector<Arm>& arms);

/// The arms of the run with their improvers. The arms come from the configuration, or from automatic_arms() for "auto".
/// All processes must call this function. Throws Error(kUsage).
std::vector<Arm> read_arms(const sdk::SolverContext& context);

}  // namespace qapfw::memetic
