// SPDX-License-Identifier: Apache-2.0
// Kernel that chooses the survivors among parents and children.
#pragma once

#include "plugins/imga/device/islands.cuh"

/// Chooses the next population of each island and updates the island's best; one CUDA block per island. Without
/// `distinct`, the next population is in the children's arrays, and the host swaps the arrays.
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
