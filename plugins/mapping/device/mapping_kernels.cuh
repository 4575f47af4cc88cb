// SPDX-License-Identifier: Apache-2.0
// The rounds of annealings on the whole of a GPU, two kernels for each round: proposals with their claims, then the
// exchanges that hold both of their claims. Blocks along y work on one search each. The problem's text comes before
// this one.
#include "round_rules.hpp"
#include "walk_of.hpp"

namespace qapfw::mapping {

using Problem = device::Problem;

struct RoundLaunch {
    Problem::View view;
    WalkOf<uint32_t, Problem> walks;  ///< of all searches, one after the other
    unsigned long long* claims;       ///< of each position of each search; larger numbers win
    uint32_t* partners;               ///< of each proposal that is accepted; else kNone
    const int32_t* logarithms;
    uint64_t seed, number;
    double scale;  ///< temperature times 2^-16
    uint32_t proposals, movers, exclusive, first_search;
};

constexpr uint32_t kNone = 0xffffffffu;

/// One search's part of what a launch works on.
struct SearchPart {
    WalkOf<uint32_t, Problem> walk;
    unsigned long long* claims;
    uint32_t* partners;
    uint64_t key;

    explicit QAPFW_DEVICE SearchPart(const RoundLaunch& launch) {
        const uint64_t first = uint64_t{blockIdx.y} * static_cast<uint64_t>(Problem::kPositions);
        walk = {launch.walks.location_of + first, launch.walks.vertex_at + first, launch.walks.code_of + first};
        claims = launch.claims + first;
        partners = launch.partners + uint64_t{blockIdx.y} * launch.proposals;
        key = round_key(seed_of_search(launch.seed, launch.first_search + blockIdx.y), launch.number);
    }
};

QAPFW_DEVICE void propose(const RoundLaunch& launch, uint32_t k) {
    const SearchPart part(launch);
    const uint32_t u = proposing_position(part.key, k);
    part.partners[k] = kNone;
    if (u >= launch.movers) return;
    const uint64_t draw = draw_of(part.key, u);
    const uint32_t v = Problem::partner(launch.view, part.walk, u, draw);
    if (v == u) return;
    if (!is_accepted(Problem::delta(launch.view, part.walk, u, v), draw, launch.scale, launch.logarithms)) return;
    part.partners[k] = v;
    const unsigned long long priority = priority_of(launch.number, part.key, u);
    atomicMax(part.claims + u, priority);
    atomicMax(part.claims + v, priority);
}

QAPFW_DEVICE void exchange(const RoundLaunch& launch, uint32_t k) {
    const SearchPart part(launch);
    const uint32_t v = part.partners[k];
    if (v == kNone) return;
    const uint32_t u = proposing_position(part.key, k);
    const unsigned long long priority = priority_of(launch.number, part.key, u);
    if (part.claims[u] != priority || part.claims[v] != priority) return;
    const auto leaves = [&](uint32_t neighbour) { return part.claims[neighbour] <= priority; };
    if (launch.exclusive != 0 &&
        !(Problem::all_neighbours(launch.view, u, leaves) && Problem::all_neighbours(launch.view, v, leaves)))
        return;
    Problem::exchange(launch.view, part.walk, u, v);
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

extern "C" __global__ void qapfw_mapping_place(const __grid_constant__ qapfw::mapping::RoundLaunch launch) {
    const uint32_t u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= static_cast<uint32_t>(qapfw::mapping::Problem::kPositions)) return;
    const qapfw::mapping::SearchPart part(launch);
    qapfw::mapping::Problem::place(launch.view, part.walk, u);
}
