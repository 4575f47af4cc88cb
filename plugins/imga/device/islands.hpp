// SPDX-License-Identifier: Apache-2.0
// The fields of the island model GA, for steps on the host and for kernels, and index computations common to both.
#pragma once

#include "plugins/imga/device/island_migration.hpp"
#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::imga {

constexpr uint32_t kThreads = 128;  ///< threads of a CUDA block that draws, makes or chooses individuals
/// Number of threads of the report's CUDA block. They go through all islands side by side; one thread would be slow.
constexpr uint32_t kReportThreads = 512;

/// Indices in PopulationReport::told: the last generation in which any island of the place improved, and the number of
/// restarts.
constexpr uint32_t kToldImproved = 0, kToldRestarts = 1;

/// The rules of migration between the islands of the run.
struct Migration {
    kernels::IslandTopology topology;
    uint32_t islands;    ///< number of islands of the run
    uint32_t migrants;   ///< number of solutions that an island takes in at each migration
    uint32_t emigrants;  ///< number of solutions that an island shows to the others at each migration
    uint64_t every;      ///< generations from one migration to the next; 0: never
};

/// Copies of the best individuals of every island of the run; the best individual of an island comes first.
template <class Cost>
struct Emigrants {
    uint8_t* solutions;
    Cost* costs;
};

/// Contiguous copies of the children that the improver shall improve. `numbers`: the number of each child in the run.
/// `count`: how many children there are.
template <class Cost>
struct Chosen {
    uint8_t* solutions;
    Cost* costs;
    uint32_t *numbers, *count;
};

/// Rules of the run, and arrays of a place: by individual, by child (one per individual) and by island. Solutions are
/// `bytes` apart.
template <class Cost>
struct Islands {
    kernels::IslandRules rules;
    kernels::SegmentList segments;  ///< segments of solutions; their count is 0 for permutations and layouts
    Migration migration;
    uint8_t* parents;
    Cost* costs;
    uint8_t* children;
    Cost* child_costs;
    uint8_t* changed;         ///< for each child, 1 if the child equals no parent, so its cost must be computed
    uint8_t* mirrors;         ///< scratch: a solution per child
    uint16_t* positions;      ///< scratch: n positions for each child
    uint32_t* sorted;         ///< scratch: two numbers for each individual, for sorting
    uint8_t* lives;           ///< scratch: for each parent and each child, 1 if it survives
    uint8_t* best_solutions;  ///< best solution of each island since the run began
    Cost* best_costs;
    uint64_t* best_found;  ///< generation in which an island's best solution was found
    Cost* present_best;    ///< least cost since the last restart
    uint64_t* improved;    ///< generation in which present_best was last lowered
    uint64_t* restarts;    ///< number of restarts
    Emigrants<Cost> emigrants;
    Chosen<Cost> chosen;
    unsigned long long* evaluations;  ///< number of evaluations that kernels made
    const uint16_t* order;            ///< free positions, then the fixed ones
    uint64_t bytes;
    uint32_t bits_offset;  ///< bytes from a solution's start to its bay bits; 0: there are none
    uint32_t islands;
    uint32_t first_island;  ///< number that this place's first island has in the whole run
    uint32_t elites;        ///< number of best parents that replace the worst children
    uint32_t distinct;      ///< 1: the best parents and children survive, if possible with different costs
    uint32_t improve;       ///< the improver works on a child if a random word is below this

    /// @{
    /// The population after replacement.
    QAPFW_HD const uint8_t* next_solutions() const { return distinct != 0 ? parents : children; }
    QAPFW_HD const Cost* next_costs() const { return distinct != 0 ? costs : child_costs; }
    /// @}
    QAPFW_HD uint32_t size() const { return rules.tournament.size; }
    /// The number that individual k of this place has in the whole run.
    QAPFW_HD uint32_t individual(uint64_t k) const { return first_island * size() + static_cast<uint32_t>(k); }
    /// Number of the warm start for individual k of the place, if there is one. Warm starts are dealt to the islands in
    /// turn.
    QAPFW_HD uint64_t warm_start(uint64_t k) const {
        return k % size() * migration.islands + first_island + k / size();
    }
    QAPFW_HD kernels::IslandSources sources(uint32_t island, uint64_t generation) const {
        return kernels::island_sources(migration.topology, migration.islands, first_island + island,
                                       rules.tournament.seed, generation);
    }
    /// Index of an island's immigrant number m in the array of all emigrants. `sources`: the islands that send
    /// immigrants to this island.
    QAPFW_HD uint64_t immigrant(const kernels::IslandSources& sources, uint64_t generation, uint32_t m) const {
        const kernels::IslandImmigrant one =
            kernels::island_immigrant(sources, migration.migrants, generation / migration.every, m);
        return uint64_t{one.source} * migration.emigrants + one.rank;
    }
};

}  // namespace qapfw::imga
