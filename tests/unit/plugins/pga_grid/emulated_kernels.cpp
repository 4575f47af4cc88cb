// SPDX-License-Identifier: Apache-2.0
// The kernels of PGAGrid, compiled for the host with the toy ordering problem.
#include "tests/support/emulated_toy.hpp"

#include "plugins/pga_grid/device/grids_kernels.cuh"
#include "tests/unit/plugins/pga_grid/launch_grids.hpp"

thread_local uint32_t pga_memory[8192];

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    launch_grids<ToyView>(entry, launch, pga_memory);
}

}  // namespace qapfw::test
