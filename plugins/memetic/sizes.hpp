// SPDX-License-Identifier: Apache-2.0
// Numbers and sizes of a run: what the configuration says, or what "auto" becomes. The host is informed of the latter.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugins/memetic/arms.hpp"
#include "qapfw/sdk/population/fields.hpp"

namespace qapfw::memetic {

struct RunPlan {
    std::uint32_t brood = 1;              ///< children that an island makes at a time with an arm of one brood
    std::uint32_t seats_each = 1;         ///< children that an island makes at a time at most, whatever its arm
    sdk::PopulationShape shape{};         ///< islands, and elites of each at most
    std::uint32_t first_islands = 1;      ///< islands that work in the first round
    std::uint32_t first_size = 1;         ///< elites that an island starts with
    std::uint64_t round = 1;              ///< evaluations of an island in a round
    std::uint64_t rung = 1;               ///< rounds of the first rung
    std::uint64_t child_work = 0;         ///< evaluations that making a child counts for
    std::uint64_t leader_child_work = 0;  ///< likewise for an arm that leads the race
    std::uint64_t restart_after = 0;      ///< children without a gain for each elite, after which an island restarts
    std::uint32_t explore_one_in = 0;     ///< one island in `explore_one_in` is for arms that do not lead
    std::uint64_t explore_rungs = 0;      ///< rungs after which such an island changes its arm; 0: never
    std::uint64_t gpus = 0;               ///< GPUs of all processes
};

/// The plan of a run, made once. `announce` is called before GPUs are asked how many islands they have room for, where
/// their kernels must be compiled for the answer. To be called by all processes of a run, since they plan for the GPUs
/// of all. Throws Error(kUsage) where there would be too many elites or children.
RunPlan make_plan(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                  const std::function<void()>& announce);

}  // namespace qapfw::memetic
