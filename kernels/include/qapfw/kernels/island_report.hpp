// SPDX-License-Identifier: Apache-2.0
// What kernels of islands tell the host, and what they are told of first individuals and migrations.
#pragma once

#include "qapfw/kernels/island_migration.hpp"

namespace qapfw::kernels {

/// Of the islands of one GPU. The leader's solution follows it in memory.
struct alignas(16) IslandReport {
    unsigned long long evaluations;  ///< so far, without the improver's
    unsigned long long digest;
    uint64_t improved;  ///< generation in which an island last improved since its last restart
    uint64_t found;     ///< by the leader, the island with the best solution: generation, then
    int64_t cost;       ///< the bits of its cost
    uint32_t leader;    ///< number among the islands of this GPU
    uint32_t spare;
};

/// Solutions that take places before random ones: number w goes to island w mod `islands`.
struct IslandWarmStarts {
    const uint8_t* solutions;
    uint64_t count;
    uint32_t islands;  ///< of the process
    uint32_t first;    ///< number of this GPU's first island among them
};

/// A migration between the islands of a process, as kernels get it. Emigrants are copies: `of_each` of each island of
/// the process, the best first.
template <class Cost>
struct IslandTravel {
    uint8_t* emigrants;
    Cost* costs;
    uint64_t generation, number;  ///< number: of this migration
    IslandTopology topology;
    uint32_t islands;  ///< of the process
    uint32_t first;    ///< number of this GPU's first island among them
    uint32_t of_each;
    uint32_t places;  ///< for immigrants on each island
};

}  // namespace qapfw::kernels
