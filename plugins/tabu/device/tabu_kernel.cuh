// SPDX-License-Identifier: Apache-2.0
// The kernel of tabu search: one launch makes `iterations` iterations of every search (a round may take several
// launches). The problem's device code must come before this file. qapfw_tabu_layout tells the host how much to
// allocate and how to launch. The host defines
//   TABU_LONG_TERM      1: long-term aspiration is on
//   TABU_SHORT_TENURES  1: min_tenure + tenure_range is below 2^14
//   TABU_MOVES_BITS     only if solutions have bits that the search moves too
// and, to override the problem's hints (qapfw/kernels/swap_neighbourhood.hpp),
//   TABU_TEAMS   searches of one CUDA block   TABU_EXPIRY  where the tabu memory lies, see tabu_memory.cuh
//   TABU_BLOCKS  CUDA blocks that a multiprocessor should hold
#include "plugins/tabu/device/tabu_memory.cuh"
#include "plugins/tabu/device/tabu_search.cuh"
#ifdef TABU_MOVES_BITS
#include "plugins/tabu/device/tabu_layout_neighbourhood.cuh"
#endif
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

/// True if the neighbourhood must keep a word (the expiry) for each pair. Long-term aspiration asks for all expiries.
constexpr bool kNeedsWords = TABU_LONG_TERM != 0;
#ifdef TABU_MOVES_BITS
using Neighbourhood = LayoutNeighbourhood<Problem, 4>;
constexpr int kExpiryRows = Neighbourhood::kMovable + 1;  ///< the last row is for the bay bits
/// Number of 16-bit elements in the part of a solution that a search changes.
constexpr int kElements = Neighbourhood::kElements;
#else
using Neighbourhood = kernels::SwapNeighbourhoodFor<Problem, kNeedsWords>::type;
constexpr int kExpiryRows = Neighbourhood::kMovable;
constexpr int kElements = Neighbourhood::kPositions;
#endif
constexpr int kExpiryWords = kExpiryRows * Neighbourhood::kPositions;
using Memory = TabuMemory<TABU_EXPIRY, kExpiryRows, Neighbourhood::kPositions>;
using Search = TabuSearch<Neighbourhood, Memory, TABU_LONG_TERM != 0>;
static_assert(TABU_TEAMS <= Neighbourhood::Group::kMostTeams);

constexpr uint32_t kStart = 1;  ///< begin at iteration 0 from `current`; states and expiry need no contents
/// At the end of the launch, `current` receives the best solution. The launch does not store the search's state.
constexpr uint32_t kImprove = 2;
/// `current` was replaced between launches. The kernel sets the number of idle iterations to 0, and takes `current` as
/// the best solution if it is better.
constexpr uint32_t kNewCurrent = 4;

constexpr uint32_t kResume = 8;  ///< the workspace and `current` are as the last launch left them

/// If a search's state has this best cost, a launch with kNewCurrent forgets the search's best solution. The new
/// `current` becomes the best solution.
constexpr int64_t kForgotten = 0x7FFFFFFFFFFFFFFFll;

/// The arguments of a launch. Arrays are indexed by search.
struct TabuLaunch {
    Problem::View view;
    TabuOptions options;
    uint64_t iterations;  ///< number of iterations to make, at most 2^30
    uint16_t* current;    ///< solutions in the problem's order of positions, `stride` elements apart
    uint16_t* best;       ///< laid out as `current`; may be `current` itself if kStart and kImprove are both set
    int32_t* expiry;      ///< tables of expiries: kExpiryWords words for each search
    TabuState* states;
    uint64_t* digests;        ///< may be null; not used with kImprove
    char* workspace;          ///< memory of the neighbourhoods: kWorkspaceBytes for each search
    int64_t* costs;           ///< with kImprove: receives as_bits(best cost) of each search; may be null
    const uint32_t* numbers;  ///< number of each search in the run; null: first_search + index
    uint64_t* evaluations;    ///< with kImprove: a sum for each search; the kernel adds `evaluated` to it; may be null
    uint64_t evaluated;
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

QAPFW_DEVICE uint16_t* current_of(const TabuLaunch& launch, uint32_t index) {
    return launch.current + static_cast<uint64_t>(index) * launch.stride;
}
QAPFW_DEVICE uint16_t* best_of(const TabuLaunch& launch, uint32_t index) {
    return launch.best + static_cast<uint64_t>(index) * launch.stride;
}
QAPFW_DEVICE int32_t* expiry_of(const TabuLaunch& launch, uint32_t index) {
    return launch.expiry + static_cast<uint64_t>(index) * kExpiryWords;
}

/// Sets the expiries with which a search starts.
QAPFW_DEVICE void start_memory(const TabuLaunch& launch, Memory& memory) {
    const typename Neighbourhood::Group group;
    memory.fill(group, [&](int i, int value) {
        if constexpr (Search::kMovesBits)
            if (i == Neighbourhood::kMovable)
                return first_bit_expiry(Neighbourhood::kPositions, static_cast<uint32_t>(value));
        const int original = Neighbourhood::original_position(launch.view, i);
        return kernels::tabu_first_expiry(Neighbourhood::kPositions, static_cast<uint32_t>(original),
                                          static_cast<uint32_t>(value));
    });
}

/// Loads the expiries of an earlier launch. Expiries are relative to the iteration state.base. If that iteration is at
/// least kRebasePeriod iterations ago, the current iteration first becomes the base.
QAPFW_DEVICE void resume_memory(Memory& memory, int32_t* expiry, TabuState& state) {
    const typename Neighbourhood::Group group;
    if (state.iteration - state.base >= static_cast<uint64_t>(kernels::kRebasePeriod)) {
        const int64_t shift = static_cast<int64_t>(state.iteration - state.base);
        for (int cell = group.rank(); cell < kExpiryWords; cell += group.size())
            expiry[cell] = kernels::tabu_rebased(expiry[cell], shift);
        state.base = state.iteration;
        group.sync();
    }
    memory.load(group, expiry, static_cast<int32_t>(state.iteration - state.base));
}

/// Writes an improver's result: the best solution with its cost. A real-valued cost is evaluated again, since a sum of
/// deltas is rounded differently.
QAPFW_DEVICE void hand_in_best(const TabuLaunch& launch, Neighbourhood& neighbourhood, const Search& search,
                               uint32_t index) {
    uint16_t* const current = current_of(launch, index);
    const uint16_t* const best = best_of(launch, index);
    constexpr bool kReal = static_cast<Problem::Cost>(0.5) != 0;
    const typename Neighbourhood::Group group;
    group.sync();
    if (launch.best != launch.current)
        for (int i = group.rank(); i < kElements; i += group.size()) current[i] = best[i];
    int64_t cost = as_bits(search.best_cost());
    if constexpr (kReal) {
        group.sync();
        neighbourhood.load(current);
        group.sync();
        cost = as_bits(neighbourhood.reset());
    }
    if (group.rank() != 0) return;
    if (launch.costs != nullptr) launch.costs[index] = cost;
    if (launch.evaluations != nullptr) launch.evaluations[index] += launch.evaluated;
}

/// Saves the search for a later launch.
QAPFW_DEVICE void leave(const TabuLaunch& launch, Neighbourhood& neighbourhood, Memory& memory, Search& search,
                        uint32_t index) {
    uint16_t* const current = current_of(launch, index);
    const typename Neighbourhood::Group group;
    search.leave_neighbourhood();
    neighbourhood.store(current);
    memory.save(group, expiry_of(launch, index));
    search.save(launch.states[index]);
    if (launch.digests != nullptr) {
        const uint64_t digest = search.digest(current);
        if (group.rank() == 0) launch.digests[index] = digest;
    }
}

/// Returns entry `index` of launch.numbers: a search's number in the run. Returns 0 if launch.numbers is null.
QAPFW_DEVICE uint32_t listed_number(const TabuLaunch& launch, uint32_t index) {
    return launch.numbers != nullptr ? launch.numbers[index] : 0;
}
QAPFW_DEVICE uint32_t number_of(const TabuLaunch& launch, uint32_t index, uint32_t listed) {
    return listed + (launch.numbers != nullptr ? 0 : launch.first_search + index);
}

QAPFW_DEVICE void run_search(const TabuLaunch& launch, BlockMemory& shared, uint32_t index) {
    const typename Neighbourhood::Group group;
    TeamMemory& team = shared.teams[group.index()];
    const uint32_t listed = listed_number(launch, index);  // read early, since the load takes long
    TabuState state = (launch.flags & kStart) != 0 ? TabuState{} : launch.states[index];
    const bool forgotten = state.best_cost == kForgotten;
    Memory memory(expiry_of(launch, index), team.memory);
    Neighbourhood neighbourhood(launch.view, shared.block, team.neighbourhood,
                                launch.workspace + index * Neighbourhood::kWorkspaceBytes);
    neighbourhood.load(current_of(launch, index));
    if ((launch.flags & kStart) != 0)
        start_memory(launch, memory);
    else
        resume_memory(memory, expiry_of(launch, index), state);
    Search search(neighbourhood, memory, team.search, launch.options, number_of(launch, index, listed),
                  best_of(launch, index), state);
    const bool replaced = (launch.flags & kNewCurrent) != 0;
    typename Search::Cost cost{};
    from_bits(state.cost, cost);
    search.enter((launch.flags & kStart) != 0, replaced, replaced && forgotten,
                 (launch.flags & kResume) != 0 ? &cost : nullptr);
    search.run(static_cast<uint32_t>(launch.iterations));
    // A copy of `index` that the compiler takes for another value. Addresses computed from `index` would otherwise stay
    // in registers during the loop.
    const auto itself = static_cast<uint32_t>(kernels::opaque(static_cast<int>(index)));
    if ((launch.flags & kImprove) != 0)
        hand_in_best(launch, neighbourhood, search, itself);
    else
        leave(launch, neighbourhood, memory, search, itself);
}

}  // namespace qapfw::tabu

extern "C" __device__ const qapfw::tabu::TabuLayout qapfw_tabu_layout = {
    sizeof(qapfw::tabu::BlockMemory),
    TABU_TEAMS* qapfw::tabu::Neighbourhood::kThreads,
    TABU_TEAMS,
    qapfw::tabu::Neighbourhood::kWorkspaceBytes,
    qapfw::tabu::kExpiryWords,
    qapfw::kernels::SwapNeighbourhoodOf<qapfw::tabu::Problem>::kOwn};

extern "C" __global__ void qapfw_tabu_write_layout(qapfw::tabu::TabuLayout* layout) {
    *layout = qapfw_tabu_layout;
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
