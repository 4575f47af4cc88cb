// SPDX-License-Identifier: Apache-2.0
// Survivors of parents and children, an island to a CUDA block.
#pragma once

#include "plugins/imga/device/islands.cuh"

/// Replacement and the island's best: a CUDA block per island. Without `distinct`, the children are then the
/// population, and the host swaps the arrays.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_replace(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    using namespace qapfw;
    const imga::IslandOfBlock island(all, blockIdx.x);
    if (all.distinct != 0) {
        island.take_best_distinct();
    } else {
        island.let_elites_live();
    }
    if (threadIdx.x >= 32) return;
    imga::IslandOfWarp(all, blockIdx.x).keep_best(all.next_solutions(), all.next_costs(), generation);
}
