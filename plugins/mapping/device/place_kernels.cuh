// SPDX-License-Identifier: Apache-2.0
// Kernels that turn a solution into a walk, the form that the problem's device functions read (walk_of.hpp), and back.
// A solution has its elements in the order of positions. The problem's device code comes before this file.
#include "walk_of.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;

struct PlaceLaunch {
    Problem::View view;
    WalkOf<uint32_t, Problem> walks;
    uint32_t* solution;  ///< elements in the order of positions
    uint32_t search;
    uint32_t kept;  ///< 1: walks.location_of is the kept best solution, and the other arrays are not used

    QAPFW_DEVICE WalkOf<uint32_t, Problem> walk() const {
        const uint64_t first = uint64_t{search} * static_cast<uint64_t>(Problem::kPositions);
        return {walks.location_of + first, walks.vertex_at + first, walks.code_of + first};
    }
};

/// Returns the number of the position that this thread works on. A thread without a position gets kPositions or more.
QAPFW_DEVICE uint32_t own_number() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace qapfw::mapping

/// Turns `solution` into the walk of a search.
extern "C" __global__ void qapfw_mapping_place(const __grid_constant__ qapfw::mapping::PlaceLaunch launch) {
    using qapfw::mapping::Problem;
    const uint32_t u = qapfw::mapping::own_number();
    if (u >= static_cast<uint32_t>(Problem::kPositions)) return;
    const qapfw::mapping::WalkOf<uint32_t, Problem> walk = launch.walk();
    walk.location_of[u] = launch.solution[qapfw::mapping::position_of<Problem>(launch.view, u)];
    Problem::place(launch.view, walk, u);
}

/// Writes a solution to `solution`: the present one of a search or, if `kept` is 1, the kept best one.
extern "C" __global__ void qapfw_mapping_take(const __grid_constant__ qapfw::mapping::PlaceLaunch launch) {
    using qapfw::mapping::Problem;
    const uint32_t u = qapfw::mapping::own_number();
    if (u >= static_cast<uint32_t>(Problem::kPositions)) return;
    const qapfw::mapping::WalkOf<uint32_t, Problem> walk = launch.walk();
    launch.solution[qapfw::mapping::position_of<Problem>(launch.view, u)] =
        launch.kept != 0 ? walk.location_of[u] : qapfw::mapping::location_in<Problem>(launch.view, walk, u);
}
