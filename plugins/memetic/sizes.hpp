// SPDX-License-Identifier: Apache-2.0
// Numbers and sizes of a run (islands, elites, children, rounds): configured, or computed for "auto". Computed values
// are reported to the host.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugins/memetic/arms.hpp"
#include "qapfw/sdk/population/fields.hpp"

namespace qapfw::memetic {

struct RunPlan {
    std::uint32_t brood = 1;                ///< children that an island makes at a time with an arm whose `broods` is 1
    std::uint32_t seats_each = 1;           ///< largest number of children that an island makes at a time with any arm
    sdk::PopulationShape shape{};           ///< number of islands, and the largest number of elites of each
    std::uint32_t first_islands = 1;        ///< number of islands that work in the first round
    std::uint32_t first_size = 1;           ///< elites that an island starts with if its arm's `broods` is 1
    std::uint64_t round = 1;                ///< work of an island in a round, in evaluations
    std::uint64_t rung = 1;                 ///< rounds of the first rung
    std::uint64_t child_work = 0;           ///< work of making a child, in evaluations, without its search
    std::uint64_t leader_child_work = 0;    ///< the same work for an arm that leads the race
    std::uint64_t restart_after = 0;        ///< children without a gain, per elite, before an island grows or restarts
    std::uint64_t chain_restart_after = 0;  ///< the same for islands whose arm has no crossover
    std::uint32_t explore_one_in = 0;       ///< one in (explore_one_in * lead) islands is for arms that do not lead
    std::uint64_t explore_rungs = 0;  ///< rungs after which the islands of explore_one_in change their arm; 0: never
    std::uint32_t lead = 1;           ///< largest lead, a factor that favours the leading arms; see lead_after
    std::uint64_t lead_from = 1;      ///< earliest rung from which the lead is above 1; see lead_start
    std::uint32_t migrants = 1;       ///< largest number of elites that an island takes in at the end of a round
    std::uint64_t gpus = 0;           ///< number of GPUs of all processes
};

/// Makes the plan of a run. All processes of the run must call make_plan once, since they plan for all GPUs together.
/// Calls `announce` first if the number of islands depends on compiled kernels. Throws Error(kUsage) for too many
/// elites or children.
RunPlan make_plan(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                  const std::function<void()>& announce);

}  // namespace qapfw::memetic
