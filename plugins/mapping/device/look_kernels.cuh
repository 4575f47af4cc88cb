// SPDX-License-Identifier: Apache-2.0
// Costs and digests of the searches on a GPU, and the best solution of all. The problem's device code comes before this
// file. The host defines MAPPING_WALKS: 1 if searches have walks in global memory, else 0.
#include "device_order.hpp"
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/digest.hpp"
#include "walk_of.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;

struct LookLaunch {
    Problem::View view;
    WalkOf<uint32_t, Problem>
        walks;  ///< walks of all searches, one after the other; if MAPPING_WALKS is 0, only `location_of` is set
    unsigned long long* sums;     ///< cost of each search as added up so far; qapfw_mapping_choose resets it to 0
    int64_t* costs;               ///< cost of each search
    unsigned long long* digests;  ///< digest of each search's solution
    DeviceBest* best;
    uint32_t* best_location_of;
    uint64_t iteration;
    uint32_t searches, unused;

    QAPFW_DEVICE WalkOf<uint32_t, Problem> walk(uint32_t search) const {
        const uint64_t first = uint64_t{search} * static_cast<uint64_t>(Problem::kPositions);
        return {walks.location_of + first, walks.vertex_at + first, walks.code_of + first};
    }
    /// Returns the location that position u has in the walk `of`.
    QAPFW_DEVICE uint32_t location(const WalkOf<uint32_t, Problem>& of, uint32_t u) const {
        return MAPPING_WALKS != 0 ? location_in<Problem>(view, of, u) : of.location_of[u];
    }
};

/// The threads of all CUDA blocks with the same y as one group. sum() returns the sum over one warp only; add_of_warp
/// adds up the sums of all warps.
struct GridGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
    QAPFW_DEVICE int size() const { return static_cast<int>(gridDim.x * blockDim.x); }
    template <class T>
    QAPFW_DEVICE T sum(T value) const {
        return kernels::WarpGroup{}.sum(value);
    }
};

QAPFW_DEVICE void add_of_warp(unsigned long long* to, uint64_t sum) {
    if ((threadIdx.x & 31u) == 0) atomicAdd(to, static_cast<unsigned long long>(sum));
}

/// Returns this warp's part of the cost of a search.
template <class P>
QAPFW_DEVICE int64_t cost_of(const LookLaunch& launch, uint32_t search) {
    const WalkOf<uint32_t, P> walk = launch.walk(search);
    if constexpr (MAPPING_WALKS != 0 && requires { P::cost_of_walk(GridGroup{}, launch.view, walk); }) {
        return P::cost_of_walk(GridGroup{}, launch.view, walk);
    } else {
        static_assert(!is_ordered<P>(), "a problem that numbers positions in another order must have cost_of_walk");
        return P::cost(GridGroup{}, launch.view, [&](int u) { return static_cast<int>(walk.location_of[u]); });
    }
}

}  // namespace qapfw::mapping

/// Adds up the cost of each search in its own sum. The CUDA blocks with the same y work on one search.
extern "C" __global__ void qapfw_mapping_costs(const __grid_constant__ qapfw::mapping::LookLaunch launch) {
    const int64_t sum = qapfw::mapping::cost_of<qapfw::mapping::Problem>(launch, blockIdx.y);
    qapfw::mapping::add_of_warp(launch.sums + blockIdx.y, static_cast<uint64_t>(sum));
}

/// Run by one thread: takes the costs from the sums and chooses the least cost, if that is below best.cost.
extern "C" __global__ void qapfw_mapping_choose(const __grid_constant__ qapfw::mapping::LookLaunch launch) {
    qapfw::mapping::DeviceBest& best = *launch.best;
    best.taken = 0;
    for (uint32_t search = 0; search < launch.searches; ++search) {
        const auto cost = static_cast<int64_t>(launch.sums[search]);
        launch.costs[search] = cost;
        launch.sums[search] = 0;
        if (cost >= best.cost) continue;
        best.cost = cost;
        best.iteration = launch.iteration;
        best.search = search;
        best.found = best.taken = 1;
    }
}

/// Copies the solution that qapfw_mapping_choose has just chosen, if there is one.
extern "C" __global__ void qapfw_mapping_keep(const __grid_constant__ qapfw::mapping::LookLaunch launch) {
    if (launch.best->taken == 0) return;
    constexpr uint32_t n = static_cast<uint32_t>(qapfw::mapping::Problem::kPositions);
    const auto walk = launch.walk(launch.best->search);
    for (uint32_t u = blockIdx.x * blockDim.x + threadIdx.x; u < n; u += gridDim.x * blockDim.x)
        launch.best_location_of[u] = launch.location(walk, u);
}

/// Computes the digests of the searches. The CUDA blocks with the same y work on one search.
extern "C" __global__ void qapfw_mapping_digests(const __grid_constant__ qapfw::mapping::LookLaunch launch) {
    constexpr uint32_t n = static_cast<uint32_t>(qapfw::mapping::Problem::kPositions);
    const auto walk = launch.walk(blockIdx.y);
    uint64_t sum = 0;
    for (uint32_t u = blockIdx.x * blockDim.x + threadIdx.x; u < n; u += gridDim.x * blockDim.x)
        sum += qapfw::kernels::digest_element(qapfw::mapping::position_of<qapfw::mapping::Problem>(launch.view, u),
                                              launch.location(walk, u));
    qapfw::mapping::add_of_warp(launch.digests + blockIdx.y, qapfw::kernels::WarpGroup{}.sum(sum));
}
