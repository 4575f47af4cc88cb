// SPDX-License-Identifier: Apache-2.0
// The shell of tabu search: one launch runs `iterations` iterations of every search (a physical slice of a round). The
// problem's text comes before this one; qapfw_tabu_layout tells the host what to allocate and how to launch.
//   TABU_LONG_TERM      1: long-term aspiration is on
//   TABU_SHORT_TENURES  1: min_tenure + tenure_range is below 2^14
// and, unless the problem's hints (qapfw/kernels/swap_neighbourhood.hpp) shall hold:
//   TABU_TEAMS   searches of one block       TABU_EXPIRY  place of the tabu memory, see tabu_memory.cuh
//   TABU_BLOCKS  blocks a multiprocessor should hold
#include "plugins/tabu/device/tabu_memory.cuh"
#include "plugins/tabu/device/tabu_search.cuh"
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"

#ifndef TABU_TEAMS
#define TABU_TEAMS QAPFW_HINT_TEAMS
#endif
#ifndef TABU_BLOCKS
#define TABU_BLOCKS QAPFW_HINT_BLOCKS
#endif
#ifndef TABU_EXPIRY
#define TABU_EXPIRY (TABU_SHORT_TENURES && !TABU_LONG_TERM && QAPFW_HINT_WORDS_IN_SHARED ? 2 : 0)
#endif

namespace qapfw::tabu {

using Problem = device::Problem;

/// The problem's neighbourhood with marks, or without words, where it has one and long-term aspiration is off.
template <class P, bool kLongTerm, class = void>
struct NeighbourhoodOf {
    using type = typename kernels::SwapNeighbourhoodOf<P>::type;
};
template <class P>
struct NeighbourhoodOf<P, false, decltype(static_cast<void>(sizeof(typename P::MarkedSwapNeighbourhood)))> {
    using type = typename P::MarkedSwapNeighbourhood;
};
template <class P>
struct NeighbourhoodOf<P, false, decltype(static_cast<void>(sizeof(typename P::WordlessSwapNeighbourhood)))> {
    using type = typename P::WordlessSwapNeighbourhood;
};
using Neighbourhood = NeighbourhoodOf<Problem, TABU_LONG_TERM != 0>::type;
using Memory = TabuMemory<TABU_EXPIRY, Neighbourhood::kMovable, Neighbourhood::kPositions>;
using Search = TabuSearch<Neighbourhood, Memory, TABU_LONG_TERM != 0>;

constexpr uint32_t kStart = 1;       ///< begin at iteration 0 from `current`; states and expiry need no contents
constexpr uint32_t kImprove = 2;     ///< at the end replace `current` by the best (an improver's call)
constexpr uint32_t kNewCurrent = 4;  ///< `current` was replaced between launches: idle = 0, and it may be a new best

constexpr uint32_t kResume = 8;  ///< the workspace is as a launch with the same `current` left it

/// As the best cost of a state, with kNewCurrent: the best is forgotten and the replaced solution takes its place.
constexpr int64_t kForgotten = 0x7FFFFFFFFFFFFFFFll;

/// Everything a launch is told; arrays are indexed by search.
struct TabuLaunch {
    Problem::View view;
    TabuOptions options;
    uint64_t iterations;  ///< at most 2^30
    uint16_t* current;    ///< solutions in original positions, `stride` elements apart
    uint16_t* best;
    int32_t* expiry;  ///< kMovable x kPositions words each
    TabuState* states;
    uint64_t* digests;        ///< or null
    char* workspace;          ///< Neighbourhood::kWorkspaceBytes each
    int64_t* costs;           ///< or null; with kImprove, the best costs
    const uint32_t* numbers;  ///< of the searches, or null: first_search + index
    uint32_t searches, first_search, stride, flags;
};

struct TeamMemory {
    typename Neighbourhood::TeamShared neighbourhood;
    typename Search::Shared search;
    alignas(16) char memory[Memory::kSharedBytes > 0 ? Memory::kSharedBytes : 16];
};
struct BlockMemory {
    typename Neighbourhood::BlockShared block;
    TeamMemory teams[TABU_TEAMS];
};

/// Expiries before the first iteration, or moved to a base that follows the iteration.
QAPFW_DEVICE void prepare_expiry(const TabuLaunch& launch, int32_t* expiry, TabuState& state) {
    const typename Neighbourhood::Group group;
    constexpr int kCells = Neighbourhood::kMovable * Neighbourhood::kPositions;
    if (launch.flags & kStart) {
        for (int cell = group.rank(); cell < kCells; cell += group.size()) {
            const int i = cell / Neighbourhood::kPositions, value = cell % Neighbourhood::kPositions;
            const int original = Neighbourhood::original_position(launch.view, i);
            expiry[cell] = kernels::tabu_first_expiry(Neighbourhood::kPositions, static_cast<uint32_t>(original),
                                                      static_cast<uint32_t>(value));
        }
    } else if (state.iteration - state.base >= static_cast<uint64_t>(kernels::kRebasePeriod)) {
        const int64_t shift = static_cast<int64_t>(state.iteration - state.base);
        for (int cell = group.rank(); cell < kCells; cell += group.size())
            expiry[cell] = kernels::tabu_rebased(expiry[cell], shift);
        state.base = state.iteration;
    }
    group.sync();
}

/// What an improver gives back: the best solution with its cost, which is evaluated where it is a real number, since
/// sums of deltas are rounded otherwise.
QAPFW_DEVICE void hand_in_best(const TabuLaunch& launch, Neighbourhood& neighbourhood, uint16_t* current,
                               const uint16_t* best, uint32_t index) {
    constexpr bool kReal = static_cast<Problem::Cost>(0.5) != 0;
    const typename Neighbourhood::Group group;
    for (int i = group.rank(); i < Neighbourhood::kPositions; i += group.size()) current[i] = best[i];
    int64_t cost = launch.states[index].best_cost;
    if constexpr (kReal) {
        group.sync();
        neighbourhood.load(current);
        group.sync();
        cost = as_bits(neighbourhood.reset());
    }
    if (launch.costs != nullptr && group.rank() == 0) launch.costs[index] = cost;
}

QAPFW_DEVICE uint32_t number_of(const TabuLaunch& launch, uint32_t index) {
    return launch.numbers != nullptr ? launch.numbers[index] : launch.first_search + index;
}

QAPFW_DEVICE void run_search(const TabuLaunch& launch, BlockMemory& shared, uint32_t index) {
    const typename Neighbourhood::Group group;
    TeamMemory& team = shared.teams[group.index()];
    uint16_t* const current = launch.current + static_cast<uint64_t>(index) * launch.stride;
    uint16_t* const best = launch.best + static_cast<uint64_t>(index) * launch.stride;
    int32_t* const expiry =
        launch.expiry + static_cast<uint64_t>(index) * (Neighbourhood::kMovable * Neighbourhood::kPositions);
    TabuState state = (launch.flags & kStart) ? TabuState{} : launch.states[index];
    const bool forgotten = state.best_cost == kForgotten;
    group.sync();
    prepare_expiry(launch, expiry, state);
    Memory memory(expiry, team.memory);
    memory.load(group, static_cast<int32_t>(state.iteration - state.base));
    Neighbourhood neighbourhood(launch.view, shared.block, team.neighbourhood,
                                launch.workspace + index * Neighbourhood::kWorkspaceBytes);
    neighbourhood.load(current);
    group.sync();
    Search search(neighbourhood, memory, team.search, launch.options, number_of(launch, index), best, state);
    const bool replaced = (launch.flags & kNewCurrent) != 0;
    typename Search::Cost cost{};
    from_bits(state.cost, cost);
    search.enter((launch.flags & kStart) != 0, replaced, replaced && forgotten,
                 (launch.flags & kResume) != 0 ? &cost : nullptr);
    search.run(static_cast<uint32_t>(launch.iterations));
    search.leave_neighbourhood();
    neighbourhood.store(current);
    memory.save(group);
    search.save(launch.states[index]);
    group.sync();
    if (launch.digests != nullptr) {
        const uint64_t digest = search.digest(current);
        if (group.rank() == 0) launch.digests[index] = digest;
    }
    if (launch.flags & kImprove) hand_in_best(launch, neighbourhood, current, best, index);
}

}  // namespace qapfw::tabu

/// bytes of shared memory, threads of a block, searches of a block, workspace bytes and expiry words of a search, 1
/// where the problem has a neighbourhood of its own
extern "C" __device__ const unsigned long long qapfw_tabu_layout[6] = {
    sizeof(qapfw::tabu::BlockMemory),
    TABU_TEAMS* qapfw::tabu::Neighbourhood::kThreads,
    TABU_TEAMS,
    qapfw::tabu::Neighbourhood::kWorkspaceBytes,
    qapfw::tabu::Neighbourhood::kMovable* qapfw::tabu::Neighbourhood::kPositions,
    qapfw::kernels::SwapNeighbourhoodOf<qapfw::tabu::Problem>::kOwn};

extern "C" __global__ void qapfw_tabu_write_layout(unsigned long long* layout) {
    for (int k = 0; k < 6; ++k) layout[k] = qapfw_tabu_layout[k];
}

extern "C" __global__ void __launch_bounds__(TABU_TEAMS* qapfw::tabu::Neighbourhood::kThreads, TABU_BLOCKS)
    qapfw_tabu_search(const __grid_constant__ qapfw::tabu::TabuLaunch launch) {
    extern __shared__ __align__(16) char memory[];
    auto& shared = *reinterpret_cast<qapfw::tabu::BlockMemory*>(memory);
    qapfw::tabu::Neighbourhood::load_block(shared.block, launch.view);
    __syncthreads();
    const uint32_t index = blockIdx.x * TABU_TEAMS + threadIdx.x / qapfw::tabu::Neighbourhood::kThreads;
    if (index < launch.searches) qapfw::tabu::run_search(launch, shared, index);
}
