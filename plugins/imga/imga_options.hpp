// SPDX-License-Identifier: Apache-2.0
// What the configuration says, checked against the problem.
#pragma once

#include <vector>

#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/kernels/island_migration.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct ImgaOptions {
    kernels::IslandRules rules{};   ///< its pointers are set by those who have the memory
    bool has_bits = false;          ///< the encoding has bay bits
    std::uint32_t bits_offset = 0;  ///< of them from a solution's start; 0: none
    std::uint32_t islands = 1;
    kernels::IslandTopology topology = kernels::IslandTopology::kRing;
    std::uint64_t migrate_every = 0;  ///< generations; 0: never
    std::uint32_t migrants = 0;
    bool distinct = false;  ///< replacement: the best of parents and children with different costs
    std::uint32_t elites = 0;
    std::uint64_t restart_after = 0;  ///< generations; 0: never
    std::uint32_t improve = 0;        ///< threshold of a 32-bit word
    std::uint64_t improve_every = 1;
    std::uint32_t first_island = 0;  ///< number of this process' first island among all processes

    std::uint32_t size() const { return rules.tournament.size; }
    std::uint32_t individuals() const { return islands * size(); }
    std::uint32_t first_individual() const { return first_island * size(); }
};

/// Throws Error for values that do not go together or do not suit the problem.
ImgaOptions read_options(const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

}  // namespace qapfw::imga
