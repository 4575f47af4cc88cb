// SPDX-License-Identifier: Apache-2.0
// Launches PGAGrid's kernels on an emulated GPU. Include this file after grids_kernels.cuh and a problem.
#pragma once

#include <string_view>

#include "tests/support/emulated_device.hpp"

namespace qapfw::test {

/// Runs the kernel `entry`. `memory` stands for a GPU's shared memory; View is the type of the problem's view.
template <class View, class Memory>
void launch_grids(const char* entry, const qapfw_launch& launch, Memory& memory) {
    const auto& grids = argument<pga_grid::View>(launch, 0);
    const std::string_view name = entry;
    const auto number = [&](int k) { return argument<uint64_t>(launch, k); };
    const auto run = [&] {
        if (name == "qapfw_pga_grid_populate") {
            qapfw_pga_grid_populate(grids, argument<View>(launch, 1), argument<uint32_t>(launch, 2));
        } else if (name == "qapfw_pga_grid_select") {
            qapfw_pga_grid_select(grids, number(1));
        } else if (name == "qapfw_pga_grid_cross") {
            qapfw_pga_grid_cross(grids, argument<View>(launch, 1), number(2));
        } else if (name == "qapfw_pga_grid_remember") {
            qapfw_pga_grid_remember(grids);
        } else if (name == "qapfw_pga_grid_change") {
            qapfw_pga_grid_change(grids, argument<View>(launch, 1), number(2));
        } else if (name == "qapfw_pga_grid_keep_best") {
            qapfw_pga_grid_keep_best(grids, number(1));
        } else if (name == "qapfw_pga_grid_emigrate") {
            qapfw_pga_grid_emigrate(grids);
        } else if (name == "qapfw_pga_grid_immigrate") {
            qapfw_pga_grid_immigrate(grids);
        } else if (name == "qapfw_pga_grid_report") {
            qapfw_pga_grid_report(grids, argument<uint32_t>(launch, 1),
                                  argument<kernels::PopulationReport*>(launch, 2));
        } else {
            qapfw_pga_grid_digest(grids, argument<int64_t>(launch, 1), number(2),
                                  argument<kernels::PopulationReport*>(launch, 3));
        }
    };
    with_shared_memory(memory, launch.dynamic_shared_bytes, [&] {
        EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, run);
    });
}

}  // namespace qapfw::test
