// SPDX-License-Identifier: Apache-2.0
// The kernels of fbs_local_search, compiled for the host with the layout problem's device code.
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "tests/support/emulated_device.hpp"
#include "tests/support/emulated_intrinsics.hpp"
#include "tests/unit/plugins/fbs_local_search/emulated_layouts.hpp"

#define UAFLP_N QAPFW_EMULATED_N
#define UAFLP_BITS_OFFSET QAPFW_EMULATED_BITS_OFFSET
#define UAFLP_REAL double
#define UAFLP_EUCLIDEAN view.euclidean  // the metric is chosen at run time
#include "problems/uaflp/device/uaflp_problem.cuh"

#include "plugins/fbs_local_search/device/fbs_local_search_kernel.cuh"

namespace qapfw::test {

void launch_emulated(const char* entry, const qapfw_launch& launch) {
    const std::string_view name = entry;
    EmulatedBlock::run_grid({launch.grid[0], launch.grid[1], 1}, {launch.block[0], 1, 1}, [&] {
        if (name == "qapfw_fbs_local_search") {
            qapfw_fbs_local_search(*static_cast<const fbs_local_search::DescentLaunch*>(launch.arguments[0]));
        } else if (name == "qapfw_fbs_local_search_write_layout") {
            qapfw_fbs_local_search_write_layout(*static_cast<unsigned long long* const*>(launch.arguments[0]));
        } else {
            throw std::logic_error("no such kernel: " + std::string(name));
        }
    });
}

}  // namespace qapfw::test
