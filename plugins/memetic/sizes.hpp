// SPDX-License-Identifier: Apache-2.0
// Numbers and sizes of a run: what the configuration says, or what "auto" becomes, which the host is told.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/memetic/arms.hpp"

namespace qapfw::memetic {

/// Each is the parameter of its name. To be called by all processes of a run: some go by the GPUs of all.
/// @{
std::uint32_t resolve_brood(const sdk::SolverContext& context, const std::vector<Arm>& arms);
std::uint32_t resolve_islands(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint32_t brood);
std::uint32_t resolve_first_islands(const sdk::SolverContext& context, const std::vector<Arm>& arms);
std::uint32_t resolve_size(const sdk::SolverContext& context, std::uint32_t islands);
std::uint32_t resolve_first_size(const sdk::SolverContext& context, std::uint32_t brood);
std::uint64_t resolve_child_work(const sdk::SolverContext& context);
std::uint64_t resolve_round(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint32_t brood);
std::uint64_t resolve_rung(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint64_t round,
                           std::uint32_t brood);
std::uint64_t resolve_restart_after(const sdk::SolverContext& context, std::uint32_t brood);
std::uint32_t resolve_explore_one_in(const sdk::SolverContext& context, const std::vector<Arm>& arms);
std::uint64_t resolve_explore_rungs(const sdk::SolverContext& context, const std::vector<Arm>& arms);
/// @}

}  // namespace qapfw::memetic
