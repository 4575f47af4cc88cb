// SPDX-License-Identifier: Apache-2.0
// What the islands are between two generations: all that a resumed run needs.
#pragma once

#include <vector>

#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct IslandCounters {
    std::uint64_t generation = 0;  ///< complete ones
    std::uint64_t restarts = 0;
    bool populated = false;
};

struct IslandState : IslandCounters {
    std::vector<unsigned char> solutions;  ///< island by island
    std::vector<qapfw_cost> costs;
    std::vector<unsigned char> best_solutions;  ///< of each island since the run's beginning
    std::vector<qapfw_cost> best_costs;
    std::vector<std::uint64_t> best_found;  ///< generation
    std::vector<qapfw_cost> present_best;   ///< per island: least cost since the last restart
    std::vector<std::uint64_t> improved;    ///< per island: generation in which present_best was last lowered

    void resize(std::uint64_t islands, std::uint64_t size, std::uint64_t solution_bytes);
    void save(sdk::Writer& writer) const;
    /// Into a state of the right size. Throws Error (kInput) where the saved one is of another.
    void load(sdk::Reader& reader);
};

}  // namespace qapfw::imga
