// SPDX-License-Identifier: Apache-2.0
// Arms: the settings that islands of the memetic algorithm may have. An arm is written as words key=value, such as
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
    bool align = false;                             ///< of layouts: the second parent is mirrored where that is nearer
    double crossover_rate = 1;                      ///< probability that a child has two parents, with a crossover
    double mutation = 0;                            ///< probability that a crossover's child is mutated
    std::uint32_t least_moves = 1, most_moves = 4;  ///< strength of a mutation, which cycles between the two
    Replacement replacement = Replacement::kParent;
    std::uint32_t broods = 1;      ///< see children
    std::uint32_t elites = 0;      ///< of an island that the arm works with; 0: all
    std::string improver;          ///< its id; empty: none, "given": the one of the configuration
    std::string settings;          ///< the improver's parameters
    std::uint64_t search = 0;      ///< evaluations of one search, as far as the settings tell; 0: unknown
    bool is_long = false;          ///< one long search is better than several short ones: annealing, iterated greedy
    std::uint64_t looks = 1;       ///< evaluations of one iteration of a search, about
    std::uint64_t iterations = 0;  ///< of a search, where a small budget wants short ones; 0: as the settings say
    const qapfw_improver_ref* ref = nullptr;
    std::uint32_t ahead = 0;            ///< how often first_arms names it; each time adds two islands at the start
    bool is_added = false;              ///< auto has it for that alone
    std::uint32_t improver_number = 0;  ///< arms with the same improver and settings have the same, from 0 on

    /// Children that an island makes at a time; `brood` is the value of the parameter. With brood 1 every arm makes
    /// one.
    std::uint32_t children(std::uint32_t brood) const { return brood == 1 ? 1 : brood * broods; }
};

inline constexpr std::size_t kMostArms = 16;

/// True if the problem has its own swap neighbourhood, and searches are fast.
bool has_neighbourhood(const sdk::ProblemRef& problem);

/// True if solutions are layouts of bays.
bool has_bays(const sdk::ProblemRef& problem);

/// True if a process of the run has GPUs. To be called by all processes.
bool on_gpus(const sdk::SolverContext& context);

/// Pairs of positions that may move, 1 at least.
std::uint64_t pairs_of(const sdk::ProblemRef& problem);

/// Reads an arm. `place`: where it stands, for messages. Throws Error(kUsage).
Arm read_arm(const std::string& text, const std::string& place);

/// The texts that `arms = "auto"` may stand for: with the configured improver, else with those that the host has.
/// `iterated`: with the arms for many islands.
std::vector<std::string> automatic_arms(const sdk::SolverContext& context, const sdk::HostImprovers& improvers,
                                        bool iterated);

/// The configured arms, their improvers made.
std::vector<Arm> read_arms(const sdk::SolverContext& context);

}  // namespace qapfw::memetic
