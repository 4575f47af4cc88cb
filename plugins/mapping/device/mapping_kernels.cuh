// SPDX-License-Identifier: Apache-2.0
// The rounds of an annealing on a GPU, two kernels for each: proposals with their claims, then the exchanges that hold
// both of their claims. The problem's text comes before this one.
#include "round_rules.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;

struct RoundLaunch {
    Problem::View view;
    Problem::Walk walk;
    unsigned long long* claims;  ///< of each position; larger numbers win
    uint32_t* partners;          ///< of each proposal that is accepted; else kNone
    const int32_t* logarithms;
    uint64_t key, number;
    double scale;  ///< temperature times 2^-16
    uint32_t proposals, movers, exclusive;
};

constexpr uint32_t kNone = 0xffffffffu;

QAPFW_DEVICE void propose(const RoundLaunch& launch, uint32_t k) {
    const uint32_t u = proposing_position(launch.key, k);
    launch.partners[k] = kNone;
    if (u >= launch.movers) return;
    const uint64_t draw = draw_of(launch.key, u);
    const uint32_t v = Problem::partner(launch.view, launch.walk, u, draw);
    if (v == u) return;
    if (!is_accepted(Problem::delta(launch.view, launch.walk, u, v), draw, launch.scale, launch.logarithms)) return;
    launch.partners[k] = v;
    const unsigned long long priority = priority_of(launch.number, launch.key, u);
    atomicMax(launch.claims + u, priority);
    atomicMax(launch.claims + v, priority);
}

QAPFW_DEVICE void exchange(const RoundLaunch& launch, uint32_t k) {
    const uint32_t v = launch.partners[k];
    if (v == kNone) return;
    const uint32_t u = proposing_position(launch.key, k);
    const unsigned long long priority = priority_of(launch.number, launch.key, u);
    if (launch.claims[u] != priority || launch.claims[v] != priority) return;
    const auto leaves = [&](uint32_t neighbour) { return launch.claims[neighbour] <= priority; };
    if (launch.exclusive != 0 &&
        !(Problem::all_neighbours(launch.view, u, leaves) && Problem::all_neighbours(launch.view, v, leaves)))
        return;
    Problem::exchange(launch.view, launch.walk, u, v);
}

}  // namespace qapfw::mapping

extern "C" __global__ void qapfw_mapping_propose(const __grid_constant__ qapfw::mapping::RoundLaunch launch) {
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < launch.proposals) qapfw::mapping::propose(launch, k);
}

extern "C" __global__ void qapfw_mapping_exchange(const __grid_constant__ qapfw::mapping::RoundLaunch launch) {
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < launch.proposals) qapfw::mapping::exchange(launch, k);
}

extern "C" __global__ void qapfw_mapping_place(const __grid_constant__ qapfw::mapping::RoundLaunch launch,
                                               uint32_t locations) {
    const uint32_t u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= locations) return;
    qapfw::mapping::Problem::place(launch.view, launch.walk, u);
}
