// SPDX-License-Identifier: Apache-2.0
// The kernels of PGAGrid compiled for the host, over the toy ordering problem.
#include "tests/unit/plugins/ga_distributed/emulated_toy.hpp"

#include "plugins/pga_grid/device/grids_kernels.cuh"

thread_local uint32_t pga_memory[8192];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const auto& grids = argument<pga_grid::Grids>(launch, 0);
    const std::string_view name = entry;
    const auto number = [&](int k) { return argument<uint64_t>(launch, k); };
    const auto run = [&] {
        if (name == "qapfw_pga_grid_select") {
            qapfw_pga_grid_select(grids, number(1));
        } else if (name == "qapfw_pga_grid_cross") {
            qapfw_pga_grid_cross(grids, argument<ToyView>(launch, 1), number(2));
        } else if (name == "qapfw_pga_grid_remember") {
            qapfw_pga_grid_remember(grids);
        } else if (name == "qapfw_pga_grid_change") {
            qapfw_pga_grid_change(grids, argument<ToyView>(launch, 1), number(2));
        } else if (name == "qapfw_pga_grid_keep_best") {
            qapfw_pga_grid_keep_best(grids, number(1));
        } else if (name == "qapfw_pga_grid_emigrate") {
            qapfw_pga_grid_emigrate(grids);
        } else if (name == "qapfw_pga_grid_immigrate") {
            qapfw_pga_grid_immigrate(grids);
        } else {
            qapfw_pga_grid_digest(grids, argument<int64_t>(launch, 1), number(2),
                                  argument<unsigned long long*>(launch, 3));
        }
    };
    with_shared_memory(pga_memory, launch.dynamic_shared_bytes, [&] {
        EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, run);
    });
}

}  // namespace qapfw::test
